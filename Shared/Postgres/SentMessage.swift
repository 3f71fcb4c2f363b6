/// What was sent, in the order in which the answers come.
enum SentMessage {
    case control
    case preparation(StatementCache.Key)
    case execution(StatementCache.Key)
}
