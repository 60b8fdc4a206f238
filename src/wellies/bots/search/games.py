"""Which game the search knows more about than its rules."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.aquarium import AquariumKnowledge
from wellies.bots.search.guppies import GuppiesKnowledge
from wellies.bots.search.knowledge import Knowledge
from wellies.bots.search.marram import MarramKnowledge
from wellies.bots.search.puppies import PuppiesKnowledge
from wellies.bots.search.umbradeco import UmbradecoKnowledge

_KNOWN: Final[dict[str, Knowledge]] = {
    "aquarium": AquariumKnowledge(),
    "guppies": GuppiesKnowledge(),
    "marram": MarramKnowledge(),
    "puppies": PuppiesKnowledge(),
    "umbradeco": UmbradecoKnowledge(),
}
_DEFAULT: Final = Knowledge()


def knowledge_of(name: str) -> Knowledge:
    """What is known of the game of this name; the default for any other."""
    return _KNOWN.get(name, _DEFAULT)
