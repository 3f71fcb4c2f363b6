-- A person's own pictures, newest first.
create index media_by_owner_latest on media (owner_id, id desc);
