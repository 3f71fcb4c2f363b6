-- Those of a user, who may delete the account.
create index media_of_owner on media (owner_id, shard, id);
