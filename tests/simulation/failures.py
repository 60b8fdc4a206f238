"""What the simulation finds."""

from __future__ import annotations


class SimulationFailure(AssertionError):
    """A promise that was broken: `kind` is a word by which two failures are compared, `what` says it in words."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind
        self.what = what
