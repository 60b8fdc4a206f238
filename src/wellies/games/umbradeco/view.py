"""What a view has beside the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.umbradeco.hidden import unseen
from wellies.games.umbradeco.material import COLOUR_COUNT, COLOURS

if TYPE_CHECKING:
    from wellies.games.umbradeco.state import UmbradecoState


def extra(state: UmbradecoState, viewer: int | None) -> Json:
    """The tiles that the viewer has not seen, by colour."""
    counts = unseen(state, viewer)
    return {"unseen": {COLOURS[colour]: counts[colour] for colour in range(COLOUR_COUNT)}}
