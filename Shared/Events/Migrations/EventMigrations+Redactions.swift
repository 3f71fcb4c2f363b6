public import Postgres

extension EventMigrations {
    /// The tables of a service whose events have free text, so that it can be taken out. They stand after those of its first own
    /// migration.
    public static let redactions = Migration(
        name: "redactions-0001",
        sql: """
            create index events_of_subject on events (subject, seq);
            create table pending_redactions (
                shard int4 not null,
                subject text not null,
                patch text not null,
                -- The last event that was emptied, and the deletion, which has no text.
                after_seq int8 not null,
                before_seq int8 not null,
                primary key (shard, subject)
            );
            """
    )
}
