import Events
import Postgres

let migrations = [
    Migration(name: "media-0001", sql: String(decoding: PackageResources.media_0001_sql, as: UTF8.self)),
    EventMigrations.cascades,
    Migration(name: "media-0002-users", sql: String(decoding: PackageResources.media_0002_users_sql, as: UTF8.self)),
    Migration(name: "media-0003-lists", sql: String(decoding: PackageResources.media_0003_lists_sql, as: UTF8.self)),
]
