-- A deleted thread stays as a tombstone with its text emptied, so that its id answers 404 and is never made again.
create table threads (
    id uuid primary key,
    shard int4 not null,
    version int4 not null,
    author_id uuid not null,
    title text not null,
    description text not null,
    kind text not null,
    image_id uuid,
    created_at timestamptz not null,
    deleted_at timestamptz,
    event_seqs int8[] not null
);
create index threads_latest on threads (created_at desc, id desc) where deleted_at is null;
create index threads_of_shard on threads (shard, id) where deleted_at is null;
