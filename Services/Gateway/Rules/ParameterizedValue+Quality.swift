import HTTP

extension ParameterizedValue {
    /// How much one of several is wanted, 0 to 1 (RFC 9110, 12.4.2). Who says nothing of it wants it; no number is 0.
    var quality: Double {
        guard let text = self.parameters["q"] else { return 1 }
        let quality = Double(text) ?? 0
        return quality > 0 ? min(quality, 1) : 0
    }
}
