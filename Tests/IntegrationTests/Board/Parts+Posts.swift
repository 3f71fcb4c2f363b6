import KeijibanAPI
import ServiceHost
import ServiceKit

@testable import Posts

extension Part {
    static let posts = Part(name: "posts", topic: Topic.posts) { settings, telemetry in
        let host = HostSettings(&settings)
        try settings.finish()
        let service = ServiceHost("posts", host, telemetry: telemetry, migrations: migrations)
        return (service, try Posts.components(service, titleRule: TextRule(.line, 15...40)))
    }
}
