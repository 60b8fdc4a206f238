"""The hundred cards in the form the rules work with: tricks as short lists of steps, bonuses as one record each.

`material_file.py` reads and checks the cards, `card_text.py` puts them into English. There are two sets of our own: the
standard cards of rules version 1 are in `cards.json`, and `balanced.json` has those that the balanced cards of rules
version 2 change (docs/balance.md says why).
"""

from __future__ import annotations

from typing import Final

from wellies.core.events import Json
from wellies.core.native import mypyc_attr

STANDARD: Final = "standard"
BALANCED: Final = "balanced"

CARDS: Final = 100
BREEDS: Final = 9
DOGGOS: Final = 9
"""The group of Doggos that has no breed yet, numbered after the nine breeds."""
GROUPS: Final = 10
FIRST_DOGGO: Final = 90

VALUES: Final[tuple[int, ...]] = (1, 2, 5, 10)
"""What a bone is worth at each of its four levels."""
TOP: Final = 3

# --- the vocabulary of tricks -----------------------------------------------------------------------------------------

BURY: Final = 0
UPGRADE: Final = 1
MOVE: Final = 2
DRAW: Final = 3

HERE: Final = 0
OTHERS: Final = 1
EACH: Final = 2
ANYWHERE: Final = 3

N: Final = -1
"""Stands for the number of pups in the group of the pup whose trick it is."""
ALL: Final = 1000
"""As many as there are."""
NONE: Final = -2
"""No such restriction."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Step:
    """One part of a trick. Numbers may be `N`."""

    def __init__(self, verb: int, count: int, where: int = HERE) -> None:
        self.verb = verb
        self.count = count  # bones to bury, upgrade or move; pups to draw
        self.where = where  # for a move: OTHERS, or EACH for "one other group"
        self.times = 1  # how often each bone is upgraded
        self.fewer_than = NONE  # only groups with fewer bones than this
        self.groups = NONE  # in no more groups than this
        self.showing = NONE  # only bones at this level
        self.tricks = False  # drawn pups use their tricks

    def number(self, value: int, pups: int) -> int:
        """A number of this step with N filled in."""
        return pups if value == N else value


# --- the vocabulary of bonuses ----------------------------------------------------------------------------------------

EVERY_BONE: Final = 0
PUP_HERE: Final = 1
BONE_HERE: Final = 2
BREED_IN_YARD: Final = 3
POORER_GROUP: Final = 4
PUP_OF: Final = 5

ALWAYS: Final = 0
IF_BIGGEST: Final = 1
IF_FEW_GROUPS: Final = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class Bonus:
    """What a breed does to the bones of its group at the end of the game."""

    def __init__(self, counted: int, times: int) -> None:
        self.counted = counted  # what is counted to know how many bones are upgraded
        self.times = times
        self.per = 1  # so many of what is counted for one bone
        self.of = 0  # the breed, for PUP_OF
        self.showing = NONE
        self.condition = ALWAYS
        self.limit = 0  # groups at most, for IF_FEW_GROUPS


# --- the cards --------------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Trick:
    """A trick with its name and where we know both from."""

    def __init__(self, name: str, steps: list[Step], text: str, source: str) -> None:
        self.name = name
        self.steps = steps
        self.text = text
        self.source = source


@mypyc_attr(allow_interpreted_subclasses=True)
class Breed:
    """A breed: `key` is how moves and positions write it."""

    def __init__(self, key: str, name: str, one: str, bonus: Bonus, text: str, source: str) -> None:
        self.key = key
        self.name = name
        self.one = one
        self.bonus = bonus
        self.text = text
        self.source = source


@mypyc_attr(allow_interpreted_subclasses=True)
class Cards:
    """All hundred cards. `tricks` has one entry for each card number."""

    def __init__(self, breeds: list[Breed], tricks: list[Trick], doggos: list[Trick], data: Json) -> None:
        self.breeds = breeds
        self.tricks: list[Trick] = [tricks[card % 10] for card in range(FIRST_DOGGO)] + doggos
        self.data = data  # the whole file, as records and positions keep it
        self.keys: list[str] = [breed.key for breed in breeds] + ["doggos"]
        self.names: list[str] = [breed.name for breed in breeds] + ["Doggos"]
        self.titles: list[str] = [self._title(card) for card in range(CARDS)]

    def _title(self, card: int) -> str:
        kind = "Doggo" if card >= FIRST_DOGGO else self.breeds[card // 10].one
        return f"{card:02d} {self.tricks[card].name} {kind}"
