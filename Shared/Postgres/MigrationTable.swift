/// The table in which a database keeps which migrations it has.
enum MigrationTable {
    static func create(_ connection: Connection) throws(PostgresError) {
        try connection.execute(
            """
            create table if not exists schema_migrations (
                name text primary key,
                checksum bytea not null,
                applied_at timestamptz not null default now()
            )
            """
        )
    }

    /// How many of `migrations`, from the first, are applied. Throws unless the database fits them.
    static func check(_ migrations: [Migration], _ connection: Connection) throws -> Int {
        let rows = try connection.query("select name, checksum from schema_migrations")
        let applied = try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (try row.get(0, as: String.self), try row.get(1, as: [UInt8].self))
            }
        )
        let unknown = Set(applied.keys).subtracting(migrations.map(\.name))
        guard unknown.isEmpty else { throw MigrationError.unknown(names: unknown.sorted()) }
        let checksums = try connection.pipeline(
            migrations.map { Statement("select sha256($1)", Array($0.sql.utf8)) }
        )
        for (migration, checksum) in zip(migrations, checksums) {
            guard let noted = applied[migration.name] else { continue }
            guard try checksum[0].get(0) == noted else { throw MigrationError.changed(name: migration.name) }
        }
        if let missing = migrations.prefix(applied.count).first(where: { applied[$0.name] == nil }),
            let before = migrations.last(where: { applied[$0.name] != nil })
        {
            throw MigrationError.outOfOrder(name: missing.name, before: before.name)
        }
        return applied.count
    }

    static func note(_ migration: Migration, _ connection: Connection) throws(PostgresError) {
        try connection.execute(
            "insert into schema_migrations (name, checksum) values ($1, sha256($2))",
            migration.name,
            Array(migration.sql.utf8)
        )
    }
}
