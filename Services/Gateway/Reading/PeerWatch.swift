import Peers
import ServiceHost
import ServiceKit

/// Looks every second which services answer, for `/readyz`: the gateway is ready once each has.
struct PeerWatch: Sendable {
    let context: GatewayContext

    func run() async {
        // One that has never answered is starting, not lost.
        var answered: Set<String> = []
        while !Task.isCancelled {
            let reasons = await self.look()
            if Task.isCancelled { return }
            for (name, reason) in reasons {
                if let reason {
                    if answered.contains(name) { self.context.host.health.set(name, .down(reason)) }
                } else {
                    answered.insert(name)
                    self.context.host.health.set(name, .up)
                }
            }
            try? await ContinuousClock().sleep(for: .seconds(1))
        }
    }

    /// Asks all services at once; those that are well have no reason to be away.
    private func look() async -> [String: String?] {
        await withTaskGroup(of: (String, String?).self) { group in
            for peer in self.context.peers {
                group.addTask {
                    do throws(PeerError) {
                        _ = try await peer.get("/readyz")
                        return (peer.name, nil)
                    } catch {
                        return (peer.name, "\(error)")
                    }
                }
            }
            var reasons: [String: String?] = [:]
            for await (name, reason) in group { reasons.updateValue(reason, forKey: name) }
            return reasons
        }
    }
}
