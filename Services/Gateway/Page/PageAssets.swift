import Crypto
import HTTP
import KeijibanAPI
import Zip

/// The page's style, scripts, texts and icons. Their address holds a hash of all of them, so a browser may keep them for ever, and
/// modules that import each other are always of one version.
struct PageAssets: Sendable {
    private struct Asset: Sendable {
        let type: String
        let bytes: [UInt8]
        /// In gzip; nil where that is no smaller.
        let packed: [UInt8]?

        init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            self.packed = Gzip.compress(bytes, level: 9)
        }
    }

    private static let style = "text/css; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private let assets: [String: Asset]
    /// What each script imports, itself included, whatever it takes to get there.
    private let imports: [String: Set<String>]
    let version: String

    init() {
        var assets: [String: Asset] = [
            "style.css": Asset(type: Self.style, bytes: Self.lightStyle(PackageResources.style_css)),
            "desk.css": Asset(type: Self.style, bytes: Self.lightStyle(PackageResources.desk_css)),
            "icon.svg": Asset(type: "image/svg+xml", bytes: PackageResources.icon_svg),
            "icons.svg": Asset(type: "image/svg+xml", bytes: PackageResources.icons_svg),
        ]
        for (name, bytes) in Self.scripts { assets["\(name).js"] = Asset(type: Self.script, bytes: Self.light(bytes)) }
        let named = Self.scripts.values.map(Self.names).reduce(into: Set()) { $0.formUnion($1) }
        for (name, bytes) in ["words-ja": PackageResources.words_ja_json, "words-en": PackageResources.words_en_json] {
            assets["\(name).js"] = Asset(type: Self.script, bytes: Self.words(bytes, named: named))
        }
        let all = assets.sorted { $0.key < $1.key }.flatMap { Array($0.key.utf8) + $0.value.bytes }
        self.version = Hex.encode(SHA256.hash(all).prefix(6))
        self.assets = assets
        let direct = Self.scripts.mapValues { Self.imports(in: String(decoding: $0, as: UTF8.self)) }
        self.imports = direct.mapValues { first in
            var all = first
            while true {
                let more = all.union(all.flatMap { direct[$0] ?? [] })
                if more == all { return all }
                all = more
            }
        }
    }

    private static func imports(in source: String) -> Set<String> {
        Set(source.split(separator: " from \"./").dropFirst().map { String($0.prefix { $0 != "." }) })
    }

    /// The files that a script needs before it runs, so that they are asked for at once and not one after another.
    func modules(of script: String, in language: Language) -> [String] {
        (self.imports[script] ?? []).sorted().map { "\($0).js" } + ["words-\(language.rawValue).js"]
    }

    func address(of name: String) -> String { "/page/\(self.version)/\(name)" }

    /// A page of another version still gets what there is, but does not keep it.
    var route: Route {
        let answer: @Sendable (RequestHead) -> Response? = { head in
            guard let name = head.pathParameters["name"], let asset = self.assets[name] else { return nil }
            let isCurrent = head.pathParameters["version"] == self.version
            let headers: Headers = [
                "Content-Type": asset.type, "X-Content-Type-Options": "nosniff",
                "Cache-Control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
                "Content-Security-Policy": "default-src 'none'; style-src 'self'",
            ]
            return Response(status: 200, headers: headers, body: .bytes(asset.bytes)).packed(for: head) { asset.packed }
        }
        return Route("GET", "/page/{version}/{name}", immediately: answer) { request in
            answer(request.head) ?? Response(status: 404)
        }
    }
}
