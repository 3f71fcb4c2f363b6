import KeijibanAPI
import ServiceHost
import ServiceKit

@testable import Likes

extension Part {
    static let likes = Part(name: "likes", topic: Topic.likes) { settings, telemetry in
        let host = HostSettings(&settings)
        try settings.finish()
        let service = ServiceHost("likes", host, telemetry: telemetry, migrations: migrations)
        return (service, try Likes.components(service))
    }
}
