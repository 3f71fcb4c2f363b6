"""What the document's schemas cannot say to schemathesis: how a text of the board looks, and what an image is."""

import io
import json
import os
import urllib.request
import uuid
import zipfile

import schemathesis
from hypothesis import strategies as st

from picture import PIXEL

BOARD = os.environ["KEIJIBAN_URL"]

# Fifteen to twenty of these fit every bound of the document: names, titles, descriptions, bodies and words to search for.
GRAPHEMES = st.one_of(
    st.sampled_from("あいうえおかがきぎくぐ日報掲示板アイウｱｲｳ漢字ABCabc0123、。!?"),
    st.sampled_from(["👨‍👩‍👧‍👦", "🇯🇵", "が", "é", "葛󠄀", "👍🏽"]),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
)
TEXT = st.lists(GRAPHEMES, min_size=15, max_size=20).map("".join)
schemathesis.openapi.format("keijiban-text", TEXT)
TEXTS = {"displayName", "title", "description", "body", "q"}

schemathesis.openapi.media_type("image/*", st.just(PIXEL))


def package(text):
    """A TextPack with this text."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("info.json", json.dumps({"version": 2, "type": "net.daringfireball.markdown"}))
        archive.writestr("text.md", text)
    return file.getvalue()


schemathesis.openapi.media_type("application/zip", st.tuples(TEXT, TEXT).map(lambda parts: package("# {}\n\n{}".format(*parts))))


def sign_up():
    """The token of a new account."""
    request = urllib.request.Request(
        BOARD + "/v1/users",
        data=json.dumps({"deviceId": str(uuid.uuid4())}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return "Bearer " + json.load(answer)["token"]


TOKEN = sign_up()


@schemathesis.auth()
class Account:
    """One account for the whole run."""

    def get(self, case, context):
        return TOKEN

    def set(self, case, data, context):
        case.headers["Authorization"] = data


@schemathesis.hook
def before_call(context, case, kwargs):
    """An account that is deleted is one made for it, so that the run keeps its own."""
    is_deletion = case.method.upper() == "DELETE" and case.operation.path == "/v1/users/me"
    if is_deletion and (case.headers or {}).get("Authorization") == TOKEN:
        case.headers["Authorization"] = sign_up()


@schemathesis.hook
def filter_case(context, case):
    """The tool takes every text for a violation of a format that it does not know. Which ones are, no schema says."""
    data = case.meta.phase.data if case.meta else None
    mutations = [mutation.to_dict() for mutation in getattr(data, "mutations", None) or ()]
    texts = [item for item in mutations if str(item.get("schema_pointer") or "").rsplit("/", 1)[-1] in TEXTS]
    return not (texts and all(item.get("keywords") == ["format"] for item in texts))
