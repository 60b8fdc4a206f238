"""Which game the search knows more about than its rules."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.aquarium import AquariumHeuristics
from wellies.bots.search.guppies import GuppiesHeuristics
from wellies.bots.search.heuristics import Heuristics
from wellies.bots.search.marram import MarramHeuristics
from wellies.bots.search.puppies import PuppiesHeuristics
from wellies.bots.search.umbradeco import UmbradecoHeuristics

_KINDS: Final[dict[str, type[Heuristics]]] = {
    "aquarium": AquariumHeuristics,
    "guppies": GuppiesHeuristics,
    "marram": MarramHeuristics,
    "puppies": PuppiesHeuristics,
    "umbradeco": UmbradecoHeuristics,
}
_QUICK: Final[dict[str, Heuristics]] = {}
_DEEP: Final[dict[str, Heuristics]] = {}


def heuristics_for(name: str, deep: bool = False) -> Heuristics:
    """What is known of the game of this name, for a quick thought or for a deep one; the default for any
    other game. The same object every time."""
    known = _DEEP if deep else _QUICK
    heuristics = known.get(name)
    if heuristics is None:
        heuristics = _KINDS.get(name, Heuristics)()
        if deep:
            heuristics.deepen()
        known[name] = heuristics
    return heuristics
