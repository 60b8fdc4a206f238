"""The ids of tables: 128 random bits, so that nobody finds a table by trying. Those on one device say so."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

from wellies.core.sources import random_bytes

ID_BYTES: Final = 16
PUBLIC_DIGITS: Final = 20
LOCAL: Final = "local-"
"""What the id of a table begins with that is on one device, and on no server."""
_KNOWN: Final = re.compile(r"[a-z2-7]{26}|[0-9a-f]{12}")
"""Base32, and the twelve hexadecimal digits of tables made by earlier versions, which keep them."""


def new_id() -> str:
    """The id of a new table."""
    return id_from(random_bytes(ID_BYTES))


def id_from(secret: bytes) -> str:
    """The id that the first 16 of these bytes make: 26 letters and digits, all lower case."""
    return base64.b32encode(secret[:ID_BYTES]).decode("ascii").rstrip("=").lower()


def is_id(text: str) -> bool:
    """Whether a table could have this id."""
    return _KNOWN.fullmatch(text) is not None


def new_local_id() -> str:
    """The id of a new table on this device."""
    return LOCAL + new_id()


def is_local(table_id: str) -> bool:
    """Whether a table with this id is on a device."""
    return table_id.startswith(LOCAL)


def public_id(identity: str) -> str | None:
    """What everybody may know a person by, whose own id is secret; None for nobody."""
    return hashlib.sha256(f"person {identity}".encode()).hexdigest()[:PUBLIC_DIGITS] if identity else None


def is_local_id(text: str) -> bool:
    """Whether a table on this device could have this id."""
    return text.startswith(LOCAL) and is_id(text.removeprefix(LOCAL))
