import Postgres

let migrations = [
    Migration(name: "posts-0001", sql: String(decoding: PackageResources.posts_0001_sql, as: UTF8.self)),
    Migration(name: "posts-search-0001", sql: String(decoding: PackageResources.posts_search_0001_sql, as: UTF8.self)),
]
