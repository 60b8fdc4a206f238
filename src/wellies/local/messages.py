"""The messages of a connection as JSON text: the same as those of the server's socket (see `docs/protocol.md`)."""

from __future__ import annotations

import re
from typing import Any, Final

from wellies.core.events import Json
from wellies.core.fields import Fields
from wellies.local.strict_json import read_strictly
from wellies.table.codec import encode
from wellies.table.errors import Refused

MESSAGE_BYTES: Final = 4_096
"""The largest message from a page."""
MOST_ID: Final = 64
MOST_MOVE: Final = 200
MOST_CHAT: Final = 500
MOST_ENTRY: Final = 1_000_000
BUG: Final = "Something went wrong; the browser's console says what."
"""What a person is told of an error that nobody expected."""
_ID: Final = re.compile(r'"id"\s*:\s*"([^"\\]{0,64})"')

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "play": ("move", "decision"),
    "preview": ("move", "ahead"),
    "why": ("move", "ahead"),
    "plan": (),
    "undo": (),
    "ask_undo": (),
    "answer_undo": ("request", "accept"),
    "hint": (),
    "chat": ("text",),
    "ping": (),
}
"""The fields of each request, besides `type` and `id`."""


class BadMessage(Refused):
    """A message that is no request."""

    def __init__(self, why: str) -> None:
        super().__init__("bad_message", f"This message makes no sense. {why}", 400)


def message(kind: str, /, **fields: Any) -> str:
    """A message to the page."""
    return encode({"type": kind, **fields})


def read_message(text: str) -> tuple[str, Json]:
    """A request of the page: its kind and its fields. BadMessage says what is wrong with it."""
    if len(text.encode("utf-8", "replace")) > MESSAGE_BYTES:
        raise Refused("too_big", f"A message may have {MESSAGE_BYTES} bytes at most.", 400)
    try:
        given = read_strictly(text)
    except ValueError as error:
        raise BadMessage(f"It is not JSON as it should be: {error}.") from error
    kind = given.get("type") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise BadMessage(f"The field `type` must be one of {', '.join(_FIELDS)}.")
    names = _FIELDS[kind]
    fields = Fields(given, "", ("type", "id", *names), BadMessage, "the message")
    found: Json = {"id": fields.text("id", "" if kind == "ping" else None, MOST_ID)}
    for name in names:
        if name == "request":
            found[name] = fields.integer(name, None, 0, MOST_ENTRY)
        elif name == "accept":
            found[name] = fields.boolean(name, None)
        elif name == "ahead":
            found[name] = fields.boolean(name, False)
        elif name == "decision":
            found[name] = None if fields.get(name) is None else fields.text(name, None, MOST_ID)
        else:
            found[name] = fields.text(name, None, MOST_CHAT if name == "text" else MOST_MOVE)
    return kind, found


def id_of(text: str) -> str:
    """The id of a message that cannot be read, if it can be found."""
    found = _ID.search(text[:4096])
    return found.group(1) if found else ""
