"""Somebody who uses the board through its API: to have something on it to look at, and to be the others."""
import json, pathlib, urllib.error, urllib.parse, urllib.request

PICTURES = pathlib.Path(__file__).resolve().parent / "pictures"


class Person:
    def __init__(self, url, name):
        self.url, self.name, self.token = url, name, None
        self.token = self.call("POST", "/v1/users", {"displayName": name})["token"]

    def call(self, method, path, body=None, kind="application/json", more=None):
        """What is answered; a refusal is raised as `urllib.error.HTTPError`."""
        headers = {"Authorization": f"Bearer {self.token}", **(more or {})} if self.token else {}
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        if data is not None: headers["Content-Type"] = kind
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def picture(self, name):
        return self.call("POST", "/v1/media", (PICTURES / f"{name}.jpg").read_bytes(), "image/jpeg")["id"]

    def opens(self, title, description="", picture=None, kind="discussion"):
        wish = {"title": title, "description": description, "kind": kind}
        if picture: wish["imageId"] = self.picture(picture)
        return self.call("POST", "/v1/threads", wish)["id"]

    def posts(self, thread, title, body="本文です。", picture=None, day=None):
        wish = {"body": body}
        if title: wish["title"] = title
        if picture: wish["imageId"] = self.picture(picture)
        if day: wish["date"] = f"{day}T12:00:00+09:00"
        return self.call("POST", f"/v1/threads/{thread}/posts", wish)["id"]

    def edits(self, post, version, **changes):
        return self.call("PATCH", f"/v1/posts/{post}", changes, more={"If-Match": f'"v{version}"'})

    def likes(self, post):
        return self.call("PUT", f"/v1/posts/{post}/like")

    def post(self, post):
        return self.call("GET", f"/v1/posts/{post}")

    def posts_of(self, thread):
        return self.call("GET", f"/v1/threads/{thread}/posts?limit=100")["items"]
