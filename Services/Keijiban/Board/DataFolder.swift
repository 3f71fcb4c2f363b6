internal import Foundation
internal import Glibc

/// The folder that holds all that a board keeps, locked for as long as this object lives.
struct DataFolder: Sendable {
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(self.path) is in use by another keijiban (KEIJIBAN_DATA chooses another folder)" }
    }

    let path: String
    private let lock: Descriptor

    /// Makes what is missing. PostgreSQL's own user must be able to pass through the folder, so all that it must not
    /// read lies in folders of their own.
    init(_ path: String) throws {
        self.path = path
        try Self.makeFolder(path, mode: 0o711)
        self.lock = try Descriptor.open("\(path)/lock", O_RDWR | O_CREAT, mode: 0o600)
        guard flock(self.lock.number, LOCK_EX | LOCK_NB) == 0 else { throw InUse(path: path) }
        for name in ["logs", "secrets", "running", "keys"] { try Self.makeFolder("\(path)/\(name)", mode: 0o700) }
    }

    var runningFolder: String { "\(self.path)/running" }
    /// Where the broker is, for the services and for people. Written anew whenever that changes.
    var bootstrapServers: String { "\(self.path)/bootstrap-servers" }
    var postgres: String { "\(self.path)/postgres" }
    var kafka: String { "\(self.path)/kafka" }
    var internalSecret: String { "\(self.path)/secrets/internal" }

    func log(_ name: String) -> String { "\(self.path)/logs/\(name).log" }
    func keyCache(_ name: String) -> String { "\(self.path)/keys/\(name).json" }

    /// The password or shared secret of that name, made at the first call and the same ever after.
    func secret(_ name: String) throws -> String {
        let file = "\(self.path)/secrets/\(name)"
        if let secret = try? String(contentsOfFile: file, encoding: .utf8), !secret.isEmpty { return secret }
        let secret = (0..<4).map { _ in String(format: "%016lx", UInt64.random(in: .min ... .max)) }.joined()
        try self.write(secret, to: file)
        return secret
    }

    /// Replaces the file as a whole, readable only by its owner.
    func write(_ text: String, to file: String) throws {
        let new = "\(file).new"
        unsafe unlink(new)
        guard try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(text.utf8) else {
            throw SystemError(new)
        }
        guard unsafe rename(new, file) == 0 else { throw SystemError(file) }
    }

    private static func makeFolder(_ path: String, mode: mode_t) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        unsafe chmod(path, mode)
    }
}
