import CZlib

/// What was compressed in the format of gzip, without a name or other extras in its head; nil for what is not whole.
public func gunzip(_ bytes: [UInt8], limit: Int = 10_000_000) -> [UInt8]? {
    guard bytes.count >= 18, bytes.starts(with: [0x1F, 0x8B, 8, 0]) else { return nil }
    let packed = Array(bytes[10..<bytes.count - 8])
    var result = Int32(0)
    let content = unsafe [UInt8](unsafeUninitializedCapacity: limit) { target, count in
        count = limit
        result = unsafe zip_inflate(packed, packed.count, target.baseAddress, &count)
    }
    let checksum = unsafe zip_crc32(content, content.count)
    let end = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return result == 0 && end == UInt64(content.count) << 32 | UInt64(checksum) ? content : nil
}
