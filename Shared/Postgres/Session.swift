/// A connection that is made when it is needed and made anew when it was lost. Belongs to one thread.
final class Session {
    let configuration: Database.Configuration
    /// Tells other threads whether there is a connection.
    let watch: ConnectionWatch
    private(set) var wire: Wire?
    /// The wire lay idle before, so that it may be dead without anyone having noticed.
    private(set) var isReused = false
    /// Why the wire was dropped, where the owner of its locks has not been told yet.
    var unreportedLoss: PostgresError?

    init(_ configuration: Database.Configuration, _ watch: ConnectionWatch) {
        self.configuration = configuration
        self.watch = watch
    }

    /// Makes sure of a wire that is alive as far as can be told without asking the server: one that died while idle
    /// is replaced.
    func ready() throws(PostgresError) {
        if let wire, wire.isAlive() {
            self.isReused = true
        } else {
            try self.replace()
        }
    }

    /// Drops the wire and makes a new one.
    @discardableResult
    func replace() throws(PostgresError) -> Wire {
        self.drop()
        let wire = try Wire.connect(self.configuration)
        self.wire = wire
        self.isReused = false
        self.watch.begin(wire.descriptor)
        return wire
    }

    func drop() {
        self.watch.end()
        self.wire = nil
    }
}
