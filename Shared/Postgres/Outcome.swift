/// What became of one command of a round trip.
enum Outcome {
    case answered(ResultHandle)
    case failed(PostgresError)
    /// A command before it failed, so the server did not look at it.
    case skipped

    var result: ResultHandle {
        get throws(PostgresError) {
            switch self {
            case .answered(let result): return result
            case .failed(let error): throw error
            case .skipped: throw PostgresError(.server, sqlState: "25P02", "a command before it failed")
            }
        }
    }
}
