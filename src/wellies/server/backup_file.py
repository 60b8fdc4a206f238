"""The file format of backups.

The file is compressed with gzip and holds lines of JSON. The first line says what it is (`Head`). Then comes each
table: a line with its name, and a line with the values of each row. The last line has the number of rows and a checksum
of each table, and a checksum of all lines before it (`End`).
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from wellies.core.errors import WelliesError
from wellies.core.files import open_regular, sync_folder

FORMAT: Final = 1
LONGEST_LINE: Final = 64 * 1024 * 1024
"""Bytes; no row of ours comes near."""
LINES_AT_ONCE: Final = 1_000
_GZIP: Final = b"\x1f\x8b"
_PLAIN: Final = (str, int, float, bool, type(None))
"""Values that come out of JSON as they went in, whatever the database."""

Kind = TypeVar("Kind")


class BackupTrouble(WelliesError):
    """A backup that cannot be written, read or restored; the message names the file and the cure."""


class Head(msgspec.Struct):
    """The first line."""

    wellies_backup: int
    """The version of the format."""
    revision: str
    """The revision of the database's schema."""
    wellies: str
    """The version of Wellies that wrote it."""
    made: str
    tables: dict[str, list[str]]
    """The columns of each table."""


class TableStart(msgspec.Struct):
    """The line before the rows of a table."""

    table: str


class TableSum(msgspec.Struct):
    """What the rows of a table must add up to."""

    rows: int
    checksum: str


class End(msgspec.Struct):
    """The last line."""

    end: dict[str, TableSum]
    checksum: str
    """SHA-256 of all lines before."""


class Manifest(msgspec.Struct):
    """What is in a backup."""

    format: int
    revision: str
    wellies: str
    made: str
    tables: dict[str, TableSum]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


class RowSums:
    """Adds up the rows of a table. A database keeps no order, so the checksum is the sum of the rows' SHA-256."""

    def __init__(self) -> None:
        self._rows = 0
        self._total = 0

    def add(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self._rows += 1
            self._total += int.from_bytes(hashlib.sha256(line).digest(), "big")

    def result(self) -> TableSum:
        return TableSum(self._rows, f"{self._total % (1 << 256):064x}")


def encode_rows(table: str, rows: Iterable[Sequence[Any]]) -> list[bytes]:
    """Rows as lines of a backup."""
    lines = []
    for row in rows:
        values = list(row)
        if not all(isinstance(value, _PLAIN) for value in values):
            raise BackupTrouble(f"a row of the table {table} has a value that a backup cannot hold.")
        lines.append(msgspec.json.encode(values))
    return lines


# --- writing -------------------------------------------------------------------------------------------------------


class BackupWriter:
    """Writes a backup: its head first, then each table, then its end."""

    def __init__(self, path: Path, raw: BinaryIO, head: Head) -> None:
        self._path = path
        self._raw = raw
        self._head = head
        self._packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        self._whole = hashlib.sha256()
        self._sums: dict[str, RowSums] = {}
        self._put([msgspec.json.encode(head)])

    def begin_table(self, table: str) -> None:
        self._sums[table] = RowSums()
        self._put([msgspec.json.encode(TableStart(table))])

    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> int:
        """Write rows of the table that was begun last; returns how many."""
        lines = encode_rows(table, rows)
        self._sums[table].add(lines)
        self._put(lines)
        return len(lines)

    def finish(self) -> Manifest:
        """Write the end, and wait until all is on disk."""
        sums = {table: added.result() for table, added in self._sums.items()}
        self._put([msgspec.json.encode(End(sums, self._whole.hexdigest()))])
        with write_errors(self._path):
            self._packed.close()
            self._raw.flush()
            os.fsync(self._raw.fileno())
        return _manifest(self._head, sums)

    def _put(self, lines: list[bytes]) -> None:
        data = b"".join(line + b"\n" for line in lines)
        self._whole.update(data)
        with write_errors(self._path):
            self._packed.write(data)


def _manifest(head: Head, sums: dict[str, TableSum]) -> Manifest:
    return Manifest(head.wellies_backup, head.revision, head.wellies, head.made, sums)


def check_new(path: Path) -> None:
    """BackupTrouble unless a new file can have this name."""
    if path.is_dir():
        raise BackupTrouble(f"{path} is a folder; name a file in it, such as {path / 'wellies.backup'}.")
    if path.is_symlink() and not path.exists():
        raise BackupTrouble(f"{path} is a link to a file that is not there; remove the link, or choose another name.")
    if path.exists():
        raise BackupTrouble(f"{path} exists already, and a backup never overwrites a file; choose another name.")
    if not path.absolute().parent.is_dir():
        raise BackupTrouble(f"there is no folder {path.parent}; make it first, or choose another place.")


@contextlib.contextmanager
def temporary_file(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A file beside `path`, which only its owner may read. It is renamed to `path` at the end; an error removes it."""
    with write_errors(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.absolute().parent)
    try:
        raw = open(handle, "wb")  # noqa: SIM115
        try:
            yield raw, Path(name)
        finally:
            with contextlib.suppress(OSError):  # `BackupWriter.finish` has seen to it that all is on disk
                raw.close()
        with write_errors(path):
            os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    sync_folder(path.absolute().parent)


@contextlib.contextmanager
def write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BackupTrouble(f"cannot write {path} ({why}); make room, or choose another place.") from error


# --- reading -------------------------------------------------------------------------------------------------------


class BackupReader:
    """A backup, read once from its beginning to its end, and checked meanwhile."""

    def __init__(self, path: Path, packed: gzip.GzipFile) -> None:
        self._path = path
        self._packed = packed
        self._whole = hashlib.sha256()
        with _read_errors(path):
            self.head = self._read_head()
        self.manifest: Manifest | None = None
        """What is in it, when all of it was read and found right."""

    def batches(self) -> Iterator[tuple[str, list[bytes]]]:
        """Lines of rows, some at a time, each time with their table. BackupTrouble if anything is wrong, at the end at
        the latest."""
        sums = {table: RowSums() for table in self.head.tables}
        with _read_errors(self._path):
            for table in self.head.tables:
                if self._decode(self._line(), TableStart).table != table:
                    raise _damaged(self._path, f"the table {table} is missing")
                yield from self._rows(table, sums[table])
            before = self._whole.hexdigest()
            end = self._decode(self._line(), End)
            if end.checksum != before:
                raise _damaged(self._path, "its checksum is wrong")
            for table, added in sums.items():
                if end.end.get(table) != added.result():
                    raise _damaged(self._path, f"the checksum of the table {table} is wrong")
            if self._packed.read(1):
                raise _damaged(self._path, "something follows its end")
        self.manifest = _manifest(self.head, end.end)

    def row(self, line: bytes) -> list[Any]:
        """The values of a row."""
        return self._decode(line, list[Any])

    def _rows(self, table: str, sums: RowSums) -> Iterator[tuple[str, list[bytes]]]:
        lines: list[bytes] = []
        while self._packed.peek(1)[:1] == b"[":
            lines.append(self._line())
            if len(lines) == LINES_AT_ONCE:
                sums.add(lines)
                yield table, lines
                lines = []
        sums.add(lines)
        yield table, lines

    def _read_head(self) -> Head:
        line = self._line()
        try:
            given = msgspec.json.decode(line)
        except msgspec.DecodeError:
            given = None
        if not isinstance(given, dict) or not isinstance(given.get("wellies_backup"), int):
            raise _not_a_backup(self._path)
        if given["wellies_backup"] > FORMAT:
            raise BackupTrouble(
                f"{self._path} was made by a newer version of Wellies (format {given['wellies_backup']}); use that one."
            )
        return self._decode(line, Head)

    def _line(self) -> bytes:
        line = self._packed.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            why = "its last lines are missing" if len(line) < LONGEST_LINE else "a line is too long"
            raise _damaged(self._path, why)
        self._whole.update(line)
        return line[:-1]

    def _decode(self, line: bytes, kind: type[Kind]) -> Kind:
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            raise _damaged(self._path, "a line is not what it should be") from error


@contextlib.contextmanager
def open_backup(path: Path) -> Iterator[BackupReader]:
    """A backup to be read. BackupTrouble says what is wrong with it, here or while it is read."""
    try:
        handle = open_regular(str(path))
    except FileNotFoundError as error:
        raise BackupTrouble(f"there is no file {path}; check the name of the backup.") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BackupTrouble(f"cannot read {path} ({why.lower()}); give a backup that you may read.") from error
    with open(handle, "rb") as raw:
        if raw.peek(2)[:2] != _GZIP:
            raise _not_a_backup(path)
        with gzip.GzipFile(fileobj=raw, mode="rb") as packed:
            yield BackupReader(path, packed)


@contextlib.contextmanager
def _read_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except EOFError as error:
        raise _damaged(path, "it is cut off") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, "it cannot be unpacked") from error
    except OSError as error:
        raise BackupTrouble(f"cannot read {path} ({(error.strerror or str(error)).lower()}).") from error


def _not_a_backup(path: Path) -> BackupTrouble:
    return BackupTrouble(f"{path} is not a backup of Wellies; give a file that `wellies backup` wrote.")


def _damaged(path: Path, why: str) -> BackupTrouble:
    return BackupTrouble(f"{path} is damaged: {why}; copy it again, or use another backup.")
