"""Reads files that users name, and writes games atomically, so that none is half written or lost."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import platformdirs

from wellies.core.errors import WelliesError
from wellies.core.files import read_regular, sync_folder

LARGEST: Final = 5_000_000
"""Bytes; larger files are refused before they are read."""

SUFFIX: Final = ".wellies"


class FileTrouble(WelliesError):
    """A file that cannot be read or written; the message names it and the cure."""


def show_path(path: Path) -> str:
    """A path for a shell: `~` for the home folder, quoted if it has spaces."""
    text = str(path)
    home = str(Path.home())
    if text.startswith(home + os.sep):
        text = "~" + text[len(home) :]
    return f'"{text}"' if any(char.isspace() for char in text) else text


# --- reading --------------------------------------------------------------------------------------------------------


def _the_file(what: str) -> str:
    return f"the {what}" if what.endswith("file") else f"the {what} file"


def read_text(path: Path, what: str) -> str:
    """The text of a file. FileTrouble says in one line what is wrong with it; `what` is what it should be."""
    try:
        if path.is_dir():
            raise FileTrouble(f"{path} is a folder; give {_the_file(what)} itself.")
        data = read_regular(str(path), LARGEST)
    except FileNotFoundError as error:
        raise FileTrouble(f"there is no file {path}; check the name of the {what}.") from error
    except (OSError, ValueError) as error:
        raise FileTrouble(f"cannot read {path} ({reason(error)}); give a {what} that you may read.") from error
    if len(data) > LARGEST:
        raise FileTrouble(f"{path} is bigger than {LARGEST // 1_000_000} MB; this is no {what}.")
    if not data.strip():
        raise FileTrouble(f"{path} is empty; give a {what}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileTrouble(f"{path} is not UTF-8 text (line {line}); save the {what} as UTF-8.") from error


def read_json(path: Path, what: str) -> Any:
    """The JSON in a file."""
    text = read_text(path, what)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FileTrouble(f"{path} is not JSON: {error.msg} at {place}; correct it there.") from error
    except (ValueError, RecursionError) as error:
        raise FileTrouble(f"{path} is not JSON that can be read ({error}); give a {what}.") from error


def reason(error: Exception) -> str:
    """Why the system refused, in a few words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def refusal(error: OSError) -> str:
    """A sentence about an unexpected error of the system."""
    where = f" with {error.filename}" if error.filename else ""
    return f"the system reports an error{where} ({reason(error)}); check that it exists, and that you may use it."


# --- writing --------------------------------------------------------------------------------------------------------


def write_text(path: Path, text: str, option: str = "--save") -> None:
    """Write a file atomically: a crash at any moment leaves either the old text or the new one."""
    write_bytes(path, text.encode("utf-8"), option)


def write_bytes(path: Path, data: bytes, option: str = "--save") -> None:
    """The same for bytes. `option` is the command-line option that chooses another file."""
    if path.exists() and not path.is_file():
        raise FileTrouble(
            f"{path} is not a regular file, so it is not overwritten; choose another name with {option} FILE."
        )
    handle = -1
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
        os.close(handle)
        handle = -1
        os.replace(temporary, path)
        temporary = ""
        sync_folder(path.parent)
    except OSError as error:
        raise FileTrouble(f"cannot write {path} ({reason(error)}); choose another place with {option} FILE.") from error
    finally:
        if handle >= 0:
            os.close(handle)
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def check_writable(path: Path) -> None:
    """FileTrouble unless a file can be written here. It is tried, so that an error is known before the game begins."""
    if path.is_dir():
        raise FileTrouble(f"{path} is a folder; name a file in it, such as {path / ('game' + SUFFIX)}.")
    try:
        handle, temporary = tempfile.mkstemp(prefix=".wellies-try-", dir=path.parent)
    except FileNotFoundError as error:
        raise FileTrouble(f"there is no folder {path.parent}; make it first, or save elsewhere with --save.") from error
    except (OSError, ValueError) as error:
        raise FileTrouble(
            f"games cannot be saved in {path.parent} ({reason(error)}); choose another place with --save FILE."
        ) from error
    os.close(handle)
    with contextlib.suppress(OSError):
        os.unlink(temporary)


def check_folder(path: Path, option: str) -> None:
    """FileTrouble if it is clear, without trying, that a file of this name cannot be created."""
    if path.is_dir():
        raise FileTrouble(f"{option} {path} is a folder; name a file in it.")
    if not path.absolute().parent.is_dir():
        raise FileTrouble(f"{option} {path}: there is no folder {path.parent}; make it first.")
    if not os.access(path.absolute().parent, os.W_OK):
        raise FileTrouble(f"{option} {path}: nothing can be written in {path.parent}; choose another place.")


# --- the folder of games --------------------------------------------------------------------------------------------


def games_folder() -> Path:
    """Where games are saved when no file is named."""
    return Path(platformdirs.user_data_dir("wellies", appauthor=False)) / "games"


def arena_folder() -> Path:
    """Where the results of arenas are saved when no file is named."""
    return Path(platformdirs.user_data_dir("wellies", appauthor=False)) / "arena"


def new_save(game: str, now: datetime) -> Path:
    """A new file in the folder of games. The folder is created if it is missing."""
    return new_file(games_folder(), f"{game}-{now:%Y-%m-%d-%H%M}", SUFFIX, "games", "--save")


def new_file(folder: Path, stem: str, suffix: str, what: str, option: str) -> Path:
    """A new, empty file in a folder, which is created if it is missing. `what` and `option` are for error messages."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(
            f"{what} cannot be saved in {folder} ({reason(error)}); choose another place with {option} FILE."
        ) from error
    number = 1
    while True:
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
        try:
            path.touch(mode=0o600, exist_ok=False)  # reserves the name, in case two games start at once
            return path
        except FileExistsError:
            number += 1
        except OSError as error:
            raise FileTrouble(
                f"{what} cannot be saved in {folder} ({reason(error)}); choose another place with {option} FILE."
            ) from error


def unfinished(limit: int, game: str | None = None) -> list[Path]:
    """The latest saved games that have not ended, newest first; of one game if it is given. Files that cannot be read
    are skipped."""
    try:
        found = [(path.stat().st_mtime, path) for path in games_folder().glob(f"*{SUFFIX}")]
    except OSError:
        return []
    result: list[Path] = []
    for _, path in sorted(found, reverse=True)[:50]:
        if len(result) == limit:
            break
        with contextlib.suppress(FileTrouble):
            head = read_text(path, "saved game").partition("\n\n")[0]
            if head.startswith("Game:" if game is None else f"Game: {game}\n") and "\nResult:" not in head:
                result.append(path)
    return result
