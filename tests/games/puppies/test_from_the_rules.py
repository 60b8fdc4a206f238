"""Good Puppies played beside a slow and obvious table of our own, which follows the rules sentence by sentence.

The table knows nothing of the engine. It is a generator: it says who may decide and what, and is told who did what.
After every move of random games the two must agree: who is to move, the moves as text, chance and its weights, the
points with their reasons, every card and bone, the end and the winners.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Generator
from itertools import product
from typing import Any

import pytest

import wellies
from wellies import (
    CHANCE,
    BadNotation,
    BadOption,
    BadPosition,
    Event,
    GameState,
    IllegalMove,
    MoveError,
    Stream,
    UnknownPiece,
)

SPEC = wellies.game("puppies")

BREEDS = "pugs corgis beagles dachshunds huskies pitbulls labradors shibas aussies".split()
BETTER = {1: 2, 2: 5, 5: 10}
DECK = {2: 45, 3: 60, 4: 75, 5: 90}

Ask = dict[int, list[str]]
"""Who may decide now, and the texts of what each may do."""
Play = Generator[Ask, tuple[int, str], None]


class Bone:
    """A card nobody sees, showing a value."""

    def __init__(self, value: int = 1) -> None:
        self.value = value

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.value = BETTER.get(self.value, 10)


class Group:
    def __init__(self, breed: str, pups: list[int] | None = None, bones: list[int] | None = None) -> None:
        self.breed = breed
        self.pups = pups or []
        self.bones = [Bone(value) for value in bones or []]

    def values(self) -> list[int]:
        return sorted(bone.value for bone in self.bones)


def best_gain(values: list[int], bones: int, times: int) -> int:
    """The most points from upgrading so many different bones so often: by trying how many to take of each value."""
    most = 0
    kinds = sorted(set(values))
    for counts in product(*(range(values.count(kind) + 1) for kind in kinds)):
        if sum(counts) <= bones:
            now = 0
            for kind, count in zip(kinds, counts, strict=True):
                bone = Bone(kind)
                bone.turn(times)
                now += count * (bone.value - kind)
            most = max(most, now)
    return most


def bonus_of(group: Group, yard: list[Group]) -> int:
    """The end-of-game bonus of one group, the yard being as it is before any bonus."""
    values = group.values()
    others = [other for other in yard if other is not group]
    if group.breed == "pugs":  # For every 2 pups here, upgrade a bone twice.
        return best_gain(values, len(group.pups) // 2, 2)
    if group.breed == "corgis":  # If no group of mine has more pups, upgrade every bone once.
        if any(len(other.pups) > len(group.pups) for other in others):
            return 0
        return best_gain(values, len(values), 1)
    if group.breed == "beagles":  # For each other group with fewer bones, upgrade a bone twice.
        return best_gain(values, sum(1 for other in others if len(other.bones) < len(values)), 2)
    if group.breed == "dachshunds":  # For each pup here, upgrade a bone once.
        return best_gain(values, len(group.pups), 1)
    if group.breed == "huskies":  # For each Aussie I have, upgrade a bone twice.
        return best_gain(values, sum(len(other.pups) for other in others if other.breed == "aussies"), 2)
    if group.breed == "pitbulls":  # Upgrade every bone that shows 1 twice.
        return best_gain([value for value in values if value == 1], len(values), 2)
    if group.breed == "labradors":  # For every 2 bones here, upgrade a bone twice.
        return best_gain(values, len(values) // 2, 2)
    if group.breed == "shibas":  # If I have at most 3 groups, upgrade every bone once.
        return best_gain(values, len(values), 1) if len(yard) <= 3 else 0
    if group.breed == "aussies":  # For each breed in my yard, upgrade a bone once.
        return best_gain(values, len(yard), 1)
    assert group.breed == "doggos"  # A Doggo group that never got a breed has no bonus.
    return 0


def balanced_bonus_of(group: Group, yard: list[Group]) -> int:
    """The same with the cards of rules version 2."""
    values = group.values()
    others = [other for other in yard if other is not group]
    if group.breed == "corgis":  # If no group of mine has more pups, for each pup here, upgrade a bone twice.
        if any(len(other.pups) > len(group.pups) for other in others):
            return 0
        return best_gain(values, len(group.pups), 2)
    if group.breed == "beagles":  # For each other group with fewer bones, upgrade a bone once.
        return best_gain(values, sum(1 for other in others if len(other.bones) < len(values)), 1)
    if group.breed == "pitbulls":  # For each pup here, upgrade a bone that shows 1 twice.
        return best_gain([value for value in values if value == 1], len(group.pups), 2)
    if group.breed == "shibas":  # If I have at most 6 groups, upgrade every bone once.
        return best_gain(values, len(values), 1) if len(yard) <= 6 else 0
    return bonus_of(group, yard)


class Table:
    """A game as people would play it, with cards of which nobody has looked at those in the deck."""

    cards = "standard"
    bonus_of = staticmethod(bonus_of)

    def __init__(self, seats: int, extended: bool = False, strategic: bool = False) -> None:
        self.seats = seats
        self.deck = DECK[seats + extended]
        self.box = 100 - self.deck
        self.hand_size = 5 if strategic else 3
        self.park_size = 5 if strategic else seats + 1
        self.choices = 2 if strategic else 1
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.open: list[set[int]] = [set() for _ in range(seats)]
        self.chosen: list[list[int]] = [[] for _ in range(seats)]
        self.yards: list[list[Group]] = [[] for _ in range(seats)]
        self.park: list[int] = []
        self.to_play: list[tuple[int, int]] = []
        """(card, seat): shown and not yet in a yard."""
        self.drawn: list[int] = []
        """A pup, drawn or left over, on its way to a yard."""
        self.round = 1
        self.final = False
        self.over = False
        self.bonuses: list[dict[str, int]] = [{} for _ in range(seats)]
        self.gains: list[tuple[int, str, int]] = []
        """(seat, rule, points) since this was last emptied."""

    # --- cards ------------------------------------------------------------------------------------------------------

    def unseen(self) -> list[int]:
        """Every card that lies nowhere in sight of all players together: in the deck, in the box, or as a bone."""
        seen = set(self.park) | set(self.drawn) | {card for card, _ in self.to_play}
        for seat in range(self.seats):
            seen |= set(self.hands[seat])
            seen |= {card for group in self.yards[seat] for card in group.pups}
        return [card for card in range(100) if card not in seen]

    def chance(self) -> Generator[Ask, tuple[int, str], int]:
        """A card is drawn from the deck, or from the box if the deck is empty."""
        _, text = yield {CHANCE: [f"draw {card:02d}" for card in self.unseen()]}
        self.take_card()
        return int(text.split()[1])

    def take_card(self) -> None:
        if self.deck:
            self.deck -= 1
        else:
            self.box -= 1

    def cards_left(self) -> bool:
        return self.deck + self.box > 0

    # --- a game -----------------------------------------------------------------------------------------------------

    def game(self) -> Play:
        for seat in range(self.seats):
            while len(self.hands[seat]) < self.hand_size:
                card = yield from self.chance()
                self.hands[seat].append(card)
        yield from self.rounds()

    def rounds(self) -> Play:
        """From the beginning of a round to the end of the game."""
        while True:
            self.final = self.deck < self.park_size
            if not self.final:
                for _ in range(self.park_size):
                    card = yield from self.chance()
                    self.park.append(card)
            yield from self.choose()
            yield from self.turns()
            if self.final:
                break
            self.round += 1
        for seat in range(self.seats):
            for group in self.yards[seat]:
                points = self.bonus_of(group, self.yards[seat])
                if points:
                    self.bonuses[seat][group.breed] = points
                    self.gains.append((seat, f"bonus {group.breed}", points))
        self.over = True

    def choose(self) -> Play:
        """All choose at the same time, in secret; all are revealed."""
        while True:
            ask: Ask = {}
            for seat in range(self.seats):
                if len(self.chosen[seat]) < self.choices:
                    free = [card for card in self.hands[seat] if card not in self.chosen[seat]]
                    ask[seat] = [f"choose {card:02d}" for card in free]
            if not ask:
                break
            seat, text = yield ask
            self.chosen[seat].append(int(text.split()[1]))
        for seat in range(self.seats):
            for card in self.chosen[seat]:
                self.hands[seat].remove(card)
                self.open[seat].discard(card)
                self.to_play.append((card, seat))
            self.chosen[seat] = []

    def turns(self) -> Play:
        """From the highest number to the lowest."""
        last = -1
        while self.to_play:
            card, seat = max(self.to_play)
            last = seat
            yield from self.play_pup(seat, card, with_trick=True)
            if not self.final:
                _, text = yield {seat: [f"take {card:02d}" for card in self.park]}
                taken = int(text.split()[1])
                self.park.remove(taken)
                self.hands[seat].append(taken)
                self.open[seat].add(taken)
        if not self.final:
            (leftover,) = self.park
            yield from self.play_pup(last, leftover, with_trick=False)

    # --- pups -------------------------------------------------------------------------------------------------------

    def gone(self, card: int) -> None:
        """The card lies in a yard now, and nowhere else."""
        self.to_play = [(other, seat) for other, seat in self.to_play if other != card]
        self.park = [other for other in self.park if other != card]
        self.drawn = [other for other in self.drawn if other != card]

    def play_pup(self, seat: int, card: int, with_trick: bool) -> Play:
        yard = self.yards[seat]
        if card >= 90:
            if not yard:
                yard.append(Group("doggos"))
            here = yard[0]
            if len(yard) > 1:
                _, text = yield {seat: [f"join {group.breed}" for group in yard]}
                here = self.group(seat, text.split()[1])
        else:
            breed = BREEDS[card // 10]
            if len(yard) == 1 and yard[0].breed == "doggos":
                yard[0].breed = breed
            mine = [group for group in yard if group.breed == breed]
            if not mine:
                mine = [Group(breed)]
                yard += mine
            here = mine[0]
        self.gone(card)
        here.pups.append(card)
        if with_trick:
            yield from self.trick(seat, card, here, len(here.pups))

    def group(self, seat: int, breed: str) -> Group:
        (found,) = [group for group in self.yards[seat] if group.breed == breed]
        return found

    # --- tricks -----------------------------------------------------------------------------------------------------

    def trick(self, seat: int, card: int, here: Group, n: int) -> Play:
        yard = self.yards[seat]
        others = [group for group in yard if group is not here]
        name = str(card) if card >= 90 else f"x{card % 10}"
        if name == "x0":  # Bury a bone here, then upgrade one bone here twice.
            if (yield from self.bury(seat, [here], 1)):
                yield from self.upgrade_one(seat, [here], 2)
        elif name == "x1":  # Bury N bones here.
            yield from self.bury(seat, [here], n)
        elif name == "x2":  # Upgrade up to N different bones here, once each.
            yield from self.upgrade_different(seat, [here], n)
        elif name == "x3":  # Each of my groups with fewer than N bones buries a bone.
            yield from self.bury_each(seat, [group for group in yard if len(group.bones) < n])
        elif name == "x4":  # Move up to N bones from my other groups to here, then upgrade one bone here.
            yield from self.move(seat, others, here, n, one_group=False)
            yield from self.upgrade_one(seat, [here], 1)
        elif name == "x5":  # Upgrade one bone here up to N times.
            yield from self.upgrade_one(seat, [here], n)
        elif name == "x6":  # Bury 2 bones here.
            yield from self.bury(seat, [here], 2)
        elif name == "x7":  # Draw and play 2 pups, without their tricks.
            yield from self.draw(seat, 2, with_tricks=False)
        elif name == "x8":  # Bury N bones in my other groups, divided as I like.
            yield from self.bury(seat, others, n)
        elif name == "x9":  # Upgrade one bone in each of up to N groups.
            yield from self.upgrade_groups(seat, yard, n)
        elif name == "90":  # Bury 3 bones here.
            yield from self.bury(seat, [here], 3)
        elif name == "91":  # Upgrade every bone here that shows 1.
            ones = [bone for bone in here.bones if bone.value == 1]
            yield from self.upgrade_different(seat, [here], len(ones), ones)
        elif name == "92":  # Each of my groups buries a bone.
            yield from self.bury_each(seat, list(yard))
        elif name == "93":  # Upgrade one bone in each of my groups.
            yield from self.upgrade_groups(seat, yard, len(yard))
        elif name == "94":  # Draw and play a pup, and use its trick.
            yield from self.draw(seat, 1, with_tricks=True)
        elif name == "95":  # Upgrade one bone here twice.
            yield from self.upgrade_one(seat, [here], 2)
        elif name == "96":  # Move any number of bones from one other group to here.
            yield from self.move(seat, others, here, 100, one_group=True)
        elif name == "97":  # Draw and play 3 pups, without their tricks.
            yield from self.draw(seat, 3, with_tricks=False)
        elif name == "98":  # Bury N bones here, then upgrade one of the bones here.
            if (yield from self.bury(seat, [here], n)):
                yield from self.upgrade_one(seat, [here], 1)
        else:  # Upgrade up to N different bones anywhere in my yard, once each.
            assert name == "99"
            yield from self.upgrade_different(seat, yard, n)

    def put_bone(self, seat: int, group: Group) -> None:
        self.take_card()
        group.bones.append(Bone())
        self.gains.append((seat, "bones", 1))

    def turn_bone(self, seat: int, bone: Bone) -> None:
        before = bone.value
        bone.turn()
        self.gains.append((seat, "bones", bone.value - before))

    def bury(self, seat: int, groups: list[Group], bones: int) -> Generator[Ask, tuple[int, str], bool]:
        """So many bones in these groups. False if there were not cards enough: the rest of the trick is lost."""
        for _ in range(bones):
            if not groups:
                return True
            if not self.cards_left():
                return False
            _, text = yield {seat: ["stop", *(f"bury {group.breed}" for group in groups)]}
            if text == "stop":
                return True
            self.put_bone(seat, self.group(seat, text.split()[1]))
        return True

    def bury_each(self, seat: int, groups: list[Group]) -> Play:
        """One bone in each of these groups, in any order."""
        while groups and self.cards_left():
            _, text = yield {seat: ["stop", *(f"bury {group.breed}" for group in groups)]}
            if text == "stop":
                return
            group = self.group(seat, text.split()[1])
            self.put_bone(seat, group)
            groups.remove(group)

    def pick(self, seat: int, bones: list[tuple[Group, Bone]]) -> Generator[Ask, tuple[int, str], Bone | None]:
        """One of these bones to upgrade; a 10 is never upgraded."""
        texts = sorted({f"up {bone.value} {group.breed}" for group, bone in bones if bone.value < 10})
        if not texts:
            return None
        _, text = yield {seat: ["stop", *texts]}
        for group, bone in bones:
            if text == f"up {bone.value} {group.breed}":
                self.turn_bone(seat, bone)
                return bone
        assert text == "stop"
        return None

    def upgrade_one(self, seat: int, groups: list[Group], times: int) -> Play:
        """One bone, so many times."""
        candidates = [(group, bone) for group in groups for bone in group.bones]
        for _ in range(times):
            bone = yield from self.pick(seat, candidates)
            if bone is None:
                return
            candidates = [(group, other) for group, other in candidates if other is bone]

    def upgrade_different(self, seat: int, groups: list[Group], most: int, only: list[Bone] | None = None) -> Play:
        """Different bones, once each."""
        candidates = [(group, bone) for group in groups for bone in group.bones if only is None or bone in only]
        for _ in range(most):
            bone = yield from self.pick(seat, candidates)
            if bone is None:
                return
            candidates = [(group, other) for group, other in candidates if other is not bone]

    def upgrade_groups(self, seat: int, groups: list[Group], most: int) -> Play:
        """One bone in each of so many groups."""
        candidates = [(group, bone) for group in groups for bone in group.bones]
        for _ in range(most):
            bone = yield from self.pick(seat, candidates)
            if bone is None:
                return
            candidates = [(group, other) for group, other in candidates if bone not in group.bones]

    def move(self, seat: int, sources: list[Group], here: Group, most: int, one_group: bool) -> Play:
        """Bones from other groups to here, each keeping its value."""
        for _ in range(most):
            texts = sorted(
                {f"move {bone.value} {group.breed} {here.breed}" for group in sources for bone in group.bones}
            )
            if not texts:
                return
            _, text = yield {seat: ["stop", *texts]}
            if text == "stop":
                return
            _, value, source, _ = text.split()
            group = self.group(seat, source)
            bone = next(bone for bone in group.bones if bone.value == int(value))
            group.bones.remove(bone)
            here.bones.append(bone)
            if one_group:
                sources = [group]

    def draw(self, seat: int, pups: int, with_tricks: bool) -> Play:
        for _ in range(pups):
            if not self.cards_left():
                return
            _, text = yield {seat: ["stop", "draw"]}
            if text == "stop":
                return
            card = yield from self.chance()
            self.drawn.append(card)
            yield from self.play_pup(seat, card, with_tricks)

    # --- points -----------------------------------------------------------------------------------------------------

    def points(self, seat: int) -> dict[tuple[str, str], int]:
        """By rule and group; groups that give nothing are left out."""
        found = {("bones", group.breed): sum(group.values()) for group in self.yards[seat] if group.bones}
        found.update({(f"bonus {breed}", breed): points for breed, points in self.bonuses[seat].items()})
        return found


class BalancedTable(Table):
    """The same with the cards of rules version 2."""

    cards = "balanced"
    bonus_of = staticmethod(balanced_bonus_of)

    def trick(self, seat: int, card: int, here: Group, n: int) -> Play:
        if card < 90 and card % 10 == 6:  # Bury a bone here, then bury a bone in my other groups.
            if (yield from self.bury(seat, [here], 1)):
                yield from self.bury(seat, [group for group in self.yards[seat] if group is not here], 1)
        elif card < 90 and card % 10 == 0:  # Bury a bone here, then upgrade one bone here.
            if (yield from self.bury(seat, [here], 1)):
                yield from self.upgrade_one(seat, [here], 1)
        elif card == 90:  # Bury 2 bones in my other groups, divided as I like.
            yield from self.bury(seat, [group for group in self.yards[seat] if group is not here], 2)
        elif card == 94:  # Draw and play a pup, without its trick, then bury a bone here.
            yield from self.draw(seat, 1, with_tricks=False)
            yield from self.bury(seat, [here], 1)
        elif card == 98:  # Bury a bone in my other groups, then upgrade up to 2 different bones here, once each.
            if (yield from self.bury(seat, [group for group in self.yards[seat] if group is not here], 1)):
                yield from self.upgrade_different(seat, [here], 2)
        else:
            yield from super().trick(seat, card, here, n)


# --- the comparison ---------------------------------------------------------------------------------------------------


def compare(state: GameState, table: Table, ask: Ask) -> None:
    assert state.active() == sorted(ask)
    assert state.due() == sorted(ask)
    for seat in [CHANCE, *range(table.seats)]:
        texts = [SPEC.move_text(state, seat, move) for move in state.legal(seat)]
        assert sorted(texts) == sorted(ask.get(seat, []))
    assert len({state.weight(move) for move in state.legal(CHANCE)}) <= 1, "every unseen card is as likely as any other"

    position = state.position()
    assert position["round"] == table.round
    assert position["final"] == table.final
    assert (position["deck"], position["box"]) == (table.deck, table.box)
    on_its_way = position.get("pup")
    assert sorted(set(position["park"]) - {on_its_way}) == sorted(set(table.park) - {on_its_way})
    bones = 0
    for seat, told in enumerate(position["seats"]):
        assert sorted(told["hand"]) == sorted(table.hands[seat])
        assert sorted(told["open"]) == sorted(table.open[seat])
        chosen = told["chosen"]
        listed = [] if chosen is None else chosen if isinstance(chosen, list) else [chosen]
        assert sorted(listed) == sorted(table.chosen[seat])
        groups = {group["breed"]: (group["pups"], sorted(group["bones"])) for group in told["groups"]}
        assert len(groups) == len(told["groups"])
        assert groups == {group.breed: (group.pups, group.values()) for group in table.yards[seat]}
        bones += sum(len(group["bones"]) for group in told["groups"])
        lines = state.score_lines(seat)
        points: dict[tuple[str, str], int] = {}
        for line in lines:
            (where,) = line.where
            points[line.rule, where] = points.get((line.rule, where), 0) + line.points
        assert points == table.points(seat)
        assert state.scores()[seat] == sum(points.values())
    assert len(table.unseen()) == table.deck + table.box + bones, "a hundred cards, always"

    outcome = state.outcome()
    assert (outcome is not None) == table.over
    if outcome is not None:
        totals = [sum(table.points(seat).values()) for seat in range(table.seats)]
        assert outcome.scores == totals
        assert outcome.winners == [seat for seat in range(table.seats) if totals[seat] == max(totals)]
        assert ("bark-off!" in outcome.reason) == (len(outcome.winners) > 1)


def play_beside(state: GameState, table: Table, play: Play, rng: Stream) -> None:
    """A random game at both; stopping is rarer than it would be, so that much happens."""
    ask = next(play)
    while True:
        compare(state, table, ask)
        if table.over:
            return
        seats = sorted(ask)
        seat = seats[rng.randrange(len(seats))]
        texts = ask[seat]
        if len(texts) > 1 and texts[0] == "stop" and rng.randrange(8):
            texts = texts[1:]
        text = texts[rng.randrange(len(texts))]
        heard: list[Event] = []
        state.apply(seat, SPEC.parse_move(state, seat, text), heard.append)
        table.gains = []
        try:
            ask = play.send((seat, text))
        except StopIteration:
            ask = {}
        told: dict[tuple[int, str], int] = {}
        for event in heard:
            for scorer, line in event.lines:
                told[scorer, line.rule] = told.get((scorer, line.rule), 0) + line.points
        gained: dict[tuple[int, str], int] = {}
        for scorer, rule, points in table.gains:
            gained[scorer, rule] = gained.get((scorer, rule), 0) + points
        assert {key: points for key, points in told.items() if points} == gained


TABLES = [(seats, extended, False) for seats in (2, 3, 4, 5) for extended in (False, True) if seats < 5 or not extended]
TABLES += [(2, False, True), (2, True, True)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [Table, BalancedTable])
@pytest.mark.parametrize(("seats", "extended", "strategic"), TABLES)
def test_whole_games(seats: int, extended: bool, strategic: bool, kind: type[Table], seed: int) -> None:
    table = kind(seats, extended, strategic)
    state = SPEC.start(seats, {"extended": extended, "strategic": strategic, "cards": kind.cards})
    play_beside(state, table, table.game(), Stream(f"whole {seats} {extended} {strategic} {seed}"))


def crowded(seats: int, strategic: bool, rng: Stream) -> tuple[GameState, Table]:
    """The beginning of a round near the end: yards with pups and bones, and few cards left anywhere."""
    table = Table(seats, strategic=strategic)
    cards = list(range(100))
    free = [cards.pop(rng.randrange(len(cards))) for _ in range(100)]
    free += [free.pop(free.index(90 + rng.randrange(10)))]  # one Doggo at least in a hand
    for seat in range(seats):
        table.hands[seat] = [free.pop() for _ in range(table.hand_size)]
        for _ in range(rng.randrange(5)):
            card = free.pop()
            yard = table.yards[seat]
            if card >= 90 and not yard:
                yard.append(Group("doggos", [card]))
            elif card >= 90:
                yard[rng.randrange(len(yard))].pups.append(card)
            else:
                list(table.play_pup(seat, card, with_trick=False))
    left = len(free)
    stock = rng.randrange(16)
    groups = [group for yard in table.yards for group in yard]
    if not groups:
        stock = left
    for _ in range(left - stock):
        groups[rng.randrange(len(groups))].bones.append(Bone([1, 1, 1, 2, 2, 5, 10][rng.randrange(7)]))
    table.box = min(stock, rng.randrange(8))
    table.deck = stock - table.box
    table.round = 7
    position: dict[str, Any] = {
        "game": "puppies",
        "options": {"strategic": strategic},
        "round": 7,
        "final": table.deck < table.park_size,
        "deck": table.deck,
        "box": table.box,
        "seats": [
            {
                "hand": sorted(table.hands[seat]),
                "groups": [
                    {"breed": group.breed, "pups": group.pups, "bones": group.values()} for group in table.yards[seat]
                ],
            }
            for seat in range(seats)
        ],
    }
    return SPEC.from_position(position), table


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("seats", "strategic"), [(2, False), (3, False), (4, False), (5, False), (2, True)])
def test_the_last_rounds_of_crowded_tables(seats: int, strategic: bool, seed: int) -> None:
    rng = Stream(f"crowded {seats} {strategic} {seed}")
    state, table = crowded(seats, strategic, rng)
    play_beside(state, table, table.rounds(), rng)


def test_options_that_a_number_of_players_does_not_have() -> None:
    with pytest.raises(BadOption, match="extended"):
        SPEC.start(5, {"extended": True})
    for seats in (3, 4, 5):
        with pytest.raises(BadOption, match="strategic"):
            SPEC.start(seats, {"strategic": True})
    for seats in (1, 6):
        with pytest.raises(BadOption):
            SPEC.start(seats)


# --- positions that cannot be ----------------------------------------------------------------------------------------

CHOOSING: dict[str, Any] = {
    "game": "puppies",
    "round": 4,
    "phase": "choose",
    "park": [12, 45, 90],
    "seats": [
        {
            "hand": [7, 41, 83],
            "open": [41],
            "chosen": 83,
            "groups": [{"breed": "aussies", "pups": [81, 92], "bones": [1, 5]}],
        },
        {"hand": [60, 61, 62], "open": [60], "chosen": None, "groups": []},
    ],
}
TRICK: dict[str, Any] = {
    "game": "puppies",
    "final": True,
    "phase": "trick",
    "seats": [
        {
            "groups": [
                {"breed": "huskies", "pups": [41, 44], "bones": [1, 2]},
                {"breed": "pugs", "pups": [1], "bones": [5]},
            ]
        },
        {},
    ],
    "turns": [{"seat": 0, "card": 44}, {"seat": 1, "card": 6}],
    "tricks": [{"card": 44, "here": "huskies", "n": 2, "part": 0, "done": 0}],
}
"""A Crafty Husky, with two bones to move at the most."""


def changed(position: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The position with one thing in it changed; the path is as messages write it: `seats[0].groups[0].bones`."""
    position = copy.deepcopy(position)
    keys: list[Any] = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", path)]
    place: Any = position
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return position


GROUP = "seats[0].groups[0]"
SECOND = {"breed": "aussies", "pups": [82], "bones": []}
DOGGOS = {"breed": "doggos", "pups": [93], "bones": []}
NO_SEATS: list[Any] = [[], [{}], [{}] * 6, {}, "x", None, [1, 2]]
NO_GROUPS: list[Any] = ["x", 3, [3], {}]
NO_OPTIONS: list[Any] = [{"extended": 3}, {"x": 1}, [], "x"]
BAD: list[tuple[dict[str, Any], str, Any, str]] = [
    *((CHOOSING, "round", value, "round") for value in (-1, 0, "x", 1.5, None, True)),
    *((CHOOSING, "final", value, "final") for value in ("x", 1, None, True)),
    *((CHOOSING, "phase", value, "phase") for value in ("chose", 3, None)),
    *(
        (CHOOSING, "phase", value, "")
        for value in ("deal", "join", "trick", "draw", "take", "leftover", "over", "turn")
    ),
    *((CHOOSING, "park", value, "park") for value in ([12, 45], [12, 45, 90, 91], "12", None, 3)),
    *((CHOOSING, "park", [12, 45, value], "park[2]") for value in (100, -1, "90", "?", True, None)),
    (CHOOSING, "park", [12, 12, 45], "12"),
    (CHOOSING, "park", [12, 45, 83], "83"),
    (CHOOSING, "park", [12, 45, 81], "81"),
    *((CHOOSING, "deck", value, "deck") for value in (-1, 101, "x", None, 1.5, [1], 88)),
    *((CHOOSING, "box", value, "box") for value in (-1, 101, "x", None, 1.5, [1], 90)),
    *((CHOOSING, "seats", value, "seats") for value in NO_SEATS),
    (CHOOSING, "seats[0].score", 3, "seats[0].score"),
    (CHOOSING, "seats[0].hand", [7, 41, 83, 84], "seats[0].hand"),
    *((CHOOSING, "seats[0].hand", [7, 41, value], "seats[0].hand[2]") for value in (100, -1, "x", True, None)),
    *((CHOOSING, "seats[0].hand", value, "seats[0].hand") for value in ("x", 3)),
    (CHOOSING, "seats[0].hand", [60, 41, 83], "60"),
    (CHOOSING, "seats[0].hand", [12, 41, 83], "12"),
    (CHOOSING, "seats[0].hand", [81, 41, 83], "81"),
    *((CHOOSING, "seats[0].open", value, "seats[0].open") for value in ([99], "x", 41, [41, "?"], [41, 41])),
    *((CHOOSING, "seats[0].chosen", value, "seats[0].chosen") for value in (8, "x", True, -1, 100, [83, 7])),
    (CHOOSING, "seats[1].chosen", 62, "chosen"),
    *((CHOOSING, "seats[0].groups", value, "seats[0].groups") for value in NO_GROUPS),
    (CHOOSING, "seats[0].groups", [CHOOSING["seats"][0]["groups"][0], SECOND], "seats[0].groups[1]"),
    (CHOOSING, "seats[0].groups", [CHOOSING["seats"][0]["groups"][0], DOGGOS], "seats[0].groups[1]"),
    *((CHOOSING, f"{GROUP}.breed", value, f"{GROUP}.breed") for value in ("cats", "Aussies", 3, None)),
    *((CHOOSING, f"{GROUP}.breed", value, GROUP) for value in ("doggos", "pugs")),
    *(
        (CHOOSING, f"{GROUP}.pups", value, f"{GROUP}.pups")
        for value in ([], [81, 41], [92], "x", [71], ["?"], [81, 100])
    ),
    (CHOOSING, f"{GROUP}.pups", [81, 81], "81"),
    *((CHOOSING, f"{GROUP}.bones", [1, value], f"{GROUP}.bones[1]") for value in (0, 3, 11, "5", "?", True, None)),
    *((CHOOSING, f"{GROUP}.bones", value, f"{GROUP}.bones") for value in ("x", 3, None)),
    (CHOOSING, f"{GROUP}.colour", "red", f"{GROUP}.colour"),
    *((CHOOSING, name, 0, name) for name in ("to_move", "bag", "scores")),
    *((CHOOSING, "options", value, "option") for value in NO_OPTIONS),
    (CHOOSING, "options", {"strategic": True}, "park"),
    (CHOOSING, "game", "guppies", "guppies"),
    (CHOOSING, "turns", [{"seat": 0, "card": 83}], "turns"),
    (CHOOSING, "pup", 93, "pup"),
    (CHOOSING, "tricks", TRICK["tricks"], "tricks"),
    *((CHOOSING, "check", value, "check") for value in ("x", 0, None)),
    *((TRICK, "turns", value, "turns") for value in ([], "x", TRICK["turns"][::-1], [{"card": 44}], [{"seat": 0}])),
    *((TRICK, "turns[0].seat", value, "turns[0].seat") for value in (2, -1, "0", None)),
    *((TRICK, "turns[0].card", value, "turns[0]") for value in (45, 100, "44", None)),
    (TRICK, "turns[1].seat", 0, "turns"),
    (TRICK, "turns[1].card", 1, "01"),
    (TRICK, "turns[1].card", 44, "turns"),
    (TRICK, "turns[1].x", 1, "turns[1].x"),
    *((TRICK, "tricks", value, "tricks") for value in ([], "x", [1])),
    *((TRICK, "tricks[0].card", value, "tricks[0]") for value in (45, 1, 100, "x", None)),
    *((TRICK, "tricks[0].here", value, "tricks[0]") for value in ("pugs", "cats", "corgis", 3, None)),
    *((TRICK, "tricks[0].n", value, "tricks[0].n") for value in (0, -1, 3, 100, "x", None)),
    *((TRICK, "tricks[0].part", value, "tricks[0].part") for value in (-1, 2, "x", None)),
    *((TRICK, "tricks[0].done", value, "tricks") for value in (-1, 2, 3, "x", None)),
    *((TRICK, "tricks[0].served", value, "tricks[0].served") for value in (["cats"], ["corgis"], [3], "x")),
    (TRICK, "tricks[0].touched", "x", "tricks[0].touched"),
    *(
        (TRICK, "tricks[0].touched", [value], "tricks[0].touched[0]")
        for value in (1, {"group": "huskies"}, {"group": "huskies", "value": 10}, {"group": "cats", "value": 1})
    ),
    *((TRICK, "pup", value, "pup") for value in (93, 45, 100)),
    *(
        (TRICK, "phase", value, "phase")
        for value in ("deal", "park", "choose", "join", "draw", "take", "leftover", "over")
    ),
]


@pytest.mark.parametrize(
    ("position", "path", "value", "named"),
    [pytest.param(*case, id=f"{case[0]['phase']} {case[1]}={json.dumps(case[2])[:40]}") for case in BAD],
)
def test_a_position_that_cannot_be_is_refused_by_name(
    position: dict[str, Any], path: str, value: Any, named: str
) -> None:
    SPEC.from_position(position)
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(changed(position, path, value))
    assert named in str(caught.value)


@pytest.mark.parametrize("value", ["park", "two places", "other breed", "doggos beside", "many turns"])
def test_unchecked_positions_hold_what_no_game_leads_to(value: str) -> None:
    position = {
        "park": changed(CHOOSING, "park", [12, 45]),
        "two places": changed(CHOOSING, "park", [12, 45, 83]),
        "other breed": changed(CHOOSING, f"{GROUP}.pups", [81, 21]),
        "doggos beside": changed(CHOOSING, "seats[0].groups", [CHOOSING["seats"][0]["groups"][0], DOGGOS]),
        "many turns": changed(TRICK, "turns[1].seat", 0),
    }[value]
    with pytest.raises(BadPosition):
        SPEC.from_position(position)
    state = SPEC.from_position({**position, "check": False})
    assert state.active()
    again = state.position()
    assert SPEC.from_position(again).position() == again
    rng = Stream(value)
    for _ in range(6):
        (seat, *_) = state.active() or [CHANCE]
        moves = state.legal(seat)
        if moves:
            state.apply(seat, moves[rng.randrange(len(moves))])


def test_a_card_listed_twice_as_open_is_refused_or_does_not_stay_open_when_played() -> None:
    position = {**changed(CHOOSING, "seats[1].open", [60, 60]), "check": False}
    try:
        state = SPEC.from_position(position)
    except BadPosition:
        return
    state.apply(1, SPEC.parse_move(state, 1, "choose 60"))
    assert state.position()["seats"][1]["open"] == []
    SPEC.from_position(state.position())


# --- positions that leave things out ---------------------------------------------------------------------------------


def play_out(state: GameState, rng: Stream) -> None:
    while state.active():
        seats = state.active()
        seat = seats[rng.randrange(len(seats))]
        move = state.chance(rng) if seat == CHANCE else state.legal(seat)[rng.randrange(len(state.legal(seat)))]
        state.apply(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize(
    ("position", "active"),
    [
        ({}, [CHANCE]),
        ({"seats": [{}, {}, {}, {}, {}]}, [CHANCE]),
        ({"options": {"strategic": True}}, [CHANCE]),
        ({"seats": [{"hand": [1, 2, 3]}, {}]}, [CHANCE]),
        ({"seats": [{"hand": [1, 2, 3]}, {"hand": [4, 5, 6]}]}, [CHANCE]),
        ({"seats": [{"hand": [1, 2, 3]}, {"hand": ["?", "?", "?"]}]}, [CHANCE]),
        ({"park": [12, 45, 90], "seats": [{"hand": [1, 2, 3]}, {"hand": ["?", "?", "?"]}]}, [0, 1]),
        (
            {"park": [12, 45, 90], "seats": [{"hand": [1, 2, 3]}, {"hand": ["?", 8, "?"], "open": [8], "chosen": "?"}]},
            [0],
        ),
        ({"final": True, "seats": [{"hand": [1, 2, 3]}, {"hand": ["?", "?", "?"]}]}, [0, 1]),
        (
            {
                "park": [21, 22, 23],
                "turns": [{"seat": 0, "card": 41}, {"seat": 1, "card": 6}],
                "seats": [{"hand": ["?"] * 2}] * 2,
            },
            [0],
        ),
        ({"final": True, "turns": [{"seat": 1, "card": 47}]}, [1]),
        ({"final": True, "phase": "over"}, []),
    ],
)
def test_fields_left_out(position: dict[str, Any], active: list[int]) -> None:
    state = SPEC.from_position({"game": "puppies", **position})
    assert state.active() == active
    full = state.position()
    assert SPEC.from_position(full).position() == full
    assert set(full["options"]) == {"extended", "strategic", "cards"}
    for seat in range(state.seats):
        dealt = state.resample(seat, Stream(seat))
        if seat == 0 or "?" not in json.dumps(full["seats"][0]):
            assert "?" not in json.dumps([other["hand"] for other in dealt.position()["seats"]])
        play_out(dealt, Stream(seat))
    play_out(state, Stream("as it is"))


def test_what_is_left_of_the_hundred_is_counted() -> None:
    state = SPEC.from_position({key: value for key, value in CHOOSING.items() if key != "deck"})
    told = state.position()
    assert (told["deck"], told["box"]) == (45 - 3 - 6 - 2 - 2, 55)


# --- what is hidden --------------------------------------------------------------------------------------------------

HIDING: dict[str, Any] = {
    "game": "puppies",
    "round": 4,
    "park": [12, 45, 90, 10],
    "seats": [
        {"hand": [13, 14, 15], "open": [14]},
        {"hand": [71, 72, 83], "open": [71], "groups": [{"breed": "aussies", "pups": [81, 92], "bones": [1, 5]}]},
        {"hand": [64, 65, 66], "open": [64, 65, 66]},
    ],
}
WATCHERS: list[int | None] = [0, 2, None]


def numbers(value: Any) -> set[str]:
    return set(re.findall(r"\d+", json.dumps(value)))


def test_no_other_seat_sees_a_dealt_card() -> None:
    state = SPEC.from_position(HIDING)
    assert {"72", "83", "71"} <= numbers(state.view(1))
    for watcher in WATCHERS:
        assert not {"72", "83"} & numbers(state.view(watcher))
        assert "71" in numbers(state.view(watcher))
        assert sorted(map(str, state.position(watcher)["seats"][1]["hand"])) == ["71", "?", "?"]
    assert not {"13", "15"} & numbers(state.view(1))
    assert not {"13", "15"} & numbers(state.view(None))


@pytest.mark.parametrize("card", [71, 72, 83])
def test_a_choice_is_known_to_be_made_and_not_what_it_is(card: int) -> None:
    state = SPEC.from_position(HIDING)
    before = {watcher: numbers(state.view(watcher)) for watcher in WATCHERS}
    heard: list[Event] = []
    state.apply(1, SPEC.parse_move(state, 1, f"choose {card}"), heard.append)
    assert state.position(1)["seats"][1]["chosen"] == card
    assert any(str(card) in json.dumps(event.seen_by(1)) for event in heard)
    for watcher in WATCHERS:
        assert state.position(watcher)["seats"][1]["chosen"] == "?"
        assert numbers(state.view(watcher)) <= before[watcher]
        assert heard
        for event in heard:
            assert str(card) not in json.dumps(event.seen_by(watcher))


@pytest.mark.parametrize("seat", [1, 2])
def test_all_choices_look_the_same_to_the_others(seat: int) -> None:
    told = []
    for card in HIDING["seats"][seat]["hand"]:
        state = SPEC.from_position(HIDING)
        heard: list[Event] = []
        state.apply(seat, SPEC.parse_move(state, seat, f"choose {card}"), heard.append)
        told.append([[state.view(who), [event.seen_by(who) for event in heard]] for who in (0, None)])
    assert told[0] == told[1] == told[2]


def test_other_hidden_cards_look_the_same() -> None:
    state = SPEC.from_position(HIDING)
    twin = SPEC.from_position(changed(HIDING, "seats[1].hand", [71, 27, 38]))
    for watcher in WATCHERS:
        assert state.view(watcher) == twin.view(watcher)
        if watcher is not None:
            assert state.resample(watcher, Stream(3)).position() == twin.resample(watcher, Stream(3)).position()


def test_dealt_cards_are_told_to_their_owner_only() -> None:
    for card in (37, 58):
        state = SPEC.start(3)
        heard: list[Event] = []
        state.apply(CHANCE, SPEC.parse_move(state, CHANCE, f"draw {card}"), heard.append)
        assert str(card) in json.dumps([event.seen_by(0) for event in heard])
        assert str(card) in numbers(state.view(0))
        for watcher in (1, 2, None):
            assert str(card) not in json.dumps([event.seen_by(watcher) for event in heard])
            assert str(card) not in numbers(state.view(watcher))
            assert state.position(watcher)["seats"][0]["hand"] == ["?"]


def test_a_card_taken_from_the_park_is_known_until_it_is_played() -> None:
    state = SPEC.from_position(
        {
            "phase": "take",
            "park": [38, 57],
            "turns": [{"seat": 1, "card": 6}],
            "seats": [{"hand": [1, 2, 3]}, {"hand": [71, 72], "groups": [{"breed": "pugs", "pups": [6]}]}],
        }
    )
    heard: list[Event] = []
    state.apply(1, SPEC.parse_move(state, 1, "take 38"), heard.append)
    for watcher in (0, None):
        assert "38" in json.dumps([event.seen_by(watcher) for event in heard])
        assert state.position(watcher)["seats"][1]["open"] == [38]
        assert not {"71", "72"} & numbers(state.view(watcher))
    for card in (40, 41, 42):
        state.apply(CHANCE, SPEC.parse_move(state, CHANCE, f"draw {card}"))
    state.apply(0, SPEC.parse_move(state, 0, "choose 2"))
    assert state.position(0)["seats"][1]["open"] == [38]
    state.apply(1, SPEC.parse_move(state, 1, "choose 38"))
    assert state.position(0)["seats"][1]["open"] == []
    assert state.position(0)["seats"][1]["hand"] == ["?", "?"]


def test_resampling_honours_all_that_a_seat_has_seen() -> None:
    state = SPEC.from_position(HIDING)
    state.apply(1, SPEC.parse_move(state, 1, "choose 83"))
    state.apply(2, SPEC.parse_move(state, 2, "choose 65"))
    rng = Stream("resample")
    hands: set[int] = set()
    chosen: list[set[Any]] = [set(), set()]
    shared = 0
    for _ in range(400):
        told = state.resample(0, rng).position()
        mine, other, known = told["seats"]
        assert (mine["hand"], mine["open"], mine["chosen"]) == ([13, 14, 15], [14], None)
        assert len(other["hand"]) == 3
        assert 71 in other["hand"]
        assert other["open"] == [71]
        assert known["hand"] == [64, 65, 66]
        assert other["chosen"] in other["hand"]
        assert known["chosen"] in known["hand"]
        seen = {13, 14, 15, 64, 65, 66, 12, 45, 90, 10, 81, 92}
        assert not seen & set(other["hand"])
        assert (told["park"], told["deck"], told["box"]) == tuple(
            state.position()[name] for name in ("park", "deck", "box")
        )
        assert other["groups"] == HIDING["seats"][1]["groups"]
        hands |= set(other["hand"])
        chosen[0].add(other["chosen"])
        chosen[1].add(known["chosen"])
        shared += other["chosen"] == 71
    assert hands == set(range(100)) - {13, 14, 15, 64, 65, 66, 12, 45, 90, 10, 81, 92}, (
        "every card not seen can be there"
    )
    assert chosen[1] == {64, 65, 66}
    assert 90 < shared < 180, "the open card is the chosen one in a third of the worlds"
    told = state.resample(1, rng).position()
    assert told["seats"][1] == state.position()["seats"][1], "its own hand and choice are kept"


def test_resampling_two_choices_of_the_strategic_game() -> None:
    state = SPEC.from_position(
        {
            "options": {"strategic": True},
            "park": [20, 21, 22, 23, 24],
            "seats": [{"hand": [1, 2, 3, 4, 5]}, {"hand": [60, 61, 62, 63, 64], "open": [60, 61, 62, 63]}],
        }
    )
    for card in (61, 64):
        state.apply(1, SPEC.parse_move(state, 1, f"choose {card}"))
    assert state.position(0)["seats"][1]["chosen"] == ["?", "?"]
    assert "64" not in numbers(state.view(0))
    pairs = set()
    for number in range(200):
        other = state.resample(0, Stream(number)).position()["seats"][1]
        assert set(other["hand"]) >= {60, 61, 62, 63}
        assert len(set(other["chosen"])) == 2
        assert set(other["chosen"]) <= set(other["hand"])
        pairs.add(tuple(sorted(card if card in (60, 61, 62, 63) else -1 for card in other["chosen"])))
    assert len(pairs) == 10, "any two of the five"


def test_chance_shows_a_choice_that_was_not_known() -> None:
    position = copy.deepcopy(HIDING)
    position["seats"] = [{"hand": [13, 14, 15]}, {"hand": [71, "?", "?"], "open": [71], "chosen": "?"}]
    position["park"] = [12, 45, 90]
    state = SPEC.from_position(position)
    assert state.active() == [0]
    state.apply(0, SPEC.parse_move(state, 0, "choose 13"))
    assert state.active() == [CHANCE]
    weights = {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in state.legal(CHANCE)}
    assert "draw 13" not in weights
    assert "draw 12" not in weights
    assert 3 * weights["draw 71"] == sum(weights.values()), "each of three cards may be the one"
    assert len(set(weights.values())) == 2
    state.apply(CHANCE, SPEC.parse_move(state, CHANCE, "draw 99"))
    assert state.position()["seats"][1]["hand"] == [71, "?"]
    assert state.active() == [1]


def test_nobody_sees_a_bone() -> None:
    """A buried card can still be drawn: as far as anyone knows it is any card not seen."""
    state = SPEC.from_position({"final": True, "turns": [{"seat": 0, "card": 94}, {"seat": 1, "card": 6}]})
    before = len(state.position()["seats"][0])
    state.apply(0, SPEC.parse_move(state, 0, "draw"))
    assert len(state.legal(CHANCE)) == 98
    state.apply(CHANCE, SPEC.parse_move(state, CHANCE, "draw 46"))
    heard: list[Event] = []
    state.apply(0, SPEC.parse_move(state, 0, "bury huskies"), heard.append)
    told = [event.seen_by(0) for event in heard]
    assert told == [event.seen_by(None) for event in heard]
    assert len(state.position()["seats"][0]) == before
    assert state.position()["seats"][0]["groups"] == [{"breed": "huskies", "pups": [94, 46], "bones": [1]}]


# --- moves as text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        *(
            (text, BadNotation)
            for text in ("", "choose", "choose x", "join", "bury", "take", "stop now", "up 2", "up pugs 2")
        ),
        *((text, BadNotation) for text in ("move 5 pugs", "hop pugs", "83", "choose 7 8", "choose -7", "choose 7.0")),
        *(
            (text, UnknownPiece)
            for text in ("choose 100", "take 100", "up 3 pugs", "up 1 cats", "bury cats", "join cats")
        ),
        *((text, UnknownPiece) for text in ("move 3 pugs corgis", "move 5 cats pugs", "move 5 pugs cats")),
        *((text, IllegalMove) for text in ("choose 8", "take 12", "stop", "draw", "draw 8", "join aussies")),
        *((text, IllegalMove) for text in ("bury aussies", "up 1 aussies", "move 5 pugs corgis", "up 1 doggos")),
    ],
)
def test_a_text_that_is_no_move_here(text: str, error: type[MoveError]) -> None:
    state = SPEC.from_position(changed(CHOOSING, "seats[0].chosen", None))
    before = state.position()
    with pytest.raises(MoveError) as caught:
        SPEC.parse_move(state, 0, text)
    assert type(caught.value) is error
    assert state.position() == before


def test_a_card_may_be_written_with_one_digit_and_spaces_do_no_harm() -> None:
    state = SPEC.from_position(changed(CHOOSING, "seats[0].chosen", None))
    moves = {SPEC.parse_move(state, 0, text) for text in ("choose 7", "choose 07", "  choose   07 ")}
    assert len(moves) == 1
    assert SPEC.move_text(state, 0, moves.pop()) == "choose 07"
