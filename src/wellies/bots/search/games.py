"""Which game the search knows more about than its rules."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.aquarium import AquariumKnowledge
from wellies.bots.search.guppies import GuppiesKnowledge
from wellies.bots.search.knowledge import Knowledge
from wellies.bots.search.marram import MarramKnowledge
from wellies.bots.search.puppies import PuppiesKnowledge
from wellies.bots.search.umbradeco import UmbradecoKnowledge

_QUICK: Final[dict[str, Knowledge]] = {}
_DEEP: Final[dict[str, Knowledge]] = {}


def knowledge_of(name: str, deep: bool = False) -> Knowledge:
    """What is known of the game of this name, for a quick thought or for a deep one; the same object every time."""
    known = _DEEP if deep else _QUICK
    knowledge = known.get(name)
    if knowledge is None:
        knowledge = _new(name)
        if deep:
            knowledge.deepen()
        known[name] = knowledge
    return knowledge


def _new(name: str) -> Knowledge:
    if name == "aquarium":
        return AquariumKnowledge()
    if name == "guppies":
        return GuppiesKnowledge()
    if name == "marram":
        return MarramKnowledge()
    if name == "puppies":
        return PuppiesKnowledge()
    if name == "umbradeco":
        return UmbradecoKnowledge()
    return Knowledge()
