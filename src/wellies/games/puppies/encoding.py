"""States and moves of Good Puppies as arrays. There is no board: a yard is counts of pups and bones by group."""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import HUNDREDS, MOST, Axis, Encoding, Memory, numbered, seat_labels
from wellies.core.events import Json
from wellies.core.native import mypyc_attr
from wellies.core.state import GameState
from wellies.games.puppies.material import CARDS, FIRST_DOGGO, GROUPS, TOP, VALUES
from wellies.games.puppies.material_file import load_material
from wellies.games.puppies.moves import BURY_AT, CHOOSE, DIG, END, JOIN, STOP, TAKE, shift, up
from wellies.games.puppies.phases import OVER, PHASES, UNKNOWN
from wellies.games.puppies.state import PuppiesState
from wellies.games.puppies.yard import Yard

LONGEST: Final = 20_000
"""Each card is chosen, taken and joins a group once, and begins one trick. In all tricks together at most one bone for
each card is buried, and turned three times; what is left is mostly bones that are moved, at most all of them in a
trick."""

LEVELS: Final = len(VALUES)
BONES: Final = GROUPS * LEVELS

# What the field `cards` says of a card; the numbers after these go by seat.
MINE: Final = 1
MINE_KNOWN: Final = 2
IN_PARK: Final = 3
BY_SEAT: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class PuppiesMemory(Memory):
    """The yards as they were observed last, by seat, as cells."""

    def __init__(self, size: int, seats: int) -> None:
        super().__init__(size)
        self.yards: list[Yard] = [Yard() for _ in range(seats)]
        self.changes: list[int] = [-1] * seats
        """How many of their changes were observed."""
        self.counts: list[int] = [0] * seats
        """How many pups of each are in `cards`."""
        self.cards = bytearray(CARDS)
        """For each card in a yard, the seat and 1 more."""
        self.pups: list[bytearray] = [bytearray(GROUPS)] * seats
        self.bones: list[bytearray] = [bytearray(BONES)] * seats
        self.values: list[bytearray] = [bytearray(2)] * seats
        self.written: list[int] = [-1] * seats
        """For which observer each was written last, as it is now; -1 if for none."""


class PuppiesEncoding(Encoding):
    def __init__(self, seats: int, options: Json) -> None:
        super().__init__("puppies", seats, options)
        self.picks = 2 if options["strategic"] is True else 1
        self._describe(load_material(options["cards"]).keys)
        self.seal(END)
        self._cards_slice = slice(self._cards, self._cards + CARDS)
        self._doggos_slice = slice(self._doggos, self._pups)
        self._no_doggos = self.nothing[self._doggos_slice]
        self._rest = slice(self._hands, self.size)
        self._no_rest = self.nothing[self._rest]
        self._pups_slices = [
            slice(self._pups + GROUPS * seat, self._pups + GROUPS * (seat + 1)) for seat in range(seats)
        ]
        self._bones_slices = [
            slice(self._bones + BONES * seat, self._bones + BONES * (seat + 1)) for seat in range(seats)
        ]
        self._score_slices = [slice(self._scores + 2 * seat, self._scores + 2 * seat + 2) for seat in range(seats)]
        self._in_yard: list[bytes] = [in_yard_table(seat, seats) for seat in range(seats)]
        """For each observer: what it calls a card in the yard of each seat."""
        for card in range(CARDS):
            self.pair(CHOOSE + card, self._choose + card)
            self.pair(TAKE + card, self._take + card)
        for group in range(GROUPS):
            self.pair(JOIN + group, self._join + group)
            self.pair(BURY_AT + group, self._bury + group)
            for level in range(LEVELS):
                bone = group * LEVELS + level
                if level < TOP:
                    self.pair(up(bone), self._up + group * TOP + level)
                for home in range(GROUPS):
                    if home != group:
                        index = home if home < group else home - 1
                        self.pair(shift(bone, home), self._move + bone * (GROUPS - 1) + index)
        self.pair(STOP, self._stop)
        self.pair(DIG, self._draw)

    def _describe(self, groups: list[str]) -> None:
        cards = Axis("card", [f"{card:02d}" for card in range(CARDS)])
        group = Axis("group", groups)
        value = Axis("value", [str(value) for value in VALUES])
        seats = self.seat_axis()
        who = seat_labels(self.seats)
        self._choose = self.add_actions("choose", [cards], "Choose this card of the hand for the round.")
        self._take = self.add_actions("take", [cards], "Take this card from the park.")
        self._join = self.add_actions("join", [group], "The Doggo joins this group.")
        self._bury = self.add_actions("bury", [group], "Bury a bone with this group.")
        self._up = self.add_actions(
            "up",
            [group, Axis("value", [str(value) for value in VALUES[:TOP]])],
            "Upgrade a bone of this group and value.",
        )
        self._move = self.add_actions(
            "move",
            [group, value, Axis("to", [f"other group {index}" for index in range(GROUPS - 1)])],
            "Move a bone of this value from a group to another. The other groups are counted in order, without the "
            "first.",
        )
        self._stop = self.add_actions("stop", [], "End this part of the trick.")
        self._draw = self.add_actions("draw", [], "Draw the next pup for the trick.")

        self._cards = self.add_codes(
            "cards",
            [cards],
            "Where each card is, as far as I know; nothing for a card that I have not seen. A card that was shown and "
            "waits for its turn is `to come`.",
            [
                "my hand, only I know",
                "my hand, all know",
                "park",
                *[f"yard of {seat}" for seat in who],
                *[f"to come for {seat}" for seat in who],
                *[f"hand of {seat}" for seat in who[1:]],
            ],
        )
        self._doggos = self.add_codes(
            "doggos",
            [Axis("card", numbered(CARDS - FIRST_DOGGO, FIRST_DOGGO))],
            "The group of each Doggo in a yard.",
            groups,
        )
        self._pups = self.add_numbers("pups", [seats, group], "The number of pups in each group of each yard.", CARDS)
        self._bones = self.add_numbers("bones", [seats, group, value], "The number of bones in each group.", CARDS)
        self._hands = self.add_numbers("hands", [seats], "How many cards each hand has.", CARDS)
        self._chose = self.add_numbers("chose", [seats], "How many cards each seat has chosen in secret.", self.picks)
        chosen = Axis("card", numbered(self.picks))
        self._chosen = self.add_codes("chosen", [chosen], "The cards that I have chosen in secret.", cards.labels)
        self._deck = self.add_numbers("deck", [], "How many cards are in the deck.", CARDS)
        self._box = self.add_numbers("box", [], "How many cards are in the box.", CARDS)
        self._round = self.add_numbers("round", [], "The round, from 1.")
        self._final = self.add_numbers("final", [], "1 in the final round.", 1)
        self._phase = self.add_codes("phase", [], "What is to be done next.", PHASES)
        self._turn = self.add_codes("turn", [], "Whose turn it is; nobody's while all choose.", who)
        self._turn_card = self.add_codes("turn_card", [], "The card whose turn it is.", cards.labels)
        self._pup = self.add_codes("pup", [], "The Doggo that is to join a group.", cards.labels)
        self._describe_trick(cards, group, groups, value)
        self._scores = self.add_scores()
        self.outcomes = CARDS
        self.longest = LONGEST

    def _describe_trick(self, cards: Axis, group: Axis, groups: list[str], value: Axis) -> None:
        """A trick that another trick has begun is shown; of the outer ones only their number."""
        bones = [f"{name} {worth}" for name in groups for worth in VALUES]
        self._tricks = self.add_numbers("tricks", [], "How many tricks are under way, one within the other.", CARDS)
        self._trick = self.add_codes("trick_card", [], "The card whose trick is under way.", cards.labels)
        self._here = self.add_codes("trick_here", [], "The group that its pup joined.", groups)
        self._n = self.add_numbers("trick_n", [], "N: the pups of that group when it joined.", CARDS)
        self._part = self.add_numbers("trick_part", [], "The part of the trick, from 0.")
        self._done = self.add_numbers("trick_done", [], "How often this part was carried out.")
        self._served = self.add_numbers("trick_served", [group], "1 for each group that had its share.", 1)
        self._touched = self.add_numbers(
            "trick_touched",
            [group, value],
            "How many bones of each group were upgraded already, by what they are worth now.",
            CARDS,
        )
        self._bone = self.add_codes("trick_bone", [], "The bone that may be turned once more.", bones)
        self._turned = self.add_numbers("trick_turned", [], "How often it was turned.")
        self._source = self.add_codes("trick_from", [], "The one group that bones are moved from.", groups)

    # --- chance -------------------------------------------------------------------------------------------------------

    def outcome_of(self, state: GameState, move: int) -> int:
        return move

    def chance_of(self, state: GameState, outcome: int) -> int:
        return outcome

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        assert isinstance(state, PuppiesState)
        cells[:] = self.nothing
        for index in range(self.seats):
            self._write_yard(cells, index, state.yards[(seat + index) % self.seats])
        self._write_rest(state, seat, cells)

    def new_memory(self) -> Memory:
        return PuppiesMemory(self.size, self.seats)

    def observe_again(self, state: GameState, seat: int, memory: Memory) -> None:
        """A yard tells whether it has changed. What changes more often is written anew."""
        assert isinstance(state, PuppiesState)
        assert isinstance(memory, PuppiesMemory)
        cells = memory.cells
        if memory.state is not state:
            memory.state = state
            cells[self._doggos_slice] = self._no_doggos
            memory.cards = bytearray(CARDS)
            memory.yards = state.yards.copy()
            memory.changes = [-1] * self.seats
            memory.counts = [-1] * self.seats
        seats = self.seats
        changes = memory.changes
        for each in range(seats):
            if changes[each] != state.yards[each].changes or memory.yards[each] is not state.yards[each]:
                self._look_at_yard(state.yards[each], each, memory)
        cells[self._cards_slice] = memory.cards.translate(self._in_yard[seat])
        cells[self._rest] = self._no_rest
        for index in range(seats):
            other = (seat + index) % seats
            if memory.written[other] != seat:
                memory.written[other] = seat
                cells[self._pups_slices[index]] = memory.pups[other]
                cells[self._bones_slices[index]] = memory.bones[other]
            cells[self._score_slices[index]] = memory.values[other]
        self._write_rest(state, seat, cells)

    def _look_at_yard(self, yard: Yard, seat: int, memory: PuppiesMemory) -> None:
        """Pups never leave a yard."""
        memory.written[seat] = -1
        memory.yards[seat] = yard
        memory.changes[seat] = yard.changes
        memory.bones[seat] = as_cells(yard.bones)
        memory.values[seat] = bytearray([min(max(yard.value, 0) // HUNDREDS, MOST), max(yard.value, 0) % HUNDREDS])
        if len(yard.pups) != memory.counts[seat]:
            memory.counts[seat] = len(yard.pups)
            memory.pups[seat] = as_cells(yard.size)
            for pup in yard.pups:
                card = pup % CARDS
                memory.cards[card] = seat + 1
                if card >= FIRST_DOGGO:
                    memory.cells[self._doggos + card - FIRST_DOGGO] = pup // CARDS + 1

    def _write_rest(self, state: PuppiesState, seat: int, cells: bytearray) -> None:
        """All but the yards."""
        seats = self.seats
        cards = self._cards
        for index in range(seats):
            other = (seat + index) % seats
            cells[self._hands + index] = len(state.hands[other])
            if state.chosen[other]:
                cells[self._chose + index] = len(state.chosen[other])
            if index:
                for card in state.open[other]:
                    cells[cards + card] = BY_SEAT + 2 * seats + index - 1
        for card in state.hands[seat]:
            if card != UNKNOWN:
                cells[cards + card] = MINE
        for card in state.open[seat]:
            cells[cards + card] = MINE_KNOWN
        at = self._chosen
        for card in state.chosen[seat]:
            if card != UNKNOWN:
                cells[at] = card + 1
                at += 1
        for card in state.park:
            cells[cards + card] = IN_PARK
        turns = state.turns
        if turns:
            cells[self._turn] = ((turns[0] & 7) - seat) % seats + 1
            cells[self._turn_card] = (turns[0] >> 3) + 1
            for turn in turns[1:]:
                cells[cards + (turn >> 3)] = BY_SEAT + seats + ((turn & 7) - seat) % seats
        cells[self._deck] = state.deck
        cells[self._box] = state.box
        cells[self._round] = min(state.round, MOST)
        cells[self._final] = state.final
        cells[self._phase] = state.phase + 1
        if state.pup >= 0:
            cells[self._pup] = state.pup + 1
        if state.frames:
            self._write_trick(state, cells)
        if state.phase == OVER:
            self.write_scores(cells, self._scores, state.scores(), seat)

    def _write_yard(self, cells: bytearray, index: int, yard: Yard) -> None:
        place = self._cards
        here = BY_SEAT + index
        if yard.value:
            cells[self._scores + 2 * index] = min(yard.value // HUNDREDS, MOST)
            cells[self._scores + 2 * index + 1] = yard.value % HUNDREDS
        for pup in yard.pups:
            card = pup % CARDS
            cells[place + card] = here
            if card >= FIRST_DOGGO:
                cells[self._doggos + card - FIRST_DOGGO] = pup // CARDS + 1
        cells[self._pups_slices[index]] = as_cells(yard.size)
        cells[self._bones_slices[index]] = as_cells(yard.bones)

    def _write_trick(self, state: PuppiesState, cells: bytearray) -> None:
        frame = state.frames[-1]
        cells[self._tricks] = min(len(state.frames), MOST)
        cells[self._trick] = frame.card + 1
        cells[self._here] = frame.here + 1
        cells[self._n] = min(frame.pups, MOST)
        cells[self._part] = min(frame.part, MOST)
        cells[self._done] = min(frame.done, MOST)
        if frame.served:
            for group in range(GROUPS):
                if frame.served >> group & 1:
                    cells[self._served + group] = 1
        for bone in frame.touched:
            cells[self._touched + bone] = min(cells[self._touched + bone] + 1, MOST)
        if frame.bone >= 0:
            cells[self._bone] = frame.bone + 1
            cells[self._turned] = min(frame.turned, MOST)
        if frame.source >= 0:
            cells[self._source] = frame.source + 1


def in_yard_table(observer: int, seats: int) -> bytes:
    """For `translate`: from the number of a seat and 1 to the code of a card in its yard."""
    codes = [0] * 256
    for seat in range(seats):
        codes[seat + 1] = BY_SEAT + (seat - observer) % seats
    return bytes(codes)


def as_cells(counts: list[int]) -> bytearray:
    """Counts as the cells of an observation."""
    try:
        return bytearray(bytes(counts))
    except ValueError:  # more than a cell can hold
        return bytearray([min(count, MOST) for count in counts])
