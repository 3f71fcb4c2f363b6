-- The version that a thread's title is from: of two the higher one stands. What was counted before has none, so any edit stands.
alter table thread_counts add column title_version int4 not null default 0;

-- The code that lets another device become the user, one a user. Only a keyed hash of it is kept.
create table transfer_codes (
    user_id uuid primary key,
    code_hash bytea not null unique,
    expires_at timestamptz not null
);
create index devices_of_user on devices (user_id);

-- Who is gone is in the snapshot too.
drop index users_of_shard;
create index users_of_shard on users (shard, id);

-- What is said of a user is found in the log by its id.
alter table users drop column event_seqs;
