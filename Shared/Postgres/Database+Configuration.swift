extension Database {
    /// How to reach a database, and how long to wait for it.
    public struct Configuration: Sendable {
        /// As libpq takes it: `postgres://user:password@host:5432/name`, or `host=… dbname=…`.
        public var url: String
        /// Shown by `pg_stat_activity`.
        public var applicationName: String
        /// At most this many connections, besides the dedicated ones and one that `ping` uses.
        public var poolSize: Int
        public var connectTimeout: Duration
        /// How long a caller waits for a connection of the pool.
        public var acquireTimeout: Duration
        /// After this the server gives a statement up; a second later this side does. Zero is no limit.
        public var statementTimeout: Duration
        /// Takes the server's notices; nil drops them.
        public var notice: (@Sendable (String) -> Void)?

        public init(
            url: String,
            applicationName: String = "",
            poolSize: Int = 6,
            connectTimeout: Duration = .seconds(3),
            acquireTimeout: Duration = .seconds(2),
            statementTimeout: Duration = .seconds(10),
            notice: (@Sendable (String) -> Void)? = nil
        ) {
            self.url = url
            self.applicationName = applicationName
            self.poolSize = poolSize
            self.connectTimeout = connectTimeout
            self.acquireTimeout = acquireTimeout
            self.statementTimeout = statementTimeout
            self.notice = notice
        }

        /// How long this side waits for an answer: the server's own limit has a second to come first.
        var patience: Duration? {
            self.statementTimeout > .zero ? self.statementTimeout + .seconds(1) : nil
        }
    }
}
