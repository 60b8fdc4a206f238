"""The table as text or as a picture, as a spectator sees it: nothing that a seat hides is shown.

- `ansi`: `render` returns the table as a terminal draws it.
- `human`: the same is printed after every step, and `render` returns nothing.
- `rgb_array`: `render` returns a picture of the board as the page draws it, as an array (rows, columns, 3) of bytes. It
  is the page itself, in a browser without a window: see `page_pictures`, which says what it needs.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.errors import BadOption, nearest
from wellies.core.state import GameState

RENDER_MODES: Final = ("ansi", "human", "rgb_array")


class Renderer:
    """Draws states in one mode; None draws nothing."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in RENDER_MODES:
            known = list(RENDER_MODES)
            hint = nearest(str(mode), known)
            raise BadOption(f"render_mode: {mode!r} is not known; choose one of {', '.join(known)}.{hint}")
        self.mode = mode

    def show(self, state: GameState) -> None:
        """Called after every step: shows the table to people, if they are to see it."""
        if self.mode == "human":
            print(state, flush=True)  # noqa: T201

    def render(self, state: GameState) -> Any:
        if self.mode == "ansi":
            return str(state)
        if self.mode == "rgb_array":
            from wellies.research.page_pictures import picture

            return picture(state)
        return None
