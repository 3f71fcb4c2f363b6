/// How a request says where its body ends.
enum Framing: Hashable {
    case none
    case length(Int)
    case chunked

    /// Reads it as strictly as RFC 9112 (6.3) allows: what two parties could read in two ways is refused.
    init(_ headers: Headers) throws(MalformedRequest) {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        guard lengths.count + codings.count <= 1 else {
            throw MalformedRequest("The length of the body is given more than once.")
        }
        if let coding = codings.first {
            guard coding.lowercased() == "chunked" else {
                throw MalformedRequest("The only transfer coding taken is chunked.")
            }
            self = .chunked
        } else if let length = lengths.first {
            guard let count = Int(length), length.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw MalformedRequest("Content-Length is no length.")
            }
            self = count == 0 ? .none : .length(count)
        } else {
            self = .none
        }
    }
}
