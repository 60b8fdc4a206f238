"""HTTP requests of the right shape, and everything that can be wrong with them: down to the bytes of the wire."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from server.fuzz.inputs import Input, World, split
from server.fuzz.values import NUMBERS, TEXTS, damage, dump, mutate

GAMES = ["guppies", "marram", "umbradeco", "aquarium", "puppies"]
LEVELS = ["random", "greedy"]
LAST = b"GET /health HTTP/1.1\r\nHost: fuzz\r\nConnection: close\r\n\r\n"
"""The last request of every connection: the server closes it when it has answered."""


@dataclass
class Request:
    """A request that is still whole."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes | None
    chunked: bool = False
    data: Any = field(default=None)
    """What the body says."""

    def wire(self) -> bytes:
        headers = list(self.headers)
        body = self.body or b""
        if self.chunked:
            headers.append((b"Transfer-Encoding", b"chunked"))
            half = len(body) // 2
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:]) if part)
            body += b"0\r\n\r\n"
        elif self.body is not None:
            headers.append((b"Content-Length", str(len(body)).encode()))
        lines = [f"{self.method} ".encode() + self.target + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in headers]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body


# --- what can be asked -----------------------------------------------------------------------------------------------


def _seats(rng: random.Random) -> list[Any]:
    kinds: list[Any] = [{"kind": "me"}, {"kind": "me", "name": "Eve"}, {"kind": "open"}]
    kinds += [{"kind": "bot", "level": level} for level in LEVELS]
    return [rng.choice(kinds) for _ in range(rng.choice([1, 2, 2, 2, 3, 4, 6]))]


def _new_table(rng: random.Random, world: World) -> Any:
    wish: dict[str, Any] = {"game": rng.choice(GAMES), "seats": _seats(rng)}
    more: dict[str, Any] = {
        "options": rng.choice([{}, {"tiles": 64}, {"cards": "standard"}, {"seats": 2}]),
        "private": rng.random() < 0.3,
        "start": rng.random() < 0.3,
        "name": "Eve",
        "clock": rng.choice([{"kind": "none"}, {"kind": "move", "seconds": 60}, {"kind": "days", "days": 2}]),
        "hints": rng.choice(["off", "all", "beginners"]),
        "badges": rng.random() < 0.5,
        "takebacks": rng.choice(["off", "ask", "free"]),
        "from": {"table": rng.choice(world.tables).decode(), "number": rng.randrange(40)},
        "record": rng.choice(world.records),
    }
    for name in rng.sample(sorted(more), rng.randrange(4)):
        wish[name] = more[name]
    return wish


def _seat(rng: random.Random, _world: World) -> Any:
    return {"seat": rng.choice([None, 0, 1, 2, 15])}


NOWHERE = "https://127.0.0.1:9/nobody"
"""No alert is ever sent there: the server must refuse addresses of its own network."""
MOVES = ["a0@0,0", "place red 0,1", "swap 1 2", "choose 25", "75a2@1,-1", "pass"]


def _preferences(rng: random.Random) -> Any:
    values = [True, False, 0, 50, "", "de-DE", "storm", "dark"]
    names = ["theme", "sound", "volume", "level", "locale", "nothing"]
    return {name: {"value": rng.choice(values), "age": rng.choice([0, 1_000])} for name in rng.sample(names, 2)}


def _avoid(rng: random.Random, world: World) -> Any:
    return {"table": _any(rng, world.tables), "person": _any(rng, world.people), "kind": rng.choice(["mute", "block"])}


def _wish(rng: random.Random) -> Any:
    paces = ["5 minutes", "10 minutes", "30 minutes", "3 days", "no clock"]
    return {"game": rng.choice(GAMES), "pace": rng.choice(paces), "seats": rng.choice([[2], [2, 3], [12]])}


def _alert_choices(rng: random.Random) -> Any:
    hours = rng.choice([(None, None), (1_320, 420), (0, None), (60, 60)])
    zone = rng.choice(["UTC", "Europe/Berlin", "../../etc/passwd", "Nowhere/Else", ""])
    return {"push": ["turn"], "email": ["turn", "clock"], "quiet_from": hours[0], "quiet_to": hours[1], "zone": zone}


def _code(world: World) -> str:
    return world.invites[0].decode()


Body = Callable[[random.Random, World], Any]
ROUTES: list[tuple[float, str, str, Body | None]] = [
    (2, "GET", "/api/v1/games", None),
    (2, "GET", "/api/v1/games/{game}", None),
    (1, "GET", "/api/v1/bots", None),
    (3, "GET", "/api/v1/session", None),
    (3, "GET", "/api/v1/me", None),
    (3, "POST", "/api/v1/me", lambda rng, _: {"name": rng.choice(["Eve", "Mallory", "Zoë"])}),
    (3, "PATCH", "/api/v1/me", lambda rng, _: {"name": rng.choice(["Eve", "Mallory"])}),
    (0.2, "POST", "/api/v1/me/password", lambda *_: {"password": "correct horse", "old": "battery staple"}),
    (0.2, "POST", "/api/v1/login", lambda *_: {"name": "Eve", "password": "correct horse"}),
    (0.5, "POST", "/api/v1/logout", lambda rng, _: {"everywhere": rng.random() < 0.3}),
    (8, "POST", "/api/v1/tables", _new_table),
    (5, "GET", "/api/v1/tables{query}", None),
    (4, "GET", "/api/v1/tables/{table}{query}", None),
    (3, "PATCH", "/api/v1/tables/{table}", lambda *_: {"private": True, "options": {}, "hints": "all"}),
    (3, "POST", "/api/v1/tables/{table}/join", lambda rng, world: {"seat": 1, "invite": _any(rng, world.invites)}),
    (2, "POST", "/api/v1/tables/{table}/leave", _seat),
    (2, "POST", "/api/v1/tables/{table}/seats", lambda *_: {"seat": 1, "kind": "bot", "level": "random"}),
    (2, "POST", "/api/v1/tables/{table}/chairs/add", None),
    (2, "POST", "/api/v1/tables/{table}/chairs/remove", lambda rng, _: {"seat": rng.randrange(4)}),
    (2, "POST", "/api/v1/tables/{table}/chairs/name", lambda *_: {"seat": 0, "name": "Eva"}),
    (2, "POST", "/api/v1/tables/{table}/start", None),
    (2, "POST", "/api/v1/tables/{table}/handover", lambda *_: {"seat": 0, "level": "random"}),
    (2, "POST", "/api/v1/tables/{table}/takeback", _seat),
    (1, "POST", "/api/v1/tables/{table}/resign", _seat),
    (1, "POST", "/api/v1/tables/{table}/rematch", None),
    (2, "GET", "/api/v1/tables/{table}/record{query}", None),
    (1, "GET", "/api/v1/tables/{table}/verify{query}", None),
    (2, "POST", "/api/v1/verify", lambda rng, world: {"record": rng.choice(world.records)}),
    (2, "POST", "/api/v1/import", lambda rng, world: {"record": rng.choice(world.records)}),
    (3, "GET", "/api/v1/tables/{table}/replay{query}", None),
    (2, "GET", "/api/v1/tables/{table}/log{query}", None),
    (0.1, "POST", "/api/v1/tables/{table}/analysis", None),
    (1, "GET", "/api/v1/tables/{table}/analysis", None),
    (1, "GET", "/api/v1/schema/openapi.json", None),
    (1, "GET", "/", None),
    (1, "GET", "/t/{table}", None),
    (1, "GET", "/assets/nothing.js", None),
    (0.5, "GET", "/health", None),
    (0.3, "GET", "/ready", None),
    (0.3, "GET", "/metrics", None),
]
PEOPLE_ROUTES: list[tuple[float, str, str, Body | None]] = [
    (0.2, "POST", "/api/v1/me/delete", lambda rng, _: {"confirm": rng.random() < 0.5, "password": "correct horse"}),
    (0.5, "GET", "/api/v1/me/export", None),
    (1, "GET", "/api/v1/me/games{query}", None),
    (1, "GET", "/api/v1/me/profile", None),
    (1, "GET", "/api/v1/me/statistics{query}", None),
    (1, "GET", "/api/v1/me/ratings{query}", None),
    (1, "GET", "/api/v1/people/{person}", None),
    (1, "GET", "/api/v1/leaderboards/{game}{query}", None),
    (1, "GET", "/api/v1/tables/{table}/ratings{query}", None),
    (1, "GET", "/api/v1/me/preferences", None),
    (1, "PUT", "/api/v1/me/preferences", lambda rng, _: {"preferences": _preferences(rng)}),
    (1, "GET", "/api/v1/me/avoided", None),
    (1, "POST", "/api/v1/me/avoided", _avoid),
    (1, "DELETE", "/api/v1/me/avoided/{person}", None),
    (1, "GET", "/api/v1/inbox", None),
    (1, "GET", "/api/v1/search", None),
    (2, "PUT", "/api/v1/search", lambda rng, _: _wish(rng)),
    (1, "DELETE", "/api/v1/search/{code}", None),
    (1, "GET", "/api/v1/friends", None),
    (
        1,
        "POST",
        "/api/v1/friends",
        lambda rng, world: {"name": "Eve"} if rng.random() < 0.5 else {"code": _code(world)},
    ),
    (1, "DELETE", "/api/v1/friends/{person}", None),
    (1, "POST", "/api/v1/friends/{person}/accept", None),
    (0.5, "GET", "/api/v1/me/friend-link", None),
    (0.5, "POST", "/api/v1/me/friend-link", None),
    (0.5, "GET", "/api/v1/friend-links/{code}", None),
    (1, "POST", "/api/v1/tables/{table}/invitations", lambda rng, world: {"friend": _any(rng, world.people)}),
    (1, "DELETE", "/api/v1/invitations/{table}", None),
    (1, "GET", "/api/v1/alerts", None),
    (1, "PUT", "/api/v1/alerts", lambda rng, _: _alert_choices(rng)),
    (1, "PUT", "/api/v1/alerts/email", lambda *_: {"email": "eve@localhost"}),
    (1, "PUT", "/api/v1/alerts/webhook", lambda *_: {"url": NOWHERE}),
    (1, "POST", "/api/v1/alerts/push", lambda *_: {"endpoint": NOWHERE, "p256dh": "B" * 87, "auth": "a" * 22}),
    (1, "POST", "/api/v1/alerts/push/remove", lambda *_: {"endpoint": NOWHERE}),
    (1, "POST", "/api/v1/alerts/confirm", lambda *_: {"token": "a.b.c"}),
    (1, "POST", "/api/v1/alerts/stop/{code}", None),
    (0.5, "POST", "/api/v1/alerts/test", None),
    (0.5, "GET", "/api/v1/vacation", None),
    (0.5, "POST", "/api/v1/vacation", lambda rng, _: {"days": rng.choice([1, 30, 366])}),
    (0.5, "DELETE", "/api/v1/vacation", None),
    (1, "GET", "/api/v1/puzzles", None),
    (1, "GET", "/api/v1/puzzles/{game}{query}", None),
    (1, "POST", "/api/v1/puzzles/{game}/try{query}", lambda rng, _: {"move": rng.choice(MOVES)}),
    (1, "POST", "/api/v1/puzzles/{game}/why{query}", lambda rng, _: {"move": rng.choice(MOVES)}),
    (1, "POST", "/api/v1/puzzles/{game}/preview{query}", lambda rng, _: {"move": rng.choice(MOVES)}),
]
ROUTES += PEOPLE_ROUTES
WEIGHTS = [route[0] for route in ROUTES]
QUERIES = ["invite", "seat", "from", "to", "mine", "state", "game", "player", "before", "limit", "since", "x", ""]
QUERIES += ["opponent", "result", "rated", "until", "after", "day"]


def _any(rng: random.Random, values: list[bytes]) -> str:
    return rng.choice(values).decode()


def _query(rng: random.Random, world: World) -> str:
    good = [_any(rng, world.invites), "0", "1", "20", "true", "false", "open", "playing", "finished", "guppies", "Eve"]
    good += ["won", "2026-11-01", "1790000000000"]
    parts = []
    for _ in range(rng.randrange(4)):
        value = rng.choice(good) if rng.random() < 0.7 else str(rng.choice([*TEXTS, *NUMBERS]))[:2_000]
        parts.append(f"{rng.choice(QUERIES)}={quote(value, safe='')}")
    return "?" + "&".join(parts) if parts else ""


def good_request(rng: random.Random, world: World) -> Request:
    """A request as a client makes it."""
    _, method, path, body = rng.choices(ROUTES, WEIGHTS)[0]
    path = path.replace("{table}", _any(rng, world.tables)).replace("{game}", rng.choice(GAMES))
    path = path.replace("{person}", _any(rng, world.people)).replace("{code}", _code(world))
    path = path.replace("{query}", _query(rng, world))
    headers = [(b"Host", b"fuzz")]
    if rng.random() < 0.85:
        headers.append((b"Cookie", b"wellies=" + rng.choice(world.cookies)))
    request = Request(method, path.encode(), headers, None)
    if body is not None:
        request.data = body(rng, world)
        request.body = dump(request.data)
        headers.append((b"Content-Type", b"application/json"))
        request.chunked = rng.random() < 0.1
    return request


# --- what can be wrong -----------------------------------------------------------------------------------------------


def _wrong_values(rng: random.Random, request: Request) -> None:
    if request.data is None:
        request.data = {}
    for _ in range(rng.randrange(1, 4)):
        request.data = mutate(rng, request.data)
    request.body = dump(request.data)


def _wrong_bytes(rng: random.Random, request: Request) -> None:
    request.body = damage(rng, request.body or b"{}")


def _wrong_encoding(rng: random.Random, request: Request) -> None:
    body = (request.body or b"{}").decode("utf-8", "replace")
    encoding = rng.choice(["utf-16", "utf-32", "utf-7", "latin-1", "utf-8-sig"])
    request.body = body.encode(encoding, "replace")
    request.headers.append((b"Content-Type", f"application/json; charset={encoding}".encode()))


def _big_body(rng: random.Random, request: Request) -> None:
    request.body = b'{"record":"' + b"x" * rng.choice([399_000, 401_000, 524_270, 530_000]) + b'"}'
    request.chunked = rng.random() < 0.5


def _other_type(rng: random.Random, request: Request) -> None:
    kinds = [b"text/plain", b"", b"multipart/form-data; boundary=x", b"application/x-www-form-urlencoded", b"x/y/z;;="]
    kinds += [b"application/msgpack", b"application/json; charset=nonsense", b"multipart/form-data"]
    request.headers = [header for header in request.headers if header[0] != b"Content-Type"]
    request.headers.append((b"Content-Type", rng.choice(kinds)))


def _other_method(rng: random.Random, request: Request) -> None:
    methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X"]
    request.method = rng.choice(methods)


def _other_path(rng: random.Random, request: Request) -> None:
    path = request.target
    tricks = [
        path + b"/",
        b"/" + path,
        path.replace(b"/", b"//"),
        path.replace(b"/api", b"/api/.."),
        path.replace(b"/v1", b"/v1/%2e%2e/v1"),
        path.replace(b"/", b"%2f"),
        path + b"%00",
        path + b"%ff%fe",
        path + b"%",
        path + b"%zz",
        path + b";a=b",
        path + b"#x",
        path + b"?" + b"a=b&" * 300,
        path.upper(),
        path + b"\xff",
        path + "/\u202e".encode(),
        b"/../../../../etc/passwd",
        b"/assets/%2e%2e/%2e%2e/app.py",
        b"/..\\..\\windows",
        b"http://evil.example" + path,
        b"//evil.example" + path,
        b"*",
        b"evil.example:443",
        b"/" + b"a/" * 400,
        b"/" + b"a" * 9_000,
        b"/" + b"a" * 17_000,
        b"/api/v1/tables/" + quote(rng.choice(TEXTS)[:500], safe="").encode(),
        b"/api/v1/games/" + quote(rng.choice(TEXTS)[:500], safe="").encode(),
        b"/ws/v1/tables/x",
    ]
    request.target = rng.choice(tricks)


def _forged_cookie(rng: random.Random, request: Request) -> None:
    real = next((value for name, value in request.headers if name == b"Cookie"), b"wellies=x.0.1.y.z")
    tricks = [
        real[: rng.randrange(len(real))],
        damage(rng, real).replace(b"\r", b"").replace(b"\n", b"").replace(b"\x00", b""),
        real + b"; " + real,
        b"wellies=; " + real,
        real.replace(b".0.", b".1."),
        real.replace(b".", b".." * 20),
        b"wellies=" + b"a" * 4_000,
        b"wellies=" + b"." * 150,
        b'wellies="' + real[8:] + b'"',
        b"wellies=\xff\xfe",
        b"wellies=%00",
        b"; ; ;=; =x; wellies",
        b"wellies=" + b"9" * 24 + b"." + b"9" * 90 + b".1.x." + b"f" * 64,
        b"a=b; " * 500 + real,
    ]
    request.headers = [header for header in request.headers if header[0] != b"Cookie"]
    request.headers.append((b"Cookie", rng.choice(tricks)))


def _odd_headers(rng: random.Random, request: Request) -> None:
    odd = [
        (b"Origin", rng.choice([b"https://evil.example", b"null", b"http://[::1", b"http://fuzz", b"\xff"])),
        (b"Sec-Fetch-Site", rng.choice([b"cross-site", b"same-origin", b"x" * 300])),
        (b"X-Forwarded-For", rng.choice([b"1.2.3.4", b"::1", b"x" * 300, b"\xff", b"[", b"1.2.3.4:99999", b","])),
        (b"X-Forwarded-Proto", rng.choice([b"https", b"ws", b"\xff", b"gopher"])),
        (b"Forwarded", b"for=1.2.3.4;proto=https"),
        (b"Accept-Encoding", rng.choice([b"gzip", b"gzip;q=0", b"\xff", b"*" * 500])),
        (b"Accept", rng.choice([b"text/html", b"application/xml", b"x" * 300, b"*/*;q=nonsense", b"\xff"])),
        (b"If-None-Match", rng.choice([b"*", b'"x"', b"\xff"])),
        (b"Range", b"bytes=0-0,0-0,0-0"),
        (b"Expect", b"100-continue"),
        (b"Content-Encoding", rng.choice([b"gzip", b"br", b"identity"])),
        (b"Connection", rng.choice([b"close", b"keep-alive", b"upgrade", b"close, upgrade"])),
        (b"Upgrade", rng.choice([b"websocket", b"h2c", b"x"])),
        (b"HTTP2-Settings", b"AAMAAABkAAQAAP__"),
        (b"Host", rng.choice([b"", b"evil.example", b"a b", b"[", b"fuzz, fuzz"])),
        (b"Content-Length", rng.choice([b"0", b"-1", b"+5", b"1e3", b"99999999999999999999", b"5, 5", b" 3", b""])),
        (b"Transfer-Encoding", rng.choice([b"chunked", b"gzip, chunked", b"xchunked", b"chunked, identity", b""])),
        (b"X-" + b"a" * rng.choice([10, 900, 17_000]), b"1"),
        (b"Bad Name", b"1"),
        (b"", b"1"),
        (b"X-Null", b"a\x00b"),
        (b"X-Fold", b"a\r\n b"),
        (b"X-Split", b"a\nX-More: b"),
        (b"Cookie", b"$Version=1; wellies"),
    ]
    for _ in range(rng.randrange(1, 4)):
        request.headers.append(rng.choice(odd))
    if rng.random() < 0.05:
        request.headers += [(b"X-Many", b"1")] * rng.choice([90, 130, 300])


REQUEST_MUTATIONS = [
    (8, _wrong_values),
    (3, _wrong_bytes),
    (1, _wrong_encoding),
    (0.1, _big_body),
    (1, _other_type),
    (1, _other_method),
    (3, _other_path),
    (2, _forged_cookie),
    (4, _odd_headers),
]


def _odd_chunks(rng: random.Random, request: Request) -> bytes:
    """Chunks that are not what they say."""
    body = request.body or b"{}"
    head = request.wire().partition(b"\r\n\r\n")[0]
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"content-length", b"transfer-"))]
    head = b"\r\n".join([*lines, b"Transfer-Encoding: chunked"]) + b"\r\n\r\n"
    size = b"%x" % len(body)
    return head + rng.choice(
        [
            size + b"\r\n" + body,
            size + b"\r\n" + body + b"\r\n",
            size + b";ext=" + b"x" * 500 + b"\r\n" + body + b"\r\n0\r\n\r\n",
            b"zz\r\n" + body + b"\r\n0\r\n\r\n",
            b"-1\r\n" + body + b"\r\n0\r\n\r\n",
            b"ffffffffffffffffff\r\n" + body,
            b"0x" + size + b"\r\n" + body + b"\r\n0\r\n\r\n",
            b"1\r\n" + body + b"\r\n0\r\n\r\n",
            size + b"\n" + body + b"\n0\n\n",
            b"0\r\nTrailer: x\r\n\r\n",
            b"0\r\n" + b"X: y\r\n" * 400 + b"\r\n",
            b"".join(b"1\r\n%c\r\n" % byte for byte in body[:400]) + b"0\r\n\r\n",
        ]
    )


def _odd_wire(rng: random.Random, request: Request) -> bytes:
    """Bytes that are nearly HTTP."""
    data = request.wire()
    head, _, body = data.partition(b"\r\n\r\n")
    return rng.choice(
        [
            damage(rng, data),
            data.replace(
                b"HTTP/1.1", rng.choice([b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/1.10", b"HTTX/1.1", b""]), 1
            ),
            data.replace(b"\r\n", b"\n"),
            data.replace(b"\r\n", b"\r"),
            b"\r\n\r\n" + data,
            data[: rng.randrange(len(data))],
            head + b"\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n" + body,
            head + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(50),
            rng.randbytes(rng.randrange(1, 400)),
            b"GET " + b"\x00" * 20 + b" HTTP/1.1\r\n\r\n",
            data + data + data,
        ]
    )


def http_input(rng: random.Random, world: World) -> Input:
    """One connection with one or a few requests."""
    wire = b""
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        request = good_request(rng, world)
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
            _, change = rng.choices(REQUEST_MUTATIONS, [weight for weight, _ in REQUEST_MUTATIONS])[0]
            change(rng, request)
        kind = rng.random()
        if kind < 0.06:
            wire += _odd_wire(rng, request)
        elif kind < 0.1:
            wire += _odd_chunks(rng, request)
        else:
            wire += request.wire()
    return Input("http", (*split(rng, wire), LAST))
