"""Sockets: openings, messages and frames of the right shape, and everything that can be wrong with them."""

from __future__ import annotations

import random
import struct
from typing import Any
from urllib.parse import quote

from server.fuzz.inputs import Input, World
from server.fuzz.values import TEXTS, damage, dump, mutate, nasty

TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
MASK = b"fuzz"
MOVES = ["a0@0,0", "b3@1,0", "draw 1", "pass", "choose 25", "W at 1,-1", "claim", "", "0", "x" * 199]
KINDS: dict[str, dict[str, Any]] = {
    "play": {"move": "a0@0,0", "decision": "0.1"},
    "preview": {"move": "a0@0,0"},
    "why": {"move": "a0@0,0"},
    "undo": {},
    "ask_undo": {},
    "answer_undo": {"request": 3, "accept": True},
    "plan": {},
    "hint": {},
    "chat": {"text": "hello"},
    "ping": {},
}


def frame(opcode: int, data: bytes, *, fin: bool = True, mask: bytes | None = MASK, reserved: int = 0) -> bytes:
    """One frame as a client sends it."""
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    masked = 0x80 if mask is not None else 0
    if len(data) < 126:
        head = struct.pack("!BB", first, masked | len(data))
    elif len(data) < 65_536:
        head = struct.pack("!BBH", first, masked | 126, len(data))
    else:
        head = struct.pack("!BBQ", first, masked | 127, len(data))
    if mask is None:
        return head + data
    repeated = mask * (len(data) // 4 + 1)
    hidden = int.from_bytes(data, "big") ^ int.from_bytes(repeated[: len(data)], "big")
    return head + mask + hidden.to_bytes(len(data), "big")


def good_message(rng: random.Random) -> dict[str, Any]:
    """A message as a client sends it."""
    kind = rng.choice(sorted(KINDS))
    message = {"type": kind, "id": str(rng.randrange(100)), **KINDS[kind]}
    if "move" in message:
        message["move"] = rng.choice(MOVES)
    if "decision" in message:
        message["decision"] = rng.choice(["0.1", "1.2", None, "0.3"])
    return message


def _message(rng: random.Random) -> bytes:
    message: Any = good_message(rng)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        message = mutate(rng, message)
    data = dump(message)
    if rng.random() < 0.1:
        data = damage(rng, data)
    if rng.random() < 0.05:
        data = dump(nasty(rng))
    return data[:70_000]


def _frames(rng: random.Random) -> tuple[list[bytes], bool]:
    """Some frames, and whether a close frame is understood after them."""
    data = _message(rng)
    kind = rng.randrange(40)
    if kind < 24:
        return [frame(TEXT, data)], True
    if kind < 27:
        return [frame(BINARY, data)], True
    if kind < 30:
        cut = rng.randrange(len(data) + 1)
        between = [frame(PING, b"x")] if rng.random() < 0.5 else []
        return [frame(TEXT, data[:cut], fin=False), *between, frame(CONTINUED, data[cut:])], True
    wrong: list[tuple[list[bytes], bool]] = [
        ([frame(TEXT, b"", fin=False), *[frame(CONTINUED, b"", fin=False)] * rng.choice([5, 70, 500])], True),
        ([frame(PING, b"p" * 125)] * rng.choice([1, 50, 400]), True),
        ([frame(PONG, b"unasked")] * rng.choice([1, 50]), True),
        ([frame(TEXT, b"\xff\xfe\x00")], True),
        ([frame(TEXT, b"\xc3", fin=False), frame(CONTINUED, b"\xa9")], True),
        ([frame(CONTINUED, data)], True),
        ([frame(TEXT, data, fin=False), frame(TEXT, data)], True),
        ([frame(PING, b"x" * 126)], True),
        ([frame(PING, b"", fin=False)], True),
        ([frame(rng.choice([3, 7, 11, 15]), data)], True),
        ([frame(TEXT, data, reserved=rng.randrange(1, 8))], True),
        ([frame(TEXT, data, mask=None)], True),
        ([frame(CLOSE, b"")], True),
        ([frame(CLOSE, b"\x03")], True),
        (
            [frame(CLOSE, struct.pack("!H", rng.choice([0, 999, 1000, 1004, 1005, 1006, 1015, 2999, 4999, 65_535])))],
            True,
        ),
        ([frame(CLOSE, struct.pack("!H", 1000) + b"\xff\xff")], True),
        ([frame(TEXT, b"x" * rng.choice([4_096, 4_097, 65_535, 65_536, 70_000]))], True),
        ([struct.pack("!BBQ", 0x81, 0xFF, 2**63 - 1) + MASK], False),
        ([struct.pack("!BBQ", 0x81, 0xFF, 2**64 - 1) + MASK], False),
        ([frame(TEXT, data)[: rng.randrange(1, 6)]], False),
        ([frame(TEXT, b"x" * 200)[:50]], False),
        ([rng.randbytes(rng.randrange(1, 100))], False),
        ([damage(rng, frame(TEXT, data))], False),
        ([b"GET / HTTP/1.1\r\n\r\n"], False),
    ]
    return rng.choice(wrong)


def opening(path: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
    """The request that opens a socket."""
    lines = [b"GET " + path + b" HTTP/1.1", *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _opening(rng: random.Random, world: World) -> tuple[bytes, bool]:
    """A request that opens a socket, and whether it is a right one."""
    path = b"/ws/v1/tables/" + rng.choice(world.tables)
    queries = [
        "",
        "seat=0",
        "seat=1",
        "seat=0&legal=text",
        "legal=none",
        "since=3",
        f"invite={world.invites[0].decode()}",
    ]
    query = rng.choice(queries)
    if rng.random() < 0.15:
        name = rng.choice(["seat", "since", "legal", "invite", "x", ""])
        query = f"{name}={quote(rng.choice(TEXTS)[:1_000], safe='')}"
    if query:
        path += b"?" + query.encode()
    headers = [
        (b"Host", b"fuzz"),
        (b"Upgrade", b"websocket"),
        (b"Connection", b"Upgrade"),
        (b"Sec-WebSocket-Version", b"13"),
        (b"Sec-WebSocket-Key", b"AAAAAAAAAAAAAAAAAAAAAA=="),
    ]
    if rng.random() < 0.9:
        headers.append((b"Cookie", b"wellies=" + rng.choice(world.cookies)))
    if rng.random() < 0.85:
        return opening(path, headers), True
    place = rng.randrange(1, len(headers))
    kind = rng.randrange(12)
    if kind == 0:
        del headers[place]
    elif kind == 1:
        headers[place] = (headers[place][0], rng.choice([b"", b"x", b"\xff", b"x" * 9_000]))
    elif kind == 2:
        headers.append(headers[place])
    elif kind == 3:
        path = rng.choice(
            [b"/ws/v1/tables/" + b"\xff" * 4, b"/ws/v1/nothing", b"/", b"/api/v1/games", b"/ws/v1/tables/%ff"]
        )
    elif kind == 4:
        path += b"\xff"
    elif kind == 5:
        headers += [(b"X-Many", b"1")] * rng.choice([100, 130, 300])
    elif kind == 6:
        headers.append((b"X-Long", b"x" * rng.choice([8_000, 8_300, 12_000])))
    elif kind == 7:
        headers.append((b"Origin", rng.choice([b"https://evil.example", b"null", b"\xff", b"http://["])))
    elif kind == 8:
        extension = b"permessage-deflate; client_max_window_bits=" + rng.choice([b"", b"8", b"99", b"x"])
        headers.append((b"Sec-WebSocket-Extensions", rng.choice([extension, b"x;;=", b"\xff", b'"'])))
    elif kind == 9:
        headers.append((b"Sec-WebSocket-Protocol", rng.choice([b"chat, chat", b",,,", b"\xff", b" "])))
    elif kind == 10:
        return opening(path, headers).replace(b"GET", rng.choice([b"POST", b"HEAD", b"PUT"]), 1), False
    else:
        return opening(path, [*headers, (b"Content-Length", b"5")]) + b"hello", False
    return opening(path, headers), False


def socket_input(rng: random.Random, world: World) -> Input:
    """One connection with some messages."""
    first, right = _opening(rng, world)
    pieces = [first]
    ends = True
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 8, 25]) if right else 0):
        frames, understood = _frames(rng)
        pieces += frames
        if not understood:
            ends = False
            break
    return Input("socket", tuple(pieces), ends)
