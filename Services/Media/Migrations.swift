import Postgres

let migrations = [
    Migration(name: "media-0001", sql: String(decoding: PackageResources.media_0001_sql, as: UTF8.self)),
    Migration(name: "media-0002-lists", sql: String(decoding: PackageResources.media_0002_lists_sql, as: UTF8.self)),
]
