public import HTTP

extension Telemetry {
    /// Has the numbers of a server read each time the metrics are.
    public func collect(from server: Server) {
        self.collect { [weak server] telemetry in
            guard let statistics = server?.statistics else { return }
            telemetry.set(.httpConnections, statistics.connections)
            telemetry.set(.httpInFlight, statistics.inFlight)
            telemetry.set(.httpRefused, statistics.refused)
            telemetry.set(.liveStreams, statistics.streams)
        }
    }
}
