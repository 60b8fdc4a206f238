"""What can go wrong with the database."""

from __future__ import annotations

from wellies.core.errors import WelliesError


class StorageTrouble(WelliesError):
    """The database did not do what was asked; nothing was acknowledged."""


class RowRefused(StorageTrouble):
    """The database works but refuses this row. Other rows are not affected."""


class NameTaken(Exception):
    """Another account has this name."""


class Conflict(Exception):
    """Another worker has appended to the table first: catch up and decide again."""
