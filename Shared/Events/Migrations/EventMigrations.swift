public import Postgres

/// The tables that every service's database has: its log, how far it went out, how far it follows others, what it could not
/// apply, and which requests it has carried out.
public enum EventMigrations {
    public static let all = [
        Migration(
            name: "events-0001",
            sql: """
                create table event_logs (
                    topic text primary key,
                    epoch uuid not null,
                    shards int4 not null,
                    system_identifier int8 not null,
                    timeline int8 not null,
                    events_oid int8 not null
                );
                create table events (
                    topic text not null,
                    shard int4 not null,
                    seq int8 not null,
                    id uuid not null,
                    type text not null,
                    subject text not null,
                    key text not null,
                    time timestamptz not null,
                    traceparent text,
                    data text not null,
                    primary key (topic, shard, seq)
                );
                create table relay_positions (
                    topic text not null,
                    shard int4 not null,
                    relayed_seq int8 not null,
                    primary key (topic, shard)
                ) with (fillfactor = 50);
                create table positions (
                    topic text not null,
                    shard int4 not null,
                    epoch uuid not null,
                    seq int8 not null,
                    primary key (topic, shard)
                ) with (fillfactor = 50);
                create table dead_letters (
                    id int8 generated always as identity primary key,
                    topic text not null,
                    shard int4 not null,
                    place text not null,
                    record_key bytea,
                    record_value bytea,
                    header_names text[] not null,
                    header_values bytea[] not null,
                    record_offset int8,
                    reason text not null,
                    attempts int4 not null,
                    first_at timestamptz not null,
                    last_at timestamptz not null,
                    claimed_until timestamptz,
                    sent_at timestamptz,
                    unique (topic, shard, place)
                );
                create index dead_letters_unsent on dead_letters (id) where sent_at is null;
                create table idempotency_keys (
                    shard int4 not null,
                    user_id uuid not null,
                    path text not null,
                    key text not null,
                    body_hash bytea not null,
                    resource_id uuid not null,
                    created_at timestamptz not null,
                    primary key (shard, user_id, path, key)
                );
                create index idempotency_keys_age on idempotency_keys (created_at);
                """
        )
    ]
}
