-- Who likes a post, latest first.
create index likes_of_post on likes (post_id, created_at desc, user_id);
