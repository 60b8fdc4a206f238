"""Requests that a table refuses."""

from __future__ import annotations

from wellies.core.errors import WelliesError


class Refused(WelliesError):
    """A request that a table does not grant. `code` is for programs and never changes, the message is for people,
    `status` is the matching HTTP status."""

    def __init__(self, code: str, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
