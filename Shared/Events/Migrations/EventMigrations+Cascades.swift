public import Postgres

extension EventMigrations {
    /// The tables of a service that deletes what hangs on things that are gone, users among them. They stand after those of its
    /// first own migration.
    public static let cascades = Migration(
        name: "cascades-0001",
        sql: """
            create table deleted_users (
                user_id uuid primary key,
                known_at timestamptz not null default now()
            );
            create index deleted_users_age on deleted_users (known_at);
            create table pending_cascades (
                shard int4 not null,
                kind text not null,
                id uuid not null,
                traceparent text,
                -- One that failed waits longer each time.
                failures int4 not null default 0,
                due_at timestamptz not null default now(),
                primary key (shard, kind, id)
            );
            """
    )
}
