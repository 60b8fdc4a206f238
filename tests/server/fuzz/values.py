"""Values that programs trip over, and JSON with such values in it."""

from __future__ import annotations

import json
import random
from typing import Any

TEXTS = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\x1b[2J",
    "\r\nX-Evil: 1",
    "\u202eabc",
    "\ufeff",
    "\u200b",
    "\uffff",
    "🦆" * 60,
    "e\u0301" * 40,
    "ｆｕｌｌ",
    "x" * 41,
    "x" * 300,
    "x" * 70_000,
    "{0}",
    "{0.__class__}",
    "[x]",
    "%s%n%x",
    "%00",
    "../../../../etc/passwd",
    "/dev/zero",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "null",
    "true",
    "0",
    "-1",
    "1e5",
    "٣",
    "²",
    "__proto__",
    "a" * 26,
    "0" * 12,
]
NUMBERS = [
    0,
    -1,
    1,
    2,
    15,
    16,
    255,
    2**31 - 1,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    2**64,
    -(2**63),
    10**30,
    0.5,
    -0.0,
    1e308,
]


class Raw(bytes):
    """Bytes that stand in JSON as they are."""


RAW = [
    Raw(b"NaN"),
    Raw(b"Infinity"),
    Raw(b"1e999"),
    Raw(b"-"),
    Raw(b"01"),
    Raw(b"1" * 5_000),
    Raw(b"0." + b"1" * 5_000),
    Raw(b'"\\ud800"'),
    Raw(b'"\\udc00\\ud800"'),
    Raw(b'"\xff\xfe"'),
    Raw(b'"\xc0\x80"'),
    Raw(b'"\xed\xa0\x80"'),
    Raw(b'"\\u0000"'),
    Raw(b'"\\x41"'),
    Raw(b'"open'),
    Raw(b"["),
    Raw(b"[" * 59 + b"]" * 59),
    Raw(b"[" * 2_000 + b"]" * 2_000),
    Raw(b'{"a":' * 100 + b"1" + b"}" * 100),
    Raw(b'{"a":' * 3_000),
    Raw(b""),
    Raw(b"nul"),
    Raw(b"'x'"),
    Raw(b"/**/1"),
]


class Pairs(list[tuple[str, Any]]):
    """An object in which a key may stand twice."""


def nasty(rng: random.Random) -> Any:
    """Any value."""
    kind = rng.randrange(10)
    if kind < 4:
        return rng.choice(TEXTS)
    if kind < 6:
        return rng.choice(NUMBERS)
    if kind < 8:
        return rng.choice(RAW)
    return rng.choice([None, True, False, [], {}, [[]], [None] * 40, {"": ""}, {"a": {"b": {"c": []}}}, ["x"] * 3])


def mutate(rng: random.Random, value: Any) -> Any:
    """The same JSON with one thing changed at a random place."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        kind = rng.randrange(8)
        if kind == 0:
            return {name: each for name, each in value.items() if name != key}
        if kind == 1:
            return {**value, rng.choice([*TEXTS[:12], key.upper(), "id", "host"]): nasty(rng)}
        if kind == 2:
            return Pairs([*value.items(), (key, nasty(rng))])
        return {**value, key: mutate(rng, value[key])}
    if isinstance(value, list) and not isinstance(value, Pairs) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        kind = rng.randrange(5)
        if kind == 0:
            return value[:place] + value[place + 1 :]
        if kind == 1:
            return value * rng.choice([2, 7, 50])
        return [*value[:place], mutate(rng, value[place]), *value[place + 1 :]]
    if isinstance(value, str) and value and rng.random() < 0.5:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice(["", "\x00", "🦆", "}", '"', "\\", "\n", value]) + value[place + 1 :]
    return nasty(rng)


def dump(value: Any) -> bytes:
    """Bytes of the value, which need not be JSON."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, dict | Pairs):
        items = value.items() if isinstance(value, dict) else value
        return b"{" + b",".join(dump(key) + b":" + dump(each) for key, each in items) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(dump(each) for each in value) + b"]"
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def damage(rng: random.Random, data: bytes) -> bytes:
    """The same bytes with one place changed."""
    if not data:
        return rng.randbytes(4)
    place = rng.randrange(len(data))
    kind = rng.randrange(6)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + rng.choice([b"\x00", b"\xff", b'"', b"\\", b"\r\n", b"{", b"\xef\xbb\xbf"]) + data[place:]
    if kind == 2:
        return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    if kind == 3:
        return data[:place] + data[place + rng.randrange(1, 9) :]
    if kind == 4:
        return b"\xef\xbb\xbf" + data
    return data + rng.choice([b"x", b"\x00", b"{}", data])
