extension EncodedParameters {
    /// The arrays of pointers, lengths and formats that libpq takes, valid within `body`.
    @unsafe func withPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        let lengths = self.ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: self.ranges.count)
        // The byte at the end gives an empty value an address: libpq takes one without for NULL.
        return unsafe (self.bytes + [0]).withUnsafeBytes { bytes in
            let base = unsafe bytes.bindMemory(to: CChar.self).baseAddress
            let pointers = unsafe self.ranges.map { range in
                unsafe range.flatMap { unsafe base?.advanced(by: $0.lowerBound) }
            }
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe body(pointers.baseAddress, lengths, formats)
            }
        }
    }
}
