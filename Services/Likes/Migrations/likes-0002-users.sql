insert into pending_cascades (shard, kind, id)
select known_posts.shard, 'post', post_id from cascades join known_posts on known_posts.id = post_id;
drop table cascades;
