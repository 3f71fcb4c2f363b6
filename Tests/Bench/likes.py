"""Likes, durable, through the gateway; beside pgbench doing the same five statements, prepared, with the best of several clients."""
import os, pathlib, re, subprocess
import report

SCHEMA = """
    create table likes (post_id uuid, user_id uuid, created_at timestamptz not null, primary key (post_id, user_id));
    create index on likes (user_id, created_at desc, post_id);
    create index on likes (post_id, created_at desc, user_id);
    create table posts (id uuid primary key, like_count int8 not null default 0) with (fillfactor = 70);
    insert into posts (id) select md5(n::text)::uuid from generate_series(1, 1000) n;
    create table heads (shard int4 primary key, seq int8 not null default 0) with (fillfactor = 50);
    insert into heads (shard) select generate_series(0, 11);
    create table events (shard int4, seq int8, id uuid not null, time timestamptz not null, data text not null, primary key (shard, seq));
"""
STATEMENTS = """
    \\set post random(1, {posts})
    \\set person random(1, 1000000000)
    begin;
    insert into likes values (md5((:post)::text)::uuid, md5((:person)::text)::uuid, now()) on conflict do nothing;
    update posts set like_count = like_count + 1 where id = md5((:post)::text)::uuid;
    with head as (update heads set seq = seq + 1 where shard = :post % 12 returning shard, seq)
        insert into events select shard, seq, gen_random_uuid(), now(), repeat('x', 160) from head;
    commit;
"""
WRITER = """
    local tokens, posts, n = {}, {}, tonumber(os.getenv("BENCH_START"))
    for line in io.lines(os.getenv("BENCH_TOKENS")) do tokens[#tokens + 1] = line end
    for line in io.lines(os.getenv("BENCH_POSTS")) do posts[#posts + 1] = line end
    request = function()
        local pair = n % (#tokens * #posts)
        local method = math.floor(n / (#tokens * #posts)) % 2 == 0 and "PUT" or "DELETE"
        n = n + 1
        local token = tokens[math.floor(pair / #posts) % #tokens + 1]
        return wrk.format(method, "/v1/posts/" .. posts[pair % #posts + 1] .. "/like", { Authorization = "Bearer " .. token })
    end
"""


class PgBench:
    def __init__(self, board, folder):
        cluster = (board.data / "postgres/cluster/postmaster.pid").read_text().split("\n")
        self.program = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/pgbench"))[-1]
        self.environment = {**os.environ, "PGPASSWORD": (board.data / "secrets/postgres-superuser").read_text()}
        self.place = ["-h", "127.0.0.1", "-p", cluster[3], "-U", "keijiban"]
        self.folder = folder
        board.query("postgres", "create database bench")
        board.query("bench", SCHEMA)

    def rate(self, posts, clients, seconds):
        script = self.folder / "likes.sql"
        script.write_text(STATEMENTS.format(posts=posts))
        answer = subprocess.run(
            [self.program, *self.place, "-n", "-M", "prepared", "-j", "2", "-c", str(clients), "-T", str(seconds), "-f", script, "bench"],
            env=self.environment, capture_output=True, text=True)
        found = re.search(r"tps = ([\d.]+) \(without", answer.stdout)
        if answer.returncode or not found: raise SystemExit(f"pgbench: {answer.stderr or answer.stdout}")
        return float(found[1])


def run(board, content, options, folder):
    (folder / "tokens").write_text("\n".join(content.tokens))
    script = folder / "likes.lua"
    script.write_text(WRITER)
    pgbench, started = PgBench(board, folder), 0

    def rate(posts):
        nonlocal started
        (folder / "posts").write_text("\n".join(posts))
        names = {"BENCH_TOKENS": str(folder / "tokens"), "BENCH_POSTS": str(folder / "posts"), "BENCH_START": str(started)}
        answers, count = report.wrk(board.url, 256, options.seconds, script, names)
        started += count + 256  # goes on where it was, or it would like what is liked already
        return answers

    def theirs(posts):
        return max(pgbench.rate(posts, clients, max(2, options.seconds // 2)) for clients in (1, 4, 16, 32))

    spread, beside = report.best(options.rounds, lambda: rate(content.posts), lambda: theirs(1_000))
    report.line(f"likes over {len(content.posts):,} posts, 256 in flight", spread, "/s", "pgbench", beside, "3")
    one, beside = report.best(options.rounds, lambda: rate(content.posts[:1]), lambda: theirs(1))
    report.line("likes on one post, 256 in flight", one, "/s", "pgbench", beside, "6")
    report.line("  the same, beside those over all", one, "/s", "spread", spread, "0.8")
    shown = board.query("likes", "select sum(like_count) from known_posts")[0][0]
    counted = board.query("likes", "select count(*) from likes")[0][0]
    if shown != counted: raise SystemExit(f"the likes' totals are {shown}, the likes {counted}")
