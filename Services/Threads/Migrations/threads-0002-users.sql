-- Those of a user, who may delete the account.
create index threads_of_author on threads (author_id, shard, id) where deleted_at is null;
