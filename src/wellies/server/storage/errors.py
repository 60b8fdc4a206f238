"""What can go wrong with the database only; the rest is in `wellies.table.errors`."""

from __future__ import annotations


class NameTaken(Exception):
    """Another account has this name."""


class NoIdentity(Exception):
    """There is nobody of this id any more."""
