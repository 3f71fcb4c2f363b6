insert into pending_cascades (shard, kind, id)
select known_threads.shard, 'thread', thread_id from cascades join known_threads on known_threads.id = thread_id;
drop table cascades;
-- What is said of a post is found in the log by its id.
alter table posts drop column event_seqs;
