-- What posts knows of threads: enough to judge a post, and the total that travels with every event. A deleted one stays.
create table known_threads (
    id uuid primary key,
    shard int4 not null,
    kind text not null,
    is_deleted boolean not null default false,
    -- The last snapshot of its shard lacked it, which nobody has to be told: it may come back.
    is_absent boolean not null default false,
    post_count int8 not null default 0 check (post_count >= 0)
);
create index known_threads_of_shard on known_threads (shard);

create table posts (
    thread_id uuid not null,
    id uuid not null,
    version int4 not null,
    author_id uuid not null,
    title text,
    -- SHA-256 of the title's comparison key, so that a title of any length fits the index.
    title_key bytea,
    body text not null,
    date timestamptz not null,
    image_id uuid,
    created_at timestamptz not null,
    edited_at timestamptz,
    event_seqs int8[] not null,
    primary key (thread_id, id)
);
create unique index posts_by_id on posts (id);
create unique index posts_title on posts (thread_id, author_id, title_key) where title_key is not null;
create index posts_by_author on posts (author_id, id desc);

-- Threads whose posts are still to be deleted, a part at a time.
create table cascades (
    thread_id uuid primary key
);
