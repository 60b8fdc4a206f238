"""States and moves of Ultimate Aquarium as arrays. Their sizes depend on how many different cards there are."""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import MOST, Axis, Encoding, code, numbered, seat_labels
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.games.aquarium.material_file import load_material
from wellies.games.aquarium.moves import DRAW, FIRST, KEEP_NET, NET, PAIRS, PUT, RESTOCK, TAKE
from wellies.games.aquarium.phases import (
    HAND,
    KEPT,
    NETS,
    PHASES,
    SETUP,
    STOCK,
    TOKEN,
    TURN,
    UNANSWERED,
    rounds_for,
    store_size_for,
)
from wellies.games.aquarium.state import AquariumState
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES

SIDE: Final = 3
PAIR_NAMES: Final = tuple(f"{SPACE_NAMES[one]} {SPACE_NAMES[two]}" for one, two in PAIRS)


class AquariumEncoding(Encoding):
    def __init__(self, seats: int, options: Json) -> None:
        super().__init__("aquarium", seats, options)
        self.names: list[str] = load_material(options["cards"]).names
        self._describe()
        self.seal(DRAW)
        for card in range(len(self.names)):
            for space in range(SPACES):
                self.pair(PUT + SPACES * card + space, self._put + SPACES * card + space)
                self.pair(TAKE + SPACES * card + space, self._take + SPACES * card + space)
        for pair in range(len(PAIRS)):
            self.pair(NET + pair, self._net + pair)
        self.pair(RESTOCK, self._restock)
        self.pair(KEEP_NET, self._keep)

    def _describe(self) -> None:
        names = self.names
        cards = Axis("card", names)
        spaces = Axis("space", SPACE_NAMES)
        seats = self.seat_axis()
        self._put = self.add_actions(
            "put", [cards, spaces], "In the set-up: put a card of the hand on a space of the tank, face down."
        )
        self._take = self.add_actions("take", [cards, spaces], "Take a card of the store and put it on a space.")
        self._net = self.add_actions("net", [Axis("spaces", PAIR_NAMES)], "Swap two cards of the tank with the net.")
        self._restock = self.add_actions("restock", [], "Discard the store and fill it again.")
        self._keep = self.add_actions("keep net", [], "After the last turn: keep the net unused.")
        self._tanks = self.add_board(
            "tanks",
            spaces,
            "The card on each space of each tank. Cards put down in the set-up are not there before all are shown.",
            [code(seat, names) for seat in seats.labels],
            (SIDE, SIDE),
            range(SPACES),
        )
        self._placed = self.add_codes("placed", [spaces], "The cards that I have put down in the set-up.", names)
        self._hand = self.add_codes("hand", [Axis("card", numbered(HAND))], "My hand in the set-up, in order.", names)
        self._aside = self.add_codes(
            "aside", [Axis("card", numbered(HAND - KEPT))], "The cards of the set-up that I did not keep.", names
        )
        self._store = self.add_codes(
            "store", [Axis("card", numbered(store_size_for(self.seats)))], "The store, in the order of cards.", names
        )
        self._unseen = self.add_numbers(
            "unseen", [cards], "How many copies of each card I have not seen: in the deck, or hidden by others."
        )
        self._deck = self.add_numbers("deck", [], "How many cards are in the deck.")
        self._nets = self.add_numbers("nets", [seats], "1 for each seat that still has its net.", 1)
        self._restocks = self.add_numbers("restocks", [seats], "1 for each seat that still has its restock.", 1)
        self._put_down = self.add_numbers(
            "put_down", [seats], "How many cards each seat has put down in the set-up so far.", KEPT
        )
        self._answered = self.add_numbers(
            "answered", [seats], "1 for each seat that has answered the last net question.", 1
        )
        self._answer = self.add_codes("answer", [], "What I have answered.", [*PAIR_NAMES, "keep net"])
        self._round = self.add_numbers("round", [], "The round, from 1; 0 in the set-up.", rounds_for(self.seats))
        self._phase = self.add_codes("phase", [], "What is to be done next.", PHASES)
        who = seat_labels(self.seats)
        self._first = self.add_codes("first", [], "Who has the fish token.", who)
        self._turn = self.add_codes("turn", [], "Whose turn it is, in a round.", who)
        self._scores = self.add_scores()
        self.outcomes = len(names) + self.seats
        # Each seat puts its cards down, takes one in each round, restocks once, nets once, and may keep its net.
        self.longest = self.seats * (KEPT + rounds_for(self.seats) + 3)

    # --- chance -------------------------------------------------------------------------------------------------------

    def outcome_of(self, state: GameState, move: int) -> int:
        """Draws of cards come first, then who gets the fish token."""
        return move - DRAW if move < FIRST else len(self.names) + move - FIRST

    def chance_of(self, state: GameState, outcome: int) -> int:
        return DRAW + outcome if outcome < len(self.names) else FIRST + outcome - len(self.names)

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        assert isinstance(state, AquariumState)
        cells[:] = self.nothing
        seats = self.seats
        phase = state.phase
        unseen = state.deck.copy()
        for index in range(seats):
            other = (seat + index) % seats
            at = self._tanks + index
            for card in state.tanks[other]:
                cells[at] = card + 1
                at += seats
            cells[self._nets + index] = state.nets[other]
            cells[self._restocks + index] = state.restocks[other]
            if phase == SETUP:
                cells[self._put_down + index] = state.placed_count(other)
            elif phase == NETS:
                cells[self._answered + index] = state.answers[other] != UNANSWERED
            if other != seat:
                for hidden in (state.hands[other], state.aside[other], state.placed[other]):
                    for card in hidden:
                        if card >= 0:
                            unseen[card] += 1
        self._write_cards(cells, self._placed, state.placed[seat])
        self._write_cards(cells, self._hand, state.hands[seat])
        self._write_cards(cells, self._aside, state.aside[seat])
        if phase in (STOCK, TURN):
            self._write_cards(cells, self._store, sorted(state.store))
            cells[self._turn] = (state.to_move - seat) % seats + 1
        at = self._unseen
        for count in unseen:
            if count:
                cells[at] = min(count, MOST)
            at += 1
        cells[self._deck] = min(state.deck_size, MOST)
        if phase == NETS and state.answers[seat] >= 0:
            answer = state.answers[seat]
            cells[self._answer] = len(PAIRS) + 1 if answer == KEEP_NET else answer - NET + 1
        cells[self._round] = state.round
        cells[self._phase] = phase + 1
        if phase != TOKEN:
            cells[self._first] = (state.first - seat) % seats + 1
        self.write_scores(cells, self._scores, state.points, seat)

    def _write_cards(self, cells: bytearray, at: int, cards: list[int]) -> None:
        for card in cards:
            if card >= 0:
                cells[at] = card + 1
            at += 1
