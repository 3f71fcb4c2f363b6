import Events
import Postgres

let migrations = [
    Migration(name: "gateway-0001", sql: String(decoding: PackageResources.gateway_0001_sql, as: UTF8.self)),
    EventMigrations.redactions,
    Migration(
        name: "gateway-0002-accounts",
        sql: String(decoding: PackageResources.gateway_0002_accounts_sql, as: UTF8.self)
    ),
]
