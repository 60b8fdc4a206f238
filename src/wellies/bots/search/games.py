"""Which game the search knows more about than its rules."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.aquarium import AquariumKnowledge
from wellies.bots.search.guppies import GuppiesKnowledge
from wellies.bots.search.knowledge import Knowledge
from wellies.bots.search.marram import MarramKnowledge
from wellies.bots.search.puppies import PuppiesKnowledge
from wellies.bots.search.umbradeco import UmbradecoKnowledge

_KINDS: Final[dict[str, type[Knowledge]]] = {
    "aquarium": AquariumKnowledge,
    "guppies": GuppiesKnowledge,
    "marram": MarramKnowledge,
    "puppies": PuppiesKnowledge,
    "umbradeco": UmbradecoKnowledge,
}
_QUICK: Final[dict[str, Knowledge]] = {}
_DEEP: Final[dict[str, Knowledge]] = {}


def knowledge_of(name: str, deep: bool = False) -> Knowledge:
    """What is known of the game of this name, for a quick thought or for a deep one; the default for any
    other game. The same object every time."""
    known = _DEEP if deep else _QUICK
    knowledge = known.get(name)
    if knowledge is None:
        knowledge = _KINDS.get(name, Knowledge)()
        if deep:
            knowledge.deepen()
        known[name] = knowledge
    return knowledge
