import KeijibanAPI
import ServiceHost

/// What a client wants to hear of: some threads, or where it names none, the list of threads.
struct LiveFilter: Sendable, Hashable {
    static let threadLimit = 50

    /// Ascending; those who listen to the same threads share what is sent.
    let threads: [ID]

    var isList: Bool { self.threads.isEmpty }

    init(threads: some Sequence<ID>) {
        self.threads = Set(threads).sorted()
    }

    /// Reads the values of `thread`; throws 400 where there are too many, or one is no id.
    init(_ values: [String]) throws(ProblemKindError) {
        guard values.count <= Self.threadLimit else {
            throw ProblemKindError(.malformedRequest, detail: "At most \(Self.threadLimit) of thread at once.")
        }
        var threads: [ID] = []
        for value in values {
            guard let id = ID(value) else {
                throw ProblemKindError(.malformedRequest, detail: "thread=\(value.prefix(80)) is no id of a thread.")
            }
            threads.append(id)
        }
        self.init(threads: threads)
    }
}
