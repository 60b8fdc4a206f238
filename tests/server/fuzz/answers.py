"""What a server may answer, whatever it was sent. Everything else is a `Problem`."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterator

import jsonschema_rs

from wellies.server.headers import ANSWER
from wellies.server.schemas import server_messages

ALWAYS = {name.decode() for name, _ in ANSWER} | {"cache-control"}
"""Headers that every answer has."""
HONEST = {"storage", "busy"}
"""Codes with which the server may say that it cannot do it now (503)."""
CLOSE_CODES = {1000, 1001, 1002, 1003, 1005, 1007, 1009, 1012, 4400, 4401, 4404, 4408, 4429}
CLIENT_CODES = range(1000, 5000)

MESSAGES = jsonschema_rs.validator_for(server_messages())


class Problem(Exception):
    """The server did what it must never do."""


class Answer:
    """One HTTP answer."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes, whole: bool) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.whole = whole


def answers_in(data: bytes) -> Iterator[tuple[Answer, bytes]]:
    """The HTTP answers in these bytes, each with the bytes after it. The last may be cut off."""
    while data:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        version, _, status = first.partition(" ")
        if version != "HTTP/1.1" or not status[:3].isdigit():
            raise Problem(f"this is no HTTP answer: {first!r}")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        number = int(status[:3])
        if number < 200 and number != 101:
            data = rest
            continue
        body, data, whole = _body(number, headers, rest)
        yield Answer(number, headers, body, whole), data
        if not whole:
            return


def _body(status: int, headers: dict[str, str], rest: bytes) -> tuple[bytes, bytes, bool]:
    # The answer to HEAD has a length and no body.
    if status in (101, 204, 304) or rest.startswith(b"HTTP/1.1 "):
        return b"", rest, True
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while True:
            size, end, rest = rest.partition(b"\r\n")
            if not end:
                return body, b"", False
            length = int(size, 16)
            body, rest = body + rest[:length], rest[length + 2 :]
            if not length:
                return body, rest, True
    length = int(headers.get("content-length", "0"))
    return rest[:length], rest[length:], len(rest) >= length


def check_http(data: bytes, seen: Counter[str]) -> None:
    """Every answer is a clean one."""
    for answer, _ in answers_in(data):
        seen[f"HTTP {answer.status}"] += 1
        check_answer(answer)


def check_answer(answer: Answer) -> None:
    missing = ALWAYS - set(answer.headers)
    if missing and answer.status != 101:
        raise Problem(f"{answer.status} without the headers {', '.join(sorted(missing))}")
    if b"Traceback" in answer.body:
        raise Problem(f"a traceback is shown: {answer.body[:2_000]!r}")
    if not answer.whole or (not answer.body and answer.status < 500):
        return
    if answer.status >= 400:
        code = _code(answer)
        if answer.status >= 500 and not (answer.status == 503 and code in HONEST):
            raise Problem(f"{answer.status}: {answer.body[:500]!r}")


def _code(answer: Answer) -> str:
    """The code of an error, if the error has the right form."""
    try:
        found = json.loads(answer.body)
        assert set(found) == {"code", "message"}
        assert all(isinstance(value, str) and value for value in found.values())
        assert answer.headers["content-type"].partition(";")[0] == "application/json"
    except (ValueError, AssertionError, KeyError) as error:
        raise Problem(f"{answer.status} in a form of its own: {answer.headers} {answer.body[:500]!r}") from error
    return str(found["code"])


def check_socket(data: bytes, seen: Counter[str]) -> None:
    """The opening is a clean answer, and every frame after it a known message."""
    for answer, rest in answers_in(data):
        if answer.status != 101:
            seen[f"opening {answer.status}"] += 1
            check_answer(answer)
            continue
        seen["opening 101"] += 1
        _check_frames(rest, seen)
        return


def frames_in(data: bytes | bytearray, place: int = 0) -> Iterator[tuple[int, bytes]]:
    """The frames of a server in these bytes, from a place on: the kind and the content of each."""
    while len(data) >= place + 2:
        length, start = data[place + 1] & 127, place + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            start, length = start + size, int.from_bytes(data[start : start + size], "big")
        if len(data) < start + length:
            return
        yield data[place] & 15, bytes(data[start : start + length])
        place = start + length


def _check_frames(data: bytes, seen: Counter[str]) -> None:
    for opcode, content in frames_in(data):
        if opcode == 1:
            _check_message(content, seen)
        elif opcode == 8:
            _check_close(content, seen)
        elif opcode not in (9, 10):
            raise Problem(f"a frame of kind {opcode}: {content[:200]!r}")


def _check_message(content: bytes, seen: Counter[str]) -> None:
    try:
        message = json.loads(content)
    except ValueError as error:
        raise Problem(f"a message that is not JSON: {content[:500]!r}") from error
    if not MESSAGES.is_valid(message):
        raise Problem(f"an unknown message: {content[:500]!r}")
    code = message.get("code", "")
    if code == "internal":
        raise Problem(f"an error of the server's own: {content!r}")
    seen[f"message {message['type']}{' ' + code if code else ''}"] += 1


def _check_close(content: bytes, seen: Counter[str]) -> None:
    code = struct.unpack("!H", content[:2])[0] if content else 1005
    # A close of the client is answered with its own code.
    if code not in CLOSE_CODES and not (code in CLIENT_CODES and code not in (1011, 1014)):
        raise Problem(f"closed with {code}: {content[2:]!r}")
    seen[f"close {code}"] += 1
