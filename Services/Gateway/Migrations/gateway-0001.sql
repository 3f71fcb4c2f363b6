create table users (
    id uuid primary key,
    shard int4 not null,
    version int4 not null,
    display_name text not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    event_seqs int8[] not null
);
create index users_of_shard on users (shard, id) where deleted_at is null;

-- Only a keyed hash of what a device calls itself is kept.
create table devices (
    device_hash bytea primary key,
    user_id uuid not null
);

create table signing_keys (
    kid text primary key,
    private_key bytea not null,
    created_at timestamptz not null default now()
);

-- The counts, as the rules of Counting make them of the events. States: 0 unknown, 1 standing, 2 gone.
create table thread_counts (
    id uuid primary key,
    state int2 not null,
    shard int4 not null,
    author_id uuid,
    title text not null,
    created_at timestamptz,
    last_posted_at timestamptz,
    post_count int8 not null check (post_count >= 0),
    like_count int8 not null check (like_count >= 0)
) with (fillfactor = 70);
create index thread_counts_of_shard on thread_counts (shard);

create table post_counts (
    id uuid primary key,
    state int2 not null,
    -- Of its thread, in the posts' log; null while only likes of it are known.
    post_shard int4,
    like_shard int4 not null,
    thread_id uuid,
    author_id uuid,
    created_at timestamptz,
    like_count int8 not null check (like_count >= 0)
) with (fillfactor = 70);
create index post_counts_of_post_shard on post_counts (post_shard);
create index post_counts_of_like_shard on post_counts (like_shard);

create table user_counts (
    id uuid primary key,
    post_count int8 not null check (post_count >= 0),
    like_count int8 not null check (like_count >= 0)
) with (fillfactor = 70);
