"""What the document's schemas cannot say to schemathesis: how a text of the board looks, and what an image is."""

import json
import os
import urllib.request
import uuid

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

schemathesis.openapi.media_type("image/*", st.just(PIXEL))


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
