"""What a trick allows next: the interpreter of the four verbs bury, upgrade, move and draw.

A trick under way is a `Frame`. `options` lists what its present part offers; the state asks, acts, and notes what was
done in the frame.
"""

from __future__ import annotations

from wellies.core.native import mypyc_attr
from wellies.games.puppies.material import ANYWHERE, BURY, DRAW, EACH, HERE, MOVE, NONE, TOP, Step
from wellies.games.puppies.moves import BURY_AT, DIG, shift, shift_bone, up, up_bone
from wellies.games.puppies.yard import Yard


@mypyc_attr(allow_interpreted_subclasses=True)
class Frame:
    """A trick under way: whose it is, which part it has come to, and what of that part is done."""

    def __init__(self, card: int, here: int, pups: int) -> None:
        self.card = card
        self.here = here  # the group that the pup joined
        self.pups = pups  # N: the pups of that group when it joined
        self.part = 0
        self.done = 0  # bones buried, upgraded or moved, or pups drawn, in this part
        self.served = 0  # the groups that had their share, as bits
        self.touched: list[int] = []  # the bones upgraded already, as group * 4 + level
        self.bone = -1  # the bone that may be turned once more, as group * 4 + level
        self.turned = 0  # how often it was turned
        self.source = -1  # the one group that bones are moved from

    def clone(self) -> Frame:
        other = Frame(self.card, self.here, self.pups)
        other.part = self.part
        other.done = self.done
        other.served = self.served
        other.touched = self.touched[:]
        other.bone = self.bone
        other.turned = self.turned
        other.source = self.source
        return other

    def next_part(self) -> None:
        self.part += 1
        self.done = 0
        self.served = 0
        self.touched = []
        self.bone = -1
        self.turned = 0
        self.source = -1

    # --- what was done ----------------------------------------------------------------------------------------------

    def note_bury(self, group: int) -> None:
        self.done += 1
        self.served |= 1 << group

    def note_upgrade(self, step: Step, bone: int) -> None:
        """A bone was turned; it may be turned again while the part allows it and it is below 10."""
        self.turned += 1
        after = bone + 1
        if self.turned < step.number(step.times, self.pups) and after & 3 < TOP:
            self.bone = after
            return
        self.let_go(after)

    def let_go(self, bone: int) -> None:
        """The bone in hand is finished with."""
        self.done += 1
        self.served |= 1 << (bone >> 2)
        self.touched.append(bone)
        self.touched.sort()
        self.bone = -1
        self.turned = 0

    def note_move(self, bone: int) -> None:
        self.done += 1
        self.source = bone >> 2


def options(yard: Yard, step: Step, frame: Frame) -> list[int]:
    """The moves that this part of the trick offers beside `stop`; none when it is finished or can do nothing."""
    verb = step.verb
    count = frame.pups if step.count < 0 else step.count
    if verb == BURY:
        return _bury_options(yard, step, frame, count)
    if verb == MOVE:
        if frame.done >= count:
            return []
        return _move_options(yard, step, frame)
    if verb == DRAW:
        return [DIG] if frame.done < count else []
    return _upgrade_options(yard, step, frame, count)


def _bury_options(yard: Yard, step: Step, frame: Frame, count: int) -> list[int]:
    if step.where == EACH:
        limit = step.number(step.fewer_than, frame.pups)
        return [
            BURY_AT + group
            for group in yard.groups()
            if not frame.served >> group & 1 and (limit == NONE or yard.bone_count(group) < limit)
        ]
    if frame.done >= count:
        return []
    if step.where == HERE:
        return [BURY_AT + frame.here]
    return [BURY_AT + group for group in yard.groups() if step.where == ANYWHERE or group != frame.here]


def _upgrade_options(yard: Yard, step: Step, frame: Frame, count: int) -> list[int]:
    if frame.bone >= 0:
        return [up(frame.bone)]
    if step.where == EACH:
        limit = step.number(step.groups, frame.pups)
        if limit != NONE and frame.done >= limit:
            return []
        groups = [group for group in yard.groups() if not frame.served >> group & 1]
    elif frame.done >= count:
        return []
    elif step.where == HERE:
        groups = [frame.here]
    else:
        groups = [group for group in yard.groups() if step.where == ANYWHERE or group != frame.here]
    bones = yard.bones
    touched = frame.touched
    moves: list[int] = []
    # Level first: the moves come out in order of their numbers.
    for level in range(TOP):
        if step.showing not in (NONE, level):
            continue
        for group in groups:
            bone = group * 4 + level
            if bones[bone] and (not touched or bones[bone] > touched.count(bone)):
                moves.append(up(bone))
    return moves


def _move_options(yard: Yard, step: Step, frame: Frame) -> list[int]:
    if step.where == EACH and frame.source >= 0:
        groups = [frame.source]
    else:
        groups = [group for group in yard.groups() if group != frame.here]
    bones = yard.bones
    return [
        shift(group * 4 + level, frame.here) for level in range(TOP + 1) for group in groups if bones[group * 4 + level]
    ]


def most(yard: Yard, step: Step, frame: Frame, cards: int) -> int:
    """How many moves of this part may still follow one another, chosen freely; `cards` are left to be buried."""
    count = step.number(step.count, frame.pups)
    moves = options(yard, step, frame)
    if step.verb == BURY:
        return min(cards, len(moves) if step.where == EACH else count - frame.done)
    if step.verb == MOVE:
        bones = [yard.bone_count(group) for group in {shift_bone(move) >> 2 for move in moves}]
        return min(max(bones) if step.where == EACH else sum(bones), count - frame.done)
    if step.verb == DRAW or frame.bone >= 0 or step.number(step.times, frame.pups) > 1:
        return 1
    if step.where == EACH:
        open_groups = len({up_bone(move) >> 2 for move in moves})
        limit = step.number(step.groups, frame.pups)
        return open_groups if limit == NONE else min(open_groups, limit - frame.done)
    left = sum(yard.bones[up_bone(move)] - frame.touched.count(up_bone(move)) for move in moves)
    return min(left, count - frame.done)
