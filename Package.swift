// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]

/// A C library of the system, with its module map and the few C lines that Swift cannot spell.
func system(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: strict)
}

/// A service. Its migrations lie beside its code and are compiled in, so that a binary is one file.
func service(_ name: String, resources: [Resource] = [], _ extra: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["ServiceHost", "Events", "KeijibanAPI", "Peers", "ServiceKit", "HTTP", "Postgres", "Crypto"]
            + extra,
        path: "Services/\(name)",
        exclude: ["README.md"],
        resources: [.embedInCode("Migrations")] + resources,
        swiftSettings: strict
    )
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        path: "Tests/\(name)",
        swiftSettings: strict
    )
}

let package = Package(
    name: "keijiban",
    products: [
        .executable(name: "threads", targets: ["Threads"]),
        .executable(name: "posts", targets: ["Posts"]),
        .executable(name: "media", targets: ["Media"]),
        .executable(name: "likes", targets: ["Likes"]),
        .executable(name: "gateway", targets: ["Gateway"]),
        .executable(name: "keijiban", targets: ["Keijiban"]),
    ],
    targets: [
        system("CRDKafka", pkgConfig: "rdkafka", apt: "librdkafka-dev"),
        system("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        system("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        system("CVips", pkgConfig: "vips", apt: "libvips-dev"),
        system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        .systemLibrary(name: "CSpawn", path: "Shared/CSpawn"),

        module("BlockingIO"),
        module("Postgres", "BlockingIO", "CPostgres"),
        module("Kafka", "BlockingIO", "CRDKafka"),
        module("HTTP", "BlockingIO", "CMicroHTTPD", "CCurl"),
        module("Imaging", "BlockingIO", "CVips"),
        module("Crypto", "CCrypto"),
        module("Zip", "CZlib"),
        module("KeijibanAPI"),
        module("ServiceKit", "BlockingIO", "HTTP"),
        module("Peers", "KeijibanAPI", "ServiceKit", "HTTP", "Crypto"),
        module("Events", "KeijibanAPI", "Peers", "ServiceKit", "HTTP", "Kafka", "Postgres", "Crypto"),
        module("ServiceHost", "Events", "KeijibanAPI", "Peers", "ServiceKit", "HTTP", "Postgres"),

        service("Threads"),
        service("Posts"),
        service("Media", "Imaging"),
        service("Likes"),
        service("Gateway", resources: [.embedInCode("Documents"), .embedInCode("Page/Assets")], "Zip"),
        .executableTarget(
            name: "Keijiban",
            dependencies: ["Events", "Kafka", "Postgres", "ServiceKit", "HTTP", "BlockingIO", "CSpawn"],
            path: "Services/Keijiban",
            exclude: ["README.md"],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Kafka", "Postgres", "HTTP", "ServiceKit", "Events", "KeijibanAPI", "Zip", "CZlib"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("PostgresTests", "Postgres"),
        tests("KafkaTests", "Kafka"),
        tests("HTTPTests", "HTTP"),
        tests("ImagingTests", "Imaging", "CVips", "CZlib"),
        tests("CryptoTests", "Crypto"),
        tests("ZipTests", "Zip"),
        tests("ServiceKitTests", "ServiceKit", "HTTP"),
        tests("KeijibanAPITests", "KeijibanAPI"),
        tests("EventsTests", "Events", "Crypto", "Kafka", "Postgres", "HTTP", "Peers", "ServiceKit", "KeijibanAPI"),
        tests("PeersTests", "Peers", "HTTP", "Crypto", "KeijibanAPI"),
        tests("KeijibanTests", "Keijiban", "HTTP"),
        tests("GatewayTests", "Gateway", "Events", "KeijibanAPI", "Postgres", "ServiceHost", "HTTP", "Zip"),
        tests("PostsTests", "Posts", "ServiceHost", "Events", "KeijibanAPI", "ServiceKit", "Postgres"),
        tests(
            "MediaTests",
            "Media",
            "Imaging",
            "ServiceHost",
            "Events",
            "KeijibanAPI",
            "Peers",
            "ServiceKit",
            "HTTP",
            "Postgres",
            "Crypto"
        ),
        tests(
            "IntegrationTests",
            "Threads",
            "Posts",
            "Media",
            "Likes",
            "Gateway",
            "ServiceHost",
            "Events",
            "KeijibanAPI",
            "Peers",
            "ServiceKit",
            "Kafka",
            "HTTP",
            "Postgres",
            "Crypto",
            "Imaging",
            "Zip"
        ),
    ]
)
