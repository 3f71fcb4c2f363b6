"""What is on the board before it is measured."""
import concurrent.futures, http.client, json, threading, urllib.parse, uuid

connections = threading.local()


class Content:
    def __init__(self):
        self.tokens, self.threads, self.posts = [], [], []


def call(board, method, path, token=None, body=None):
    if not hasattr(connections, "one"): connections.one = http.client.HTTPConnection(urllib.parse.urlsplit(board.url).netloc, timeout=30)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token: headers["Authorization"] = f"Bearer {token}"
    if method == "POST": headers["Idempotency-Key"] = str(uuid.uuid4())
    connections.one.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connections.one.getresponse()
    data = answer.read()
    if answer.status >= 300: raise SystemExit(f"{method} {path}: {answer.status} {data[:300]}")
    return json.loads(data)


def fill(board, people, posts):
    """People, 20 threads and posts in them, written side by side."""
    content = Content()
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        content.tokens = list(pool.map(
            lambda number: call(board, "POST", "/v1/users", body={"displayName": f"利用者{number}"})["token"], range(people)))
        content.threads = list(pool.map(lambda number: call(
            board, "POST", "/v1/threads", content.tokens[number % people],
            {"title": f"みんなで話すための{number}番目のスレッドの題名", "description": "このスレッドでは、暮らしのことをゆっくり話します。" * 3,
             "kind": "discussion"})["id"], range(20)))
        content.posts = list(pool.map(lambda number: call(
            board, "POST", f"/v1/threads/{content.threads[number % 20]}/posts", content.tokens[number % people],
            {"title": f"{number}番目に書いた、少し長めの投稿の題名です", "body": "今日の出来事を書きました。" * 12})["id"], range(posts)))
    return content
