-- Those of a user, who may delete the account.
create index threads_of_author on threads (author_id, shard, id) where deleted_at is null;
-- What is said of a thread is found in the log by its id.
alter table threads drop column event_seqs;
