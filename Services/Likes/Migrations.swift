import Events
import Postgres

let migrations = [
    Migration(name: "likes-0001", sql: String(decoding: PackageResources.likes_0001_sql, as: UTF8.self)),
    EventMigrations.cascades,
    Migration(name: "likes-0002-users", sql: String(decoding: PackageResources.likes_0002_users_sql, as: UTF8.self)),
    Migration(name: "likes-0003-lists", sql: String(decoding: PackageResources.likes_0003_lists_sql, as: UTF8.self)),
]
