"""Backing up a database, checking a backup, and restoring it into an empty database of any kind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from wellies.core.sources import now_millis
from wellies.server.backup_file import (
    FORMAT,
    BackupReader,
    BackupTrouble,
    BackupWriter,
    Head,
    Manifest,
    RowSums,
    check_new,
    encode_rows,
    open_backup,
    temporary_file,
)
from wellies.server.storage.database import known_revisions
from wellies.server.storage.snapshot import Loader, Snapshot, open_empty, open_snapshot

Progress = Callable[[str, int, int], None]
"""What is done now, how many rows are done, and how many there are (0 if that is not known)."""


async def back_up(address: str, path: Path, progress: Progress) -> Manifest:
    """Write a database to a new file, while servers go on using it. The file is read again before it gets its name."""
    check_new(path)
    with temporary_file(path) as (raw, temporary):
        async with open_snapshot(address) as snapshot:
            made = datetime.fromtimestamp(now_millis() / 1000, UTC).isoformat(timespec="seconds")
            head = Head(FORMAT, snapshot.revision, version("wellies"), made, snapshot.columns)
            manifest = await _write(snapshot, BackupWriter(path, raw, head), progress)
        if check(temporary, progress) != manifest:
            raise BackupTrouble(f"{path} is not what was written to it; the disk may be damaged, use another.")
    return manifest


async def _write(snapshot: Snapshot, writer: BackupWriter, progress: Progress) -> Manifest:
    total = sum([await snapshot.count(table) for table in snapshot.columns])
    done = 0
    for table, columns in snapshot.columns.items():
        writer.begin_table(table)
        async for rows in snapshot.rows(table, columns):
            done += writer.add(table, rows)
            progress("reading the database", done, total)
    return writer.finish()


def check(path: Path, progress: Progress) -> Manifest:
    """Read all of a backup; returns what is in it. BackupTrouble if anything is wrong with it."""
    with open_backup(path) as reader:
        done = 0
        for _, lines in reader.batches():
            done += len(lines)
            progress("checking the backup", done, 0)
        assert reader.manifest is not None
        return reader.manifest


async def restore(address: str, path: Path, progress: Progress) -> Manifest:
    """Make an empty database what the backup says. The backup is checked before and compared with the database after;
    unless both succeed, the database stays empty."""
    manifest = check(path, progress)
    if manifest.revision not in known_revisions():
        raise BackupTrouble(
            f"{path} is of a database of a newer version of Wellies ({manifest.wellies}, schema {manifest.revision}); "
            "restore it with that version."
        )
    async with open_empty(address, manifest.revision) as loader:
        with open_backup(path) as reader:
            await _load(loader, reader, manifest, progress)
            await _compare(loader, reader.head, manifest, progress)
        await loader.finish()
    return manifest


async def _load(loader: Loader, reader: BackupReader, manifest: Manifest, progress: Progress) -> None:
    tables = reader.head.tables
    if _names(tables) != _names(loader.columns):
        raise BackupTrouble(
            f"the tables of the backup are not those of schema {manifest.revision}; use another backup."
        )
    done = 0
    for table, lines in reader.batches():
        await loader.insert(table, tables[table], [reader.row(line) for line in lines])
        done += len(lines)
        progress("writing the database", done, manifest.rows)
    if reader.manifest != manifest:
        raise BackupTrouble("the backup was changed while it was read; nothing was kept, try again.")


def _names(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    return {table: sorted(columns) for table, columns in tables.items()}


async def _compare(loader: Loader, head: Head, manifest: Manifest, progress: Progress) -> None:
    """Read all that was written."""
    done = 0
    for table, columns in head.tables.items():
        found = RowSums()
        async for rows in loader.rows(table, columns):
            found.add(encode_rows(table, rows))
            done += len(rows)
            progress("comparing", done, manifest.rows)
        if found.result() != manifest.tables[table]:
            raise BackupTrouble(
                f"the table {table} in the database is not that of the backup; nothing was kept, try another database."
            )
