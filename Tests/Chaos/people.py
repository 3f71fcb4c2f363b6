"""Eight people who write, and the ledger of what each of them knows."""
import collections, http.client, json, random, struct, threading, time, urllib.parse, uuid, zlib


class Ledger:
    """What has been answered: whatever stands here is to be on the board exactly once, whatever is gone here not at all."""

    def __init__(self):
        self.lock = threading.RLock()
        self.users, self.threads, self.posts = {}, {}, {}
        self.likeable = {}  # the posts that stand
        self.likes = collections.defaultdict(set)  # post: users
        self.absences = []  # (thread or post, what was refused): each must be explained by a deletion in the end
        self.faults = []
        self.history = collections.defaultdict(list)
        self.began = time.monotonic()

    def note(self, item, what):
        with self.lock: self.history[item].append(f"{time.monotonic() - self.began:7.2f} {what}")

    def fault(self, what, *items):
        with self.lock:
            self.faults.append("\n    ".join([f"{time.monotonic() - self.began:.2f} {what}"] + self.known(*items)))

    def known(self, *items):
        with self.lock: return [f"{item}: {line}" for item in items for line in self.history[item][-12:]]

    def stands(self, post):
        known = self.posts[post]
        return not known["gone"] and not self.threads[known["thread"]]["gone"]

    def standing_threads(self):
        return {id: thread for id, thread in self.threads.items() if not thread["gone"]}

    def standing_posts(self):
        return {id: post for id, post in self.posts.items() if self.stands(id)}

    def remove(self, table, item):
        table[item]["gone"] = True
        if table is self.threads:
            for post in [id for id, post in self.likeable.items() if post["thread"] == item]: del self.likeable[post]
        else:
            self.likeable.pop(item, None)


class Statistics:
    def __init__(self):
        self.lock = threading.Lock()
        self.answers = collections.Counter()  # status: how many
        self.unanswered = collections.Counter()  # reason: how many
        self.longest = (0, "")  # seconds until answered, for what
        self.lost = []  # (sent, lost, what): requests under way that got no answer
        self.checked = self.said_stale = 0
        self.details = collections.Counter()

    def waited(self, seconds, what):
        with self.lock: self.longest = max(self.longest, (seconds, what))


class Unanswered(Exception):
    pass


class Answer:
    def __init__(self, status, headers, body, doubtful):
        self.status, self.headers, self.body = status, headers, body
        self.doubtful = doubtful  # an earlier attempt may have had its effect

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def problem(self):
        try: return self.json.get("type", "").rsplit("/", 1)[-1]
        except (ValueError, AttributeError): return ""

    @property
    def detail(self):
        try: return self.json.get("detail") or self.json["title"]
        except (ValueError, AttributeError, KeyError): return self.body[:300].decode(errors="replace")


class Client:
    """One person's connection. Every request is sent again, with its key, until it is answered."""

    PATIENCE = 60

    def __init__(self, url, statistics, ledger, carries_position=True):
        self.address = urllib.parse.urlsplit(url).netloc
        self.statistics, self.ledger = statistics, ledger
        self.carries_position, self.position, self.token = carries_position, None, None
        self.connection = None

    def ask(self, method, path, body=None, content_type="application/json", key=None):
        headers = {"Accept": "application/json, image/*"}
        if self.token: headers["Authorization"] = f"Bearer {self.token}"
        if key: headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = content_type
            if not isinstance(body, bytes): body = json.dumps(body).encode()
        began, doubtful = time.monotonic(), False
        while True:
            if self.position and self.carries_position: headers["Keijiban-Position"] = self.position
            answer = self._attempt(method, path, body, headers, doubtful)
            if answer and answer.status >= 500 and answer.status != 503:
                self.ledger.fault(f"{method} {path} was answered {answer.status}: {answer.body[:500]!r}")
            if answer and answer.status < 500 and answer.problem != "conflict":
                self.statistics.waited(time.monotonic() - began, f"{method} {path}")
                self.position = answer.headers.get("Keijiban-Position") or self.position
                return answer
            doubtful = True
            if time.monotonic() - began > self.PATIENCE:
                self.statistics.waited(time.monotonic() - began, f"{method} {path}")
                self.ledger.fault(f"{method} {path} was not answered for {self.PATIENCE} s; last: {answer and answer.body!r}")
                raise Unanswered
            time.sleep(random.uniform(0.05, 0.15))

    def _attempt(self, method, path, body, headers, doubtful):
        if not self.connection: self.connection = http.client.HTTPConnection(self.address, timeout=20)
        sent = None
        try:
            if self.connection.sock is None: self.connection.connect()
            sent = time.monotonic()
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.headers, response.read(), doubtful)
            with self.statistics.lock:
                self.statistics.answers[answer.status] += 1
                if answer.status == 503: self.statistics.details[answer.detail] += 1
            return answer
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            with self.statistics.lock:
                self.statistics.unanswered[type(error).__name__] += 1
                if sent: self.statistics.lost.append((sent, time.monotonic(), f"{method} {path}: {type(error).__name__}"))
            return None


def picture(dice):
    """A small PNG of one colour."""
    width = height = 16
    row = b"\0" + bytes(dice.randrange(256) for _ in range(3)) * width
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b"")


class Person:
    """Writes at random, and compares what is shown with what was acknowledged. Nobody else writes into the diary."""

    def __init__(self, number, url, ledger, statistics, seed):
        self.number, self.ledger, self.dice = number, ledger, random.Random(f"{seed}/{number}")
        self.client = Client(url, statistics, ledger, carries_position=number % 4 != 3)
        self.statistics = statistics
        self.creations = []  # (path, body, key, id)
        self.free_titles = []  # (thread, title) of own deleted posts
        self.count = 0
        self.id = self.diary = None

    def key(self):
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

    def run(self, until):
        try:
            self.id = self.sign_up(self.client)
            self.diary = self.open_thread(is_diary=True)
            acts = [(self.post, 26), (self.like, 34), (self.unlike, 10), (self.delete_post, 8), (self.open_thread, 4),
                    (self.delete_thread, 1), (self.check_diary, 10), (self.post_in_diary, 8), (self.like_in_diary, 6),
                    (self.repeat, 3), (self.double, 3), (self.sign_up_another, 1)]
            actions, weights = zip(*acts)
            while time.monotonic() < until:
                self.dice.choices(actions, weights)[0]()
                time.sleep(self.dice.uniform(0, 0.02))
        except Unanswered:
            pass
        except Exception as error:  # an answer that lacks what is promised
            self.ledger.fault(f"person {self.number}: {type(error).__name__}: {error}")

    # What is written

    def sign_up(self, client):
        answer = client.ask("POST", "/v1/users", {"displayName": f"人{self.number}", "deviceId": self.key()}, key=self.key())
        if answer.status != 201: self.unexpected("sign-up", answer)
        session = answer.json
        client.token = session["token"]
        with self.ledger.lock: self.ledger.users[session["user"]["id"]] = self.number
        return session["user"]["id"]

    def sign_up_another(self):
        self.sign_up(Client(f"http://{self.client.address}", self.statistics, self.ledger))

    def image(self, share):
        if self.dice.random() > share: return None
        answer = self.client.ask("POST", "/v1/media", picture(self.dice), "image/png", key=self.key())
        if answer.status != 201: self.unexpected("upload", answer)
        self.ledger.note(answer.json["id"], "uploaded")
        return answer.json["id"]

    def open_thread(self, is_diary=False):
        self.count += 1
        body = {"title": f"スレッド {self.number}-{self.count}"}
        image = self.image(0.3)
        if image: body["imageId"] = image
        made = self.create("/v1/threads", body, self.ledger.threads, {"owner": self.id, "image": image, "gone": False,
                           "diary": is_diary})
        return made

    def post(self, thread=None):
        thread = thread or self.pick_thread()
        if not thread: return
        self.count += 1
        title = f"カオスの中の投稿です、番号は {self.number}-{self.count}"
        if self.free_titles and self.dice.random() < 0.3: thread, title = self.free_titles.pop()
        image = self.image(0.1)
        body = {"title": title, "body": f"本文 {self.count}"}
        if image: body["imageId"] = image
        return self.create(f"/v1/threads/{thread}/posts", body, self.ledger.posts,
                           {"thread": thread, "author": self.id, "title": title, "image": image, "gone": False}, thread)

    def post_in_diary(self):
        self.post(self.diary)

    def create(self, path, body, table, known, parent=None):
        key = self.key()
        answer = self.client.ask("POST", path, body, key=key)
        if answer.status == 404 and parent:
            return self.absent(parent, f"POST {path} of {self.number}")
        if answer.status != 201: return self.unexpected(f"POST {path} {json.dumps(body, ensure_ascii=False)}", answer, parent)
        made = answer.json["id"]
        with self.ledger.lock:
            if made in table: self.ledger.fault(f"POST {path} made {made}, which another request had made", made)
            table[made] = known
            if parent and not self.ledger.threads[parent]["gone"]: self.ledger.likeable[made] = known
            doubt = " after doubt" if answer.doubtful else ""
            self.ledger.note(made, f"made by {self.number}{doubt}, {path}")
            if parent: self.ledger.note(parent, f"{made} made by {self.number}{doubt}")
        self.creations = self.creations[-20:] + [(path, body, key, made, table)]
        return made

    def like(self, post=None):
        self.set_like(post or self.pick_post(), True)

    def unlike(self):
        with self.ledger.lock:
            mine = [post for post in list(self.ledger.likes)[-300:] if self.id in self.ledger.likes[post]]
        self.set_like(self.dice.choice(mine) if mine else None, False)

    def like_in_diary(self):
        mine = [id for id, post in self.snapshot_posts() if post["thread"] == self.diary]
        if mine: self.set_like(self.dice.choice(mine), self.dice.random() < 0.7)

    def set_like(self, post, liked):
        if not post: return
        answer = self.client.ask("PUT" if liked else "DELETE", f"/v1/posts/{post}/like")
        if answer.status == 404: return self.absent(post, f"{'like' if liked else 'unlike'} of {self.number}")
        if answer.status != 200: return self.unexpected(f"like {post}", answer, post)
        if answer.json["liked"] != liked: self.ledger.fault(f"a like set to {liked} was answered {answer.json}", post)
        with self.ledger.lock:
            (self.ledger.likes[post].add if liked else self.ledger.likes[post].discard)(self.id)
            self.ledger.note(post, f"{'liked' if liked else 'unliked'} by {self.number}: likeCount {answer.json['likeCount']}")

    def delete_post(self):
        mine = [id for id, post in self.snapshot_posts() if post["author"] == self.id]
        if not mine: return
        post = self.dice.choice(mine)
        if self.delete(f"/v1/posts/{post}", post, self.ledger.posts):
            self.free_titles.append((self.ledger.posts[post]["thread"], self.ledger.posts[post]["title"]))

    def delete_thread(self):
        with self.ledger.lock:
            mine = [id for id, thread in self.ledger.standing_threads().items() if thread["owner"] == self.id and id != self.diary]
        if len(mine) > 1: self.delete(f"/v1/threads/{self.dice.choice(mine)}", None, self.ledger.threads)

    def delete(self, path, item, table):
        item = item or path.rsplit("/", 1)[-1]
        answer = self.client.ask("DELETE", path)
        if answer.status == 404 and not answer.doubtful: return self.absent(item, f"DELETE of {self.number}")
        if answer.status not in (204, 404): return self.unexpected(f"DELETE {path}", answer, item)
        with self.ledger.lock:
            self.ledger.remove(table, item)
            how = f"deleted by {self.number}{' after doubt' if answer.doubtful else ''}: {answer.status}"
            self.ledger.note(item, how)
            if table is self.ledger.posts: self.ledger.note(table[item]["thread"], f"{item} {how}")
        return True

    # What must change nothing

    def repeat(self):
        """A request sent again with its key."""
        if not self.creations: return
        path, body, key, made, table = self.dice.choice(self.creations)
        answer = self.client.ask("POST", path, body, key=key)
        if answer.status == 404: return self.absent(made, f"repeated POST of {self.number}")
        if answer.status != 201 or answer.json["id"] != made:
            self.unexpected(f"repeated POST {path} of {made}", answer, made)

    def double(self):
        """The same post with another key."""
        mine = [(id, post) for id, post in self.snapshot_posts() if post["author"] == self.id]
        if not mine: return
        id, post = self.dice.choice(mine)
        answer = self.client.ask("POST", f"/v1/threads/{post['thread']}/posts", {"title": post["title"], "body": "もう一度"}, key=self.key())
        if answer.status == 404: return self.absent(post["thread"], f"double POST of {self.number}")
        if answer.problem != "duplicate-post": self.unexpected(f"a post with the title of {id}", answer, id)

    # What is read

    def check_diary(self):
        """Only this person writes there, one request at a time: every number is known."""
        with self.ledger.lock:
            posts = {id: len(self.ledger.likes[id]) for id, post in self.ledger.posts.items()
                     if post["thread"] == self.diary and not post["gone"]}
        shown = self.client.ask("GET", f"/v1/threads/{self.diary}")
        if shown.status != 200: return self.unexpected("GET the diary", shown, self.diary)
        self.compare(shown, [("postCount", shown.json["postCount"], len(posts)),
                             ("likeCount", shown.json["likeCount"], sum(posts.values()))], self.diary)
        page = self.client.ask("GET", f"/v1/threads/{self.diary}/posts?limit=100")
        if page.status != 200: return self.unexpected("GET the diary's posts", page, self.diary)
        items = {item["id"]: item for item in page.json["items"]}
        if not page.json["nextCursor"]: self.compare(page, [("posts", sorted(items), sorted(posts))], self.diary)
        for id in items.keys() & posts.keys():
            self.compare(page, [("likeCount", items[id]["likeCount"], posts[id]), ("likedByMe", items[id]["likedByMe"], posts[id] > 0)], id)

    def compare(self, answer, numbers, item):
        unsure = answer.headers.get("Keijiban-Stale") or answer.headers.get("Keijiban-Partial")
        with self.statistics.lock:
            self.statistics.checked += 1
            if unsure: self.statistics.said_stale += 1
        if unsure: return
        for name, found, wanted in numbers:
            if found != wanted:
                position = "with a position" if self.client.carries_position else "without a position"
                self.ledger.fault(f"the diary of {self.number} ({position}): {name} is {found}, not {wanted}", item)

    # Rest

    def snapshot_posts(self):
        with self.ledger.lock: return list(self.ledger.likeable.items())

    def pick_thread(self):
        with self.ledger.lock: threads = [id for id, thread in self.ledger.standing_threads().items() if not thread["diary"]]
        return self.dice.choice(threads) if threads else None

    def pick_post(self):
        with self.ledger.lock:
            posts = [id for id, post in list(self.ledger.likeable.items())[-150:] if not self.ledger.threads[post["thread"]]["diary"]]
        return self.dice.choice(posts) if posts else None

    def absent(self, item, what):
        with self.ledger.lock: self.ledger.absences.append((item, what))
        self.ledger.note(item, f"{what}: 404")

    def unexpected(self, what, answer, *items):
        self.ledger.fault(f"{what} was answered {answer.status} {answer.body[:300].decode(errors='replace')}", *[i for i in items if i])
        if what in ("sign-up", "upload"): raise Unanswered
