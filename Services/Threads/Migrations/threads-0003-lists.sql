-- A person's own threads, newest first.
create index threads_by_author_latest on threads (author_id, id desc) where deleted_at is null;
