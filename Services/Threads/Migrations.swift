import Postgres

let migrations = [
    Migration(name: "threads-0001", sql: String(decoding: PackageResources.threads_0001_sql, as: UTF8.self)),
    Migration(
        name: "threads-0002-lists",
        sql: String(decoding: PackageResources.threads_0002_lists_sql, as: UTF8.self)
    ),
]
