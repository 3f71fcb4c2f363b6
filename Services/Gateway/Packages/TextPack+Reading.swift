import KeijibanAPI
import ServiceHost
import Zip

extension TextPack {
    /// Reads a package. Throws `FieldFaults` where it is none, 413 where more comes out of it than is taken.
    init(_ package: [UInt8]) throws {
        do {
            let reader = try ZipReader(package, entryLimit: Self.entryLimit)
            let contents = try Self.contents(of: reader)
            self.info = try TextPackInfo(contents.info)
            self.text = contents.text
            self.picture = contents.picture
        } catch let error as ZipError {
            switch error.kind {
            case .tooLarge:
                throw ProblemKindError(.bodyTooLarge, detail: "Unpacked at most \(Self.byteLimit) bytes.")
            case .tooManyEntries:
                throw ProblemKindError(.bodyTooLarge, detail: "A package has at most \(Self.entryLimit) entries.")
            case .encrypted: throw FieldFaults(Self.field, .package(.encrypted))
            case .unreadableName: throw FieldFaults(Self.field, .package(.unreadableName))
            case .unsafe: throw FieldFaults(Self.field, .package(.unsafeName))
            case .malformed, .unsupported: throw FieldFaults(Self.field, .package(.damaged))
            }
        }
    }

    private struct Contents {
        var info: [UInt8] = []
        var text: [UInt8] = []
        var picture: Picture?
    }

    /// Unpacks everything, so that all that comes out is counted, and keeps what a bundle needs.
    private static func contents(of reader: ZipReader) throws -> Contents {
        let root = try self.root(of: reader.entries)
        var room = Self.byteLimit
        var found: [String: [UInt8]] = [:]
        var faults = FieldFaults()
        for entry in reader.entries {
            let content = try reader.content(of: entry, room: &room)
            if self.isLeftOver(entry.name) { continue }
            guard entry.name.hasPrefix(root) else { throw FieldFaults(Self.field, .package(.unknownEntry)) }
            let path = String(entry.name.dropFirst(root.count))
            if path.isEmpty || entry.isFolder { continue }
            guard path == Self.infoName || Self.textNames.contains(path) || path.hasPrefix(Self.assets + "/") else {
                throw FieldFaults(Self.field, .package(.unknownEntry))
            }
            found[path] = content
        }
        let texts = found.keys.filter { Self.textNames.contains($0) }
        let pictures = found.filter { $0.key.hasPrefix(Self.assets + "/") }
        if found[Self.infoName] == nil { faults.note(Self.infoName, .package(.missing)) }
        if texts.isEmpty { faults.note(Self.textName, .package(.missing)) }
        if texts.count > 1 { faults.note(Self.textName, .package(.several)) }
        if pictures.count > 1 { faults.note(Self.assets, .package(.several)) }
        guard faults.isEmpty, let info = found[Self.infoName], let name = texts.first, let text = found[name] else {
            throw faults
        }
        guard String(validating: text, as: UTF8.self) != nil else { throw FieldFaults(name, .package(.notUTF8)) }
        return Contents(info: info, text: text, picture: pictures.first.map { Picture(path: $0.key, bytes: $0.value) })
    }

    /// The folder that the bundle lies in, with its slash; nothing where it lies at the top.
    private static func root(of entries: [ZipEntry]) throws -> String {
        let names = entries.map(\.name).filter { !self.isLeftOver($0) }
        if names.contains(Self.infoName) || names.contains(where: Self.textNames.contains) { return "" }
        let folders = Set(names.map { $0.split(separator: "/", maxSplits: 1)[0] })
        guard folders.count <= 1 else { throw FieldFaults(Self.field, .package(.unknownEntry)) }
        guard let folder = folders.first, names.contains(where: { $0.hasPrefix("\(folder)/") }) else { return "" }
        return "\(folder)/"
    }

    /// What systems leave in archives and in folders unasked.
    private static func isLeftOver(_ name: String) -> Bool {
        let parts = name.split(separator: "/")
        return parts.first == "__MACOSX" || parts.last == ".DS_Store" || parts.last?.hasPrefix("._") == true
            || parts.contains("QuickLook")
    }
}
