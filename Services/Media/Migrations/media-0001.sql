-- Every picture that stands. One that is removed leaves nothing here.
create table media (
    id uuid primary key,
    shard int4 not null,
    owner_id uuid not null,
    content_type text not null,
    byte_count int4 not null,
    width int4 not null,
    height int4 not null,
    created_at timestamptz not null,
    -- Null while a thread or post shows it.
    unused_since timestamptz,
    -- Whether it may stay unused for a while, as one does that was never used.
    has_grace boolean not null
);
create index media_of_shard on media (shard, id);
create index media_unused on media (unused_since) where unused_since is not null;

create table media_bytes (
    media_id uuid not null,
    size text not null,
    content_type text not null,
    etag text not null,
    bytes bytea not null,
    primary key (media_id, size)
);
-- Images do not shrink further, and a range of bytes that are not compressed is read alone.
alter table media_bytes alter column bytes set storage external;

-- Which thread or post shows which picture, and whose log says so.
create table media_uses (
    media_id uuid not null,
    used_by uuid not null,
    version int4 not null,
    topic text not null,
    shard int4 not null,
    primary key (media_id, used_by)
);
create index media_uses_by on media_uses (used_by);
create index media_uses_from on media_uses (topic, shard);

-- Holds on pictures for threads and posts that are about to be written.
create table media_claims (
    media_id uuid not null,
    id uuid not null,
    expires_at timestamptz not null,
    primary key (media_id, id)
);
create index media_claims_by_id on media_claims (id);
create index media_claims_by_end on media_claims (expires_at);
