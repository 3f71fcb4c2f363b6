-- What likes knows of posts: that they are there, and their total. A deleted one stays.
create table known_posts (
    id uuid primary key,
    -- The shard of the posts' log that it came from, which is that of its thread.
    source_shard int4 not null,
    shard int4 not null,
    is_deleted boolean not null default false,
    -- The last snapshot of its shard lacked it, which nobody has to be told: it may come back.
    is_absent boolean not null default false,
    like_count int8 not null default 0 check (like_count >= 0)
) with (fillfactor = 70);
create index known_posts_of_shard on known_posts (shard, id);
create index known_posts_of_source on known_posts (source_shard);

create table likes (
    post_id uuid not null,
    user_id uuid not null,
    created_at timestamptz not null,
    primary key (post_id, user_id)
);
create index likes_by_user on likes (user_id, created_at desc, post_id);

-- Deleted posts whose likes are still to be deleted, a part at a time.
create table cascades (
    post_id uuid primary key
);
