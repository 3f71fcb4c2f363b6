import Postgres

let migrations = [
    Migration(name: "threads-0001", sql: String(decoding: PackageResources.threads_0001_sql, as: UTF8.self))
]
