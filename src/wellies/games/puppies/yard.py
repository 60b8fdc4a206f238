"""One player's yard: pups in groups, and the bones buried with each group.

Groups are numbered by breed, with `DOGGOS` for the one group that may still lack a breed. Everything is kept in flat
lists of numbers, so that copying a yard costs next to nothing.
"""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr
from wellies.games.puppies.material import BREEDS, CARDS, DOGGOS, FIRST_DOGGO, GROUPS, VALUES

_NO_PUPS: Final = [0] * GROUPS
_NO_BONES: Final = [0] * (GROUPS * 4)


@mypyc_attr(allow_interpreted_subclasses=True)
class Yard:
    """`size[group]` pups, `bones[group * 4 + level]` bones, and `value` points in bones.

    `pups` has each pup as `group * 100 + card`, in the order in which they came.
    """

    def __init__(self) -> None:
        self.pups: list[int] = []
        self.size: list[int] = _NO_PUPS[:]
        self.bones: list[int] = _NO_BONES[:]
        self.value = 0
        self.changes = 0
        """How often this object has been changed."""

    def clone(self) -> Yard:
        other = Yard()
        other.pups = self.pups[:]
        other.size = self.size[:]
        other.bones = self.bones[:]
        other.value = self.value
        return other

    # --- groups -----------------------------------------------------------------------------------------------------

    def groups(self) -> list[int]:
        """The groups in order of their number."""
        size = self.size
        return [group for group in range(GROUPS) if size[group]]

    def groups_by_age(self) -> list[int]:
        """The groups in the order in which they began."""
        groups: list[int] = []
        for pup in self.pups:
            if pup // CARDS not in groups:
                groups.append(pup // CARDS)
        return groups

    def pups_of(self, group: int) -> list[int]:
        """The cards of a group in the order in which they came."""
        return [pup % CARDS for pup in self.pups if pup // CARDS == group]

    def largest_group(self) -> int:
        """The group with most pups, of equals the one with most bones; 0 in an empty yard."""
        largest = 0
        most = 0
        for group in range(GROUPS):
            if self.size[group]:
                number = self.size[group] * CARDS + self.bone_count(group)
                if number > most:
                    largest, most = group, number
        return largest

    def homes(self, card: int) -> list[int]:
        """The groups that a pup may join: for a Doggo any group there is, for others that of the breed."""
        if card < FIRST_DOGGO:
            return [card // 10]
        return self.groups() or [DOGGOS]

    def add(self, card: int, group: int) -> None:
        """A pup joins a group. The first ordinary pup gives a group of Doggos its breed."""
        if group < BREEDS and self.size[DOGGOS]:
            self._name_doggos(group)
        self.size[group] += 1
        self.pups.append(group * CARDS + card)
        self.changes += 1

    def _name_doggos(self, breed: int) -> None:
        self.size[breed] += self.size[DOGGOS]
        self.size[DOGGOS] = 0
        for level in range(4):
            self.bones[breed * 4 + level] += self.bones[DOGGOS * 4 + level]
            self.bones[DOGGOS * 4 + level] = 0
        self.pups = [breed * CARDS + pup % CARDS if pup // CARDS == DOGGOS else pup for pup in self.pups]

    # --- bones ------------------------------------------------------------------------------------------------------

    def bone_count(self, group: int) -> int:
        bones = self.bones
        at = group * 4
        return bones[at] + bones[at + 1] + bones[at + 2] + bones[at + 3]

    def bone_values(self, group: int) -> list[int]:
        """What the bones of a group are worth, the smallest first."""
        return [VALUES[level] for level in range(4) for _ in range(self.bones[group * 4 + level])]

    def group_points(self, group: int) -> int:
        """The points in the bones of a group."""
        bones = self.bones
        at = group * 4
        return bones[at] + 2 * bones[at + 1] + 5 * bones[at + 2] + 10 * bones[at + 3]

    def bury(self, group: int) -> None:
        self.bones[group * 4] += 1
        self.value += 1
        self.changes += 1

    def upgrade(self, bone: int) -> None:
        """Turn the bone `group * 4 + level` to its next value."""
        self.bones[bone] -= 1
        self.bones[bone + 1] += 1
        self.value += VALUES[(bone & 3) + 1] - VALUES[bone & 3]
        self.changes += 1

    def move(self, bone: int, group: int) -> None:
        """Carry a bone to another group; it keeps its value."""
        self.bones[bone] -= 1
        self.bones[group * 4 + (bone & 3)] += 1
        self.changes += 1
