import KeijibanAPI
import ServiceHost
import ServiceKit

@testable import Threads

extension Part {
    static let threads = Part(name: "threads", topic: Topic.threads) { settings, telemetry in
        let host = HostSettings(&settings)
        try settings.finish()
        let service = ServiceHost("threads", host, telemetry: telemetry, migrations: migrations)
        return (service, try Threads.components(service))
    }
}
