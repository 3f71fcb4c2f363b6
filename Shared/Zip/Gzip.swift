import CZlib

/// The format that HTTP's coding `gzip` has (RFC 1952). The same bytes always come out the same.
public enum Gzip {
    /// The bytes compressed; nil where that would not make them fewer.
    ///
    /// - Parameter level: from 1, the fastest, to 9, the smallest.
    public static func compress(_ bytes: [UInt8], level: Int) -> [UInt8]? {
        var result = Int32(0)
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            count = bytes.count
            result = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe zip_gzip(source.baseAddress, source.count, Int32(level), target.baseAddress, &count)
            }
        }
        return result == 0 && packed.count < bytes.count ? packed : nil
    }
}
