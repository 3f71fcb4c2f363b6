import Postgres

let migrations = [
    Migration(name: "gateway-0001", sql: String(decoding: PackageResources.gateway_0001_sql, as: UTF8.self))
]
