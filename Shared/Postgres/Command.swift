/// One message, or two, of a round trip.
enum Command {
    /// `begin` and its like: no parameters, and nobody reads the answer.
    case control(String)
    case statement(Statement)
}
