import Events
import Postgres

let migrations = [
    Migration(name: "threads-0001", sql: String(decoding: PackageResources.threads_0001_sql, as: UTF8.self)),
    EventMigrations.cascades,
    EventMigrations.redactions,
    Migration(
        name: "threads-0002-users",
        sql: String(decoding: PackageResources.threads_0002_users_sql, as: UTF8.self)
    ),
    Migration(
        name: "threads-0003-lists",
        sql: String(decoding: PackageResources.threads_0003_lists_sql, as: UTF8.self)
    ),
]
