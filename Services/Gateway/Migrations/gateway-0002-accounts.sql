-- The version that a thread's title is from: of two the higher one stands. What was counted before has none, so any edit stands.
alter table thread_counts add column title_version int4 not null default 0;
