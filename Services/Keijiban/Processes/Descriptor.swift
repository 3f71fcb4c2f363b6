internal import CSpawn
internal import Glibc

/// Owns an open file and closes it with the last reference. Nothing that is started inherits it.
final class Descriptor: Sendable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(self.number)
    }

    static let standardInput = Descriptor(owning: STDIN_FILENO)
    static let standardOutput = Descriptor(owning: STDOUT_FILENO)
    static let standardError = Descriptor(owning: STDERR_FILENO)

    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Descriptor {
        let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError(path) }
        return Descriptor(owning: number)
    }

    static func null() throws(SystemError) -> Descriptor {
        try self.open("/dev/null", O_RDWR)
    }

    static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe") }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Waits for bytes and returns them; none at the end, or where reading fails.
    func read(upTo count: Int = 65_536) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result = -1
            repeat {
                result = unsafe Glibc.read(self.number, buffer.baseAddress, count)
            } while result < 0 && errno == EINTR
            filled = max(result, 0)
        }
    }

    /// Writes all of it; false where the other side is gone or the disk is full.
    @discardableResult
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(self.number, $0.baseAddress, $0.count) }
            if written < 0 && errno != EINTR { return false }
            rest = rest.dropFirst(max(written, 0))
        }
        return true
    }
}
