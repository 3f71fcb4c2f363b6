"""Plays the document's own examples against a board, as a story: each request is the document's, each answer has the status,
the schema and the fields that the document shows. An operation that is not in the story, or has no example, is a fault."""

import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

import jsonschema_rs
import yaml

from picture import PIXEL

METHODS = ("get", "post", "put", "patch", "delete")

# What the story learns on its way: a name to use in a path or request, and where the answer has it.
STORY = [
    ("post /v1/users", {"token": "token", "userId": "user/id"}),
    ("get /v1/users/me", {}),
    ("patch /v1/users/me", {}),
    ("get /v1/users/{userId}", {}),
    ("post /v1/users/me/token", {"token": "token"}),
    ("post /v1/users/me/transfer", {"transferCode": "transferCode"}),
    ("post /v1/media", {"mediaId": "id", "imageId": "id"}),
    ("get /v1/media/{mediaId}", {}),
    ("post /v1/threads", {"threadId": "id"}),
    ("get /v1/threads", {}),
    ("get /v1/threads/{threadId}", {}),
    ("patch /v1/threads/{threadId}", {}),
    ("post /v1/threads/{threadId}/posts", {"postId": "id"}),
    ("get /v1/threads/{threadId}/posts", {}),
    ("get /v1/posts/{postId}", {}),
    ("patch /v1/posts/{postId}", {}),
    ("get /v1/posts/{postId}/textpack", {}),
    ("put /v1/posts/{postId}/like", {}),
    ("get /v1/posts/{postId}/likes", {}),
    ("get /v1/users/me/likes", {}),
    ("get /v1/users/me/posts", {}),
    ("get /v1/posts", {}),
    ("get /v1/counts", {}),
    ("get /v1/users/me/export", {}),
    ("get /v1/live", {}),
    ("delete /v1/posts/{postId}/like", {}),
    ("delete /v1/posts/{postId}", {}),
    ("post /v1/threads/{threadId}/posts/import", {}),
    ("delete /v1/threads/{threadId}", {}),
    ("delete /v1/users/me", {}),
    ("get /openapi.yaml", {}),
    ("get /asyncapi.yaml", {}),
    ("get /livez", {}),
    ("get /readyz", {}),
    ("get /metrics", {}),
]


class Story:
    def __init__(self, board, document, picture):
        self.board, self.document, self.picture = board, document, picture
        self.known, self.kept, self.faults = {}, {}, []
        self.operations = {
            f"{method} {path}": operation
            for path, item in document["paths"].items()
            for method, operation in item.items()
            if method in METHODS
        }

    def play(self):
        """What is not as the document says."""
        for name in self.operations.keys() - {name for name, _ in STORY}:
            self.faults.append(f"{name}: not in the story")
        for name, learns in STORY:
            if name not in self.operations:
                self.faults.append(f"{name}: not in the document")
                continue
            try:
                self.play_one(name, self.operations[name], learns)
            except (KeyError, OSError, ValueError, TypeError) as error:
                self.faults.append(f"{name}: {error!r}")
        return self.faults

    def play_one(self, name, operation, learns):
        method, path = name.split(" ", 1)
        path = re.sub(r"{(\w+)}", lambda match: self.known[match[1]], path)
        body, headers = self.request(name, operation)
        status, content_type, answer = self.send(method.upper(), path + self.query(operation), body, headers)
        wanted = next(code for code in sorted(operation["responses"]) if code.startswith("2"))
        if path == "/v1/users":
            wanted = "201"
        if str(status) != wanted:
            return self.faults.append(f"{name}: {status} instead of {wanted}: {answer[:300]!r}")
        response = self.resolved(operation["responses"][wanted])
        for media, content in (response.get("content") or {}).items():
            if media == "application/json":
                self.compare(name, json.loads(answer), content)
            elif not answer or not re.fullmatch(media.replace("*", ".*"), content_type.split(";")[0]):
                self.faults.append(f"{name}: {content_type}, {len(answer)} bytes, instead of {media}")
        self.kept[name] = answer
        for key, where in learns.items():
            value = json.loads(answer)
            for step in where.split("/"):
                value = value[step]
            self.known[key] = value

    def request(self, name, operation):
        content = (operation.get("requestBody") or {}).get("content") or {}
        if not content:
            return None, {}
        if "application/json" in content:
            example = self.example(content["application/json"])
            if example is None:
                raise ValueError("its request has no example")
            example = {key: self.known.get(key, value) if key == "imageId" else value for key, value in example.items()}
            return json.dumps(example).encode(), {"Content-Type": "application/json"}
        if "application/zip" in content:
            return self.kept["get /v1/posts/{postId}/textpack"], {"Content-Type": "application/zip"}
        return self.picture, {"Content-Type": "image/png"}

    def query(self, operation):
        """The examples of the parameters that have one."""
        pairs = []
        for parameter in map(self.resolved, operation.get("parameters") or []):
            if parameter["in"] != "query" or "example" not in parameter:
                continue
            example = parameter["example"]
            for value in example if isinstance(example, list) else [example]:
                value = self.known.get({"thread": "threadId", "post": "postId"}.get(parameter["name"]), value)
                pairs.append((parameter["name"], value))
        return "?" + urllib.parse.urlencode(pairs) if pairs else ""

    def send(self, method, target, body, headers):
        if "token" in self.known:
            headers["Authorization"] = "Bearer " + self.known["token"]
        request = urllib.request.Request(self.board + target, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                # A stream does not end: its first event does.
                is_stream = answer.headers.get_content_type() == "text/event-stream"
                return answer.status, answer.headers.get("Content-Type", ""), answer.readline() if is_stream else answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Content-Type", ""), error.read()

    def compare(self, name, answer, content):
        schema = {**content["schema"], "components": self.document["components"]}
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=False)
        example = self.example(content)
        if example is None:
            return self.faults.append(f"{name}: its answer has no example")
        for what, value in (("answer", answer), ("example", example)):
            self.faults += [f"{name}: {what} at {list(e.instance_path)}: {e.message}" for e in validator.iter_errors(value)]
        self.faults += [f"{name}: {fault}" for fault in differences(answer, example, "")]

    def example(self, content):
        """The first of the examples that a media type has."""
        for example in (content.get("examples") or {}).values():
            return self.resolved(example)["value"]
        return None

    def resolved(self, value):
        if "$ref" not in value:
            return value
        found = self.document
        for step in value["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        return found


def differences(answer, example, where):
    """Where an answer has other fields than the example."""
    if isinstance(answer, dict) and isinstance(example, dict):
        for key in sorted(answer.keys() ^ example.keys()):
            yield f"{where}/{key} is only in the {'answer' if key in answer else 'example'}"
        for key in sorted(answer.keys() & example.keys()):
            yield from differences(answer[key], example[key], f"{where}/{key}")
    elif isinstance(answer, list) and isinstance(example, list) and answer and example:
        yield from differences(answer[0], example[0], f"{where}/0")


def main():
    board, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    faults = Story(board, document, PIXEL).play()
    for fault in faults:
        print(f"- {fault}")
    print(f"examples: {len(STORY)} operations, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
