import BlockingIO
import Synchronization

/// Decodes, scales and encodes images that strangers sent.
///
/// The work runs on threads of its own; what cannot begin waits in order. A decoded image takes about four bytes a
/// pixel while it is worked on, so `threads` times `pixelLimit` bounds the memory.
public final class ImageProcessor: Sendable {
    private let pixelLimit: Int
    private let byteGoal: Int
    private let threads: [BlockingThread]
    private let waiting: Mutex<[Int]>

    /// - Parameters:
    ///   - threads: how many images are worked on at once.
    ///   - pixelLimit: width times height, times the frames of one that moves.
    ///   - byteGoal: where a lossy original would be larger, it is encoded with lower quality.
    public init(threads: Int = 1, pixelLimit: Int = 40_000_000, byteGoal: Int = 1_000_000) {
        self.pixelLimit = pixelLimit
        self.byteGoal = byteGoal
        self.threads = (0..<max(threads, 1)).map { BlockingThread(name: "imaging-\($0)") }
        self.waiting = Mutex(Array(repeating: 0, count: self.threads.count))
    }

    /// Reads the header only: the pixels may still turn out broken.
    public func header(_ bytes: [UInt8]) async throws(ImagingError) -> DecodedHeader {
        try await self.run { [pixelLimit] () throws(ImagingError) in
            try Source(bytes, pixelLimit: pixelLimit).header
        }
    }

    /// Makes all renditions. An image that is broken anywhere throws.
    public func renditions(_ bytes: [UInt8]) async throws(ImagingError) -> Renditions {
        try await self.run { [pixelLimit, byteGoal] () throws(ImagingError) in
            try Source(bytes, pixelLimit: pixelLimit).renditions(byteGoal: byteGoal)
        }
    }

    /// Runs `work` on the thread for which the fewest wait.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ImagingError) -> Value
    ) async throws(ImagingError) -> Value {
        let index = self.waiting.withLock { waiting in
            let index = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
            waiting[index] += 1
            return index
        }
        defer { self.waiting.withLock { $0[index] -= 1 } }
        return try await self.threads[index].run(work)
    }
}
