import HTTP

/// What every answer of the gateway says to caches and browsers, whoever made it.
struct AnswerHeaders: Sendable {
    let origins: AllowedOrigins

    /// The answer with what it depends on in `Vary`, and readable for the pages of allowed origins.
    func finish(_ head: RequestHead, _ response: Response) -> Response {
        var response = response
        var vary: [String] = []
        if response.headers["Content-Type"] == "application/problem+json" { vary.append("Accept-Language") }
        if response.headers["Cache-Control"]?.hasPrefix("private") == true {
            vary += ["Accept-Language", "Authorization"]
        }
        if response.status == 401 { vary.append("Authorization") }
        if response.status == 406 { vary.append("Accept") }
        self.origins.add(to: &response, for: head)
        if self.origins.isOn { vary.append("Origin") }
        self.note(vary, in: &response.headers)
        return response
    }

    private func note(_ names: [String], in headers: inout Headers) {
        var known = (headers["Vary"] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        for name in names where !known.contains(name) { known.append(name) }
        if !known.isEmpty { headers["Vary"] = known.joined(separator: ", ") }
    }
}
