import Postgres

let migrations = [
    Migration(name: "likes-0001", sql: String(decoding: PackageResources.likes_0001_sql, as: UTF8.self)),
    Migration(name: "likes-0002-lists", sql: String(decoding: PackageResources.likes_0002_lists_sql, as: UTF8.self)),
]
