import Peers
import ServiceHost
import ServiceKit

/// Looks every second which services answer, for `/readyz`: the gateway is ready once each has.
struct PeerWatch: Sendable {
    let context: GatewayContext

    func run() async {
        while !Task.isCancelled {
            await withTaskGroup(of: Void.self) { group in
                for peer in self.context.peers { group.addTask { await self.look(at: peer) } }
            }
            try? await ContinuousClock().sleep(for: .seconds(1))
        }
    }

    private func look(at peer: Peer) async {
        do {
            _ = try await peer.get("/readyz")
            self.context.host.health.set(peer.name, .up)
        } catch {
            if Task.isCancelled { return }
            self.context.host.health.set(peer.name, .down("\(error)"))
        }
    }
}
