"""Compares the board with the ledger: through its API, in PostgreSQL, in the logs and in Kafka. Every function gives faults."""
import collections, concurrent.futures, itertools

from board import SERVICES
from people import Client

TOPICS = {"threads": "threads", "posts": "posts", "likes": "likes", "media": "media", "gateway": "users"}
READERS = {"posts": ["threads"], "likes": ["posts"], "media": ["threads", "posts"], "gateway": ["threads", "posts", "likes"]}


def differences(what, found, wanted, ledger):
    """One fault for each key whose values differ; both values and what is known of it."""
    faults = []
    for key in sorted(found.keys() | wanted.keys(), key=str):
        if found.get(key) != wanted.get(key):
            items = key if isinstance(key, tuple) else (key,)
            faults.append("\n    ".join([f"{what} of {key} is {found.get(key)}, not {wanted.get(key)}"] + ledger.known(*items)))
    return faults


class Expected:
    def __init__(self, ledger):
        self.threads, self.posts = ledger.standing_threads(), ledger.standing_posts()
        self.likes = {post: ledger.likes.get(post, set()) for post in self.posts}
        self.post_count, self.thread_likes = collections.Counter(), collections.Counter()
        self.written, self.received = collections.Counter(), collections.Counter()
        for id, post in self.posts.items():
            self.post_count[post["thread"]] += 1
            self.thread_likes[post["thread"]] += len(self.likes[id])
            self.written[post["author"]] += 1
            self.received[post["author"]] += len(self.likes[id])
        self.thread_counts = {id: (self.post_count[id], self.thread_likes[id]) for id in self.threads}
        self.user_counts = {id: (self.written[id], self.received[id]) for id in ledger.users}
        self.images = {item["image"]: id for id, item in itertools.chain(self.threads.items(), self.posts.items()) if item["image"]}


class Walk:
    """All that the API shows, to each of the people."""

    def __init__(self, ledger, statistics, people, url):
        self.ledger, self.people = ledger, people
        self.expected = Expected(ledger)
        self.stranger = Client(url, statistics, ledger)
        self.clients = [person.client for person in people]
        for client in self.clients: client.position = None
        self.url, self.statistics = url, statistics

    def faults(self):
        jobs = [lambda: self.threads("latest", True), lambda: self.threads("active"), lambda: self.threads("popular"), self.users]
        jobs += [lambda number=number: self.seen_by(number) for number in range(len(self.people))]
        with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
            return [fault for faults in pool.map(lambda job: job(), jobs) for fault in faults]

    def get(self, client, path, status=200):
        answer = client.ask("GET", path)
        if answer.status != status: return None, [f"GET {path} is {answer.status}, not {status}: {answer.body[:200]!r}"]
        unsure = [f"GET {path} says {name}: {answer.headers[name]}" for name in ("Keijiban-Stale", "Keijiban-Partial") if answer.headers[name]]
        return (answer.json if answer.body and "json" in answer.headers["Content-Type"] else answer.body), unsure

    def items(self, client, path):
        """Follows the cursors to the end."""
        items, faults, cursor = [], [], ""
        while True:
            page, wrong = self.get(client, f"{path}limit=100{cursor}")
            faults += wrong
            if not page: return items, faults
            items += page["items"]
            if not page["nextCursor"]: break
            cursor = f"&cursor={page['nextCursor']}"
        doubled = [id for id, count in collections.Counter(item["id"] for item in items).items() if count > 1]
        return items, faults + ["\n    ".join([f"{id} is listed twice in {path}"] + self.ledger.known(id)) for id in doubled]

    def threads(self, order, each=False):
        client = Client(self.url, self.statistics, self.ledger)
        items, faults = self.items(client, f"/v1/threads?order={order}&")
        shown = {item["id"]: (item["postCount"], item["likeCount"]) for item in items}
        faults += differences(f"what the list ({order}) shows", shown, self.expected.thread_counts, self.ledger)
        if not each: return faults
        for id, thread in self.ledger.threads.items():
            item, wrong = self.get(client, f"/v1/threads/{id}", 404 if thread["gone"] else 200)
            faults += wrong
            if item and not thread["gone"]:
                faults += differences("what the thread shows", {id: (item["postCount"], item["likeCount"])},
                                      {id: self.expected.thread_counts[id]}, self.ledger)
            if thread["image"]: faults += self.image(client, thread["image"], id, thread["gone"])
        return faults

    def users(self):
        shown, faults = {}, []
        for id in self.ledger.users:
            user, wrong = self.get(self.stranger, f"/v1/users/{id}")
            faults += wrong
            if user: shown[id] = (user["postCount"], user["likeCount"])
        return faults + differences("what the user shows", shown, self.expected.user_counts, self.ledger)

    def seen_by(self, number):
        """Every thread's posts as one of the people sees them, and each of an eighth of the posts by itself."""
        person, client, faults = self.people[number], self.clients[number], []
        if not person.id: return [f"person {number} never signed up"]
        shown, wanted = {}, {}
        for thread in self.expected.threads:
            items, wrong = self.items(client, f"/v1/threads/{thread}/posts?order={('latest', 'oldest')[number % 2]}&")
            faults += wrong
            for item in items: shown[item["id"]] = (item["threadId"], item["author"]["id"], item["likeCount"], item["likedByMe"])
        for id, post in self.expected.posts.items():
            wanted[id] = (post["thread"], post["author"], len(self.expected.likes[id]), person.id in self.expected.likes[id])
        faults += differences(f"what the list shows to {number}", shown, wanted, self.ledger)
        for id, post in list(self.ledger.posts.items())[number::len(self.people)]:
            item, wrong = self.get(client, f"/v1/posts/{id}", 200 if id in self.expected.posts else 404)
            if wrong: faults += ["\n    ".join(wrong + self.ledger.known(id, post["thread"]))]
            if item and id in wanted:
                faults += differences(f"what the post shows to {number}", {id: (item["likeCount"], item["likedByMe"])},
                                      {id: wanted[id][2:]}, self.ledger)
            if post["image"]: faults += self.image(client, post["image"], id, id not in self.expected.posts)
        return faults

    def image(self, client, image, item, is_gone):
        _, faults = self.get(client, f"/v1/media/{image}", 404 if is_gone else 200)
        return ["\n    ".join(faults + self.ledger.known(image, item))] if faults else []


def stored(board, ledger):
    """What PostgreSQL has, by each service's own tables."""
    expected, faults = Expected(ledger), []

    def compare(what, database, sql, wanted, convert=int):
        found = {row[0]: tuple(map(convert, row[1:])) if len(row) > 2 else convert(row[1]) for row in board.query(database, sql)}
        faults.extend(differences(f"{database}: {what}", found, wanted, ledger))

    compare("the owner", "threads", "select id, author_id from threads where deleted_at is null",
            {id: thread["owner"] for id, thread in expected.threads.items()}, str)
    compare("thread and author", "posts", "select id, thread_id, author_id from posts",
            {id: (post["thread"], post["author"]) for id, post in expected.posts.items()}, str)
    compare("post_count", "posts", "select id, post_count from known_threads where not is_deleted and post_count > 0",
            {id: count for id, count in expected.post_count.items() if id in expected.threads})
    rows = board.query("likes", "select post_id, user_id from likes")
    found = collections.defaultdict(set)
    for post, user in rows: found[post].add(user)
    faults.extend(differences("likes: who likes", dict(found), {id: users for id, users in expected.likes.items() if users}, ledger))
    compare("like_count", "likes", "select id, like_count from known_posts where not is_deleted and like_count > 0",
            {id: len(users) for id, users in expected.likes.items() if users})
    compare("the counts", "gateway", "select id, post_count, like_count from thread_counts where state = 1", expected.thread_counts)
    compare("the likes", "gateway", "select id, like_count from post_counts where state = 1",
            {id: len(users) for id, users in expected.likes.items()})
    compare("the counts", "gateway", "select u.id, coalesce(c.post_count, 0), coalesce(c.like_count, 0) from users u "
            "left join user_counts c using (id) where deleted_at is null", expected.user_counts)
    compare("the use", "media", "select media_id, used_by from media_uses", expected.images, str)
    for database in ("threads", "posts", "likes", "media"):
        rest = board.query(database, "select kind, id, shard from pending_cascades")
        if rest: faults.append(f"{database}: {len(rest)} deletions are not finished: {rest[:5]}")
    return faults


def heads(board):
    """{topic: {shard: highest sequence}}, and faults."""
    tops, faults = {}, []
    for database, name in TOPICS.items():
        topic, tops[topic] = f"keijiban.{name}", {}
        for own, shard, least, most, count in board.query(
                database, "select topic, shard, min(seq), max(seq), count(*) from events group by 1, 2"):
            if own != topic: faults.append(f"{database} has events of {own}")
            if (int(least), int(count)) != (1, int(most)): faults.append(f"{topic}/{shard}: {count} events from {least} to {most}")
            tops[topic][int(shard)] = int(most)
        for found in board.query(database, "select topic, shard, place, reason, attempts from dead_letters"):
            faults.append(f"{database}: a dead letter: {found}")
    return tops, faults


def logs(board):
    tops, faults = heads(board)
    for database, name in TOPICS.items():
        topic = f"keijiban.{name}"
        sent = {int(shard): int(seq) for shard, seq in board.query(database, "select shard, relayed_seq from relay_positions") if int(seq)}
        if sent != tops[topic]: faults.append(f"{topic}: relayed {sent}, logged {tops[topic]}")
    for database, names in READERS.items():
        reached = collections.defaultdict(dict)
        for topic, shard, seq in board.query(database, "select topic, shard, seq from positions"):
            if int(seq): reached[topic][int(shard)] = int(seq)
        for name in names:
            topic = f"keijiban.{name}"
            if reached[topic] != tops[topic]: faults.append(f"{database} has applied {dict(reached[topic])} of {topic}, logged is {tops[topic]}")
    return faults


def travelled(board, is_wiped):
    """What Kafka holds: each partition's sequences without a gap, from 1 on, up to what was logged; repeats may be."""
    tops, faults = heads(board)
    repeats = 0
    for topic, logged in tops.items():
        reached, epochs = {}, set()
        for partition, sequence, epoch in board.records(topic):
            epochs.add(epoch)
            last = reached.get(partition, sequence - 1 if is_wiped else 0)
            if sequence > last + 1: faults.append(f"{topic}/{partition}: {sequence} follows {last}")
            repeats += sequence <= last
            reached[partition] = max(last, sequence)
        if len(epochs) > 1: faults.append(f"{topic}: epochs {epochs}")
        if not is_wiped and reached != logged: faults.append(f"{topic}: Kafka has {reached}, logged is {logged}")
    return faults, repeats


def explained(ledger):
    """Every 404 was of something that is gone."""
    for item, what in ledger.absences:
        gone = ledger.threads[item]["gone"] if item in ledger.threads else not ledger.stands(item)
        if not gone: yield "\n    ".join([f"{what} was answered 404, but {item} stands"] + ledger.known(item))


def unanswered(statistics, kills):
    """Requests that were under way at the gateway's SIGTERM and got no answer: a stop finishes what it has accepted."""
    for sent, lost, what in statistics.lost:
        around = [(moment, number) for moment, name, number in kills if name == "gateway" and sent - 11 < moment < lost + 0.05]
        if around and all(number.name == "SIGTERM" for _, number in around) and any(sent + 0.05 < moment for moment, _ in around):
            yield f"{what}: under way {around[-1][0] - sent:.3f} s before the gateway's SIGTERM, lost {lost - around[-1][0]:.3f} s after"
        if not around: yield f"{what}: lost after {lost - sent:.3f} s, and nobody had touched the gateway"
