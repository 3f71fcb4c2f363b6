import KeijibanAPI
import ServiceHost
import ServiceKit

@testable import Gateway

extension Part {
    static let gateway = Part(name: "gateway", topic: Topic.users) { settings, telemetry in
        let host = HostSettings(&settings)
        let own = GatewaySettings(&settings)
        try settings.finish()
        let service = ServiceHost("gateway", host, telemetry: telemetry, migrations: migrations)
        return (service, try Gateway.components(service, own))
    }
}
