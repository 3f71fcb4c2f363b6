internal import CMicroHTTPD

/// The bodies of uploads, as memory sees them.
enum LargeBuffers {
    /// glibc raises its threshold for memory of its own mapping to the largest buffer freed so far, up to 32 MB. After a
    /// few uploads, all bodies would come from the heap, where what was touched once stays resident. A fixed threshold,
    /// set once for the process, gives each large buffer back to the system when it is freed.
    static let areReturned = mallopt(M_MMAP_THRESHOLD, 256 * 1024) == 1
}
