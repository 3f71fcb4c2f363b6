import Events
import Postgres

let migrations = [
    Migration(name: "posts-0001", sql: String(decoding: PackageResources.posts_0001_sql, as: UTF8.self)),
    EventMigrations.cascades,
    EventMigrations.redactions,
    Migration(name: "posts-0002-users", sql: String(decoding: PackageResources.posts_0002_users_sql, as: UTF8.self)),
    Migration(name: "posts-0003-search", sql: String(decoding: PackageResources.posts_0003_search_sql, as: UTF8.self)),
]
