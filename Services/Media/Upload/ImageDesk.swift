import Imaging
import KeijibanAPI
import ServiceHost
import ServiceKit
import Synchronization

/// Where images are decoded and encoded: a few at once, some more in line, and no more than that.
final class ImageDesk: Sendable {
    private let processor: ImageProcessor
    private let queueLimit: Int
    private let pixelLimit: Int
    private let telemetry: Telemetry
    private let underWay = Mutex(0)

    init(_ processor: ImageProcessor, queueLimit: Int, _ pixelLimit: Int, _ telemetry: Telemetry) {
        self.processor = processor
        self.queueLimit = queueLimit
        self.pixelLimit = pixelLimit
        self.telemetry = telemetry
    }

    /// All sizes of an image. Throws `/problems/unavailable` at once where the line is long, `/problems/unsupported-image` or
    /// `FieldFaults` where the bytes are not what they should be.
    func renditions(of bytes: [UInt8]) async throws -> Renditions {
        guard self.enter() else {
            self.telemetry.count(.imagesRefused, labels: ["reason": "queue"])
            throw ProblemKindError(.unavailable, detail: "Too many images wait.")
        }
        defer { self.underWay.withLock { $0 -= 1 } }
        let start = ContinuousClock.now
        do throws(ImagingError) {
            let renditions = try await self.processor.renditions(bytes)
            self.telemetry.observe(.imageDuration, ContinuousClock.now - start)
            self.telemetry.count(.imagesStored, labels: ["format": renditions.original.contentType])
            return renditions
        } catch {
            self.telemetry.count(.imagesRefused, labels: ["reason": error.kind.rawValue])
            throw self.refusal(of: error)
        }
    }

    private func enter() -> Bool {
        self.underWay.withLock { count in
            guard count < self.queueLimit else { return false }
            count += 1
            return true
        }
    }

    private func refusal(of error: ImagingError) -> any Error {
        switch error.kind {
        case .unsupported: ProblemKindError(.unsupportedImage)
        case .undecodable: FieldFaults(ImageBody.field, .image(.undecodable))
        case .truncated: FieldFaults(ImageBody.field, .image(.truncated))
        case .tooManyPixels: FieldFaults(ImageBody.field, .image(.tooManyPixels(most: self.pixelLimit)))
        }
    }
}
