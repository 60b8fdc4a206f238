"""Files that a person at this computer names. A text that came over a network is never taken for a path."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from wellies.core.errors import BadMaterial

LARGEST_MATERIAL: Final = 200_000
"""Bytes; no card or tile file of ours comes near."""

MOST_CACHED: Final = 50
"""How many card or tile files of one game are kept in memory."""


def open_regular(path: str) -> int:
    """A handle to read a regular file. ValueError for a pipe, a device or a folder: reading one could wait for ever or
    never end. OSError as the system gives it."""
    # Without O_NONBLOCK, opening a named pipe waits until somebody writes to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError("not a regular file")
    return handle


def read_regular(path: str, largest: int) -> bytes:
    """The bytes of a regular file, at most `largest` + 1 of them. Errors as for `open_regular`."""
    handle = open_regular(path)
    try:
        data = b""
        while len(data) <= largest:
            more = os.read(handle, largest + 1 - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until new names in a folder are on disk too, if the system allows that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_material(path: str, what: str) -> Any:
    """The JSON in a card or tile file (`what`). BadMaterial says why it cannot be read."""
    try:
        data = read_regular(path, LARGEST_MATERIAL)
    except FileNotFoundError as error:
        raise BadMaterial(
            f"there is no {what} {path!r}; give the path of a JSON file, or the name of a set of cards."
        ) from error
    except (OSError, ValueError) as error:
        raise BadMaterial(
            f"{path!r} cannot be read as a {what}; give the path of a regular file, or the name of a set of cards."
        ) from error
    if len(data) > LARGEST_MATERIAL:
        raise BadMaterial(f"{path!r} is too large for a {what} (over {LARGEST_MATERIAL} bytes).")
    return _parse(data, repr(path))


def material_from(value: Any, what: str, cache: dict[str, Any], make: Callable[[Any], Any]) -> Any:
    """What `make` makes of a card or tile file (`what`), given as a path, as JSON text, or as JSON already parsed.

    `cache` keeps what was made by its text: enough for the tables of a server, not for every file ever tried.
    """
    if isinstance(value, str | Path):
        text = str(value)
        value = _parse(text.encode(), f"the {what}") if text.lstrip().startswith("{") else read_material(text, what)
    try:
        key = json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadMaterial(
            f"a {what} has texts, numbers, lists and objects only; this one has something else, take it out."
        ) from error
    if key not in cache:
        made = make(json.loads(key))
        if len(cache) > MOST_CACHED:
            cache.clear()
        cache[key] = made
    return cache[key]


def _parse(data: bytes, name: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BadMaterial(f"{name} is not JSON{place}; check commas, quotes and brackets there.") from error
