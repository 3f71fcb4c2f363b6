import KeijibanAPI
import ServiceHost
import ServiceKit

@testable import Media

extension Part {
    static let media = Part(name: "media", topic: Topic.media) { settings, telemetry in
        let host = HostSettings(&settings)
        let media = MediaSettings(&settings)
        try settings.finish()
        let service = ServiceHost("media", host, telemetry: telemetry, migrations: migrations)
        return (service, try Media.components(service, media))
    }
}
