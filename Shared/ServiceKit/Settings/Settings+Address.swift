import FoundationEssentials

extension Settings {
    /// An address such as `http://127.0.0.1:8080`, without a slash at its end. Without a default it must be set.
    ///
    /// A password within it is masked wherever it is shown.
    public mutating func url(
        _ name: String,
        default fallback: String? = nil,
        schemes: [String] = ["http", "https"]
    ) -> String {
        guard let text = self.text(of: name) ?? fallback else { return self.missing(name, standIn: "") }
        // Without `//` a user and password are a path, which would be shown.
        guard let address = URLComponents(string: text), let scheme = address.scheme, schemes.contains(scheme),
            text.hasPrefix("\(scheme)://")
        else {
            let kinds = schemes.map { $0 + "://…" }.joined(separator: " or ")
            // A malformed address may hold a password anywhere, so none of it is repeated.
            self.fault("\(name) must be an address like \(kinds)")
            return text
        }
        var shown = address
        if shown.password != nil { shown.password = Self.mask }
        let query = shown.queryItems?.map { item in
            item.name.lowercased().contains("password") ? URLQueryItem(name: item.name, value: Self.mask) : item
        }
        if let query { shown.queryItems = query }
        self.note(name, is: shown.string ?? Self.mask)
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
