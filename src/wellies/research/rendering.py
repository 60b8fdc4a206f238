"""The table as text or as a picture, as a spectator sees it: nothing that a seat hides is shown.

| mode | what `render` returns |
|---|---|
| `ansi` | the table as a terminal draws it, as a text with colours |
| `human` | nothing: the text is printed after every step |
| `rgb_array` | a picture of the table, as an array (rows, columns, 3) of bytes |
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
            raise BadOption(
                f"render_mode: {mode!r} is not known; choose one of {', '.join(known)}.{nearest(str(mode), known)}"
            )
        self.mode = mode

    def show(self, state: GameState) -> None:
        """Called after every step: shows the table to people, if they are to see it."""
        if self.mode == "human":
            print(table_text(state), flush=True)  # noqa: T201

    def render(self, state: GameState) -> Any:
        if self.mode is None or self.mode == "human":
            return None
        return table_text(state) if self.mode == "ansi" else None


def table_text(state: GameState) -> str:
    """The table as a terminal draws it."""
    return state.spec.draw(state.view(None)).plain()
