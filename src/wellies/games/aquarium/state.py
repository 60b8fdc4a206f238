"""The rules of Ultimate Aquarium: set-up, round, turn, net, end.

The phases of a game:

    TOKEN   chance says who holds the fish token
    DEAL    chance deals five cards to each seat, seat by seat
    SETUP   every seat puts three of its five on its tank, in secret, all at the same time; then all is revealed
    STOCK   chance fills the store
    TURN    the seat to move takes a card; whoever holds a net may use it now
    NETS    after the last turn: every net still held is used or kept, in secret, all at the same time
    OVER
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.core.events import Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Ending, Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.games.aquarium import events, hidden, refusals
from wellies.games.aquarium import position as positions
from wellies.games.aquarium import view as views
from wellies.games.aquarium.estimate import estimate
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.material_file import load_material
from wellies.games.aquarium.moves import DRAW, FIRST, KEEP_NET, NET, PAIRS, PUT, RESTOCK, TAKE
from wellies.games.aquarium.phases import (
    DEAL,
    EMPTY,
    HAND,
    KEPT,
    NETS,
    OVER,
    SETUP,
    STOCK,
    TOKEN,
    TURN,
    UNANSWERED,
    UNKNOWN,
    rounds_for,
    store_size_for,
)
from wellies.games.aquarium.scoring import tank_lines, tank_points
from wellies.games.aquarium.tank_spaces import SPACES

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec


def new_game(spec: GameSpec, seats: int, options: Json) -> AquariumState:
    """The start: the same tank for everyone, all cards in the deck."""
    cards = load_material(options["cards"])
    state = AquariumState(spec, seats, options, cards)
    state.rounds = rounds_for(seats)
    state.store_size = store_size_for(seats)
    state.tanks = [cards.start for _ in range(seats)]
    state.points = [tank_points(cards, cards.start)] * seats
    state.nets = [True] * seats
    state.restocks = [True] * seats
    state.deck = cards.in_deck.copy()
    state.deck_size = sum(state.deck)
    state.discards = [0] * len(state.deck)
    state.hands = [[] for _ in range(seats)]
    state.placed = [[EMPTY] * SPACES for _ in range(seats)]
    state.unseen_placed = [0] * seats
    state.aside = [[] for _ in range(seats)]
    state.answers = [UNANSWERED] * seats
    return state


@mypyc_attr(allow_interpreted_subclasses=True)
class AquariumState(GameState):
    """One game. The lists within `tanks`, `hands`, `placed` and `aside` are replaced, never changed, so
    that clones can share them."""

    def __init__(self, spec: GameSpec, seats: int, options: Json, cards: Material) -> None:
        """A state with nothing on the table, to be filled by `new_game` or `clone`."""
        super().__init__(spec, seats, options)
        self.cards = cards
        self.rounds = 0
        self.store_size = 0
        self.phase: int = TOKEN
        self.round = 0
        self.first = 0
        self.to_move = 0
        self.tanks: list[list[int]] = []
        self.points: list[int] = []
        """The points of each tank."""
        self.nets: list[bool] = []
        self.restocks: list[bool] = []
        self.store: list[int] = []
        self.deck: list[int] = []
        """What may be in the deck, as counts by card. It can hold more than `deck_size`: some of these are then lost,
        face down or unseen, and which ones is known to nobody."""
        self.deck_size = 0
        self.discards: list[int] = []
        """Openly discarded, as counts by card; starters are not kept count of."""
        self.hands: list[list[int]] = []
        """Sorted."""
        self.placed: list[list[int]] = []
        """For each seat, what lies face down on each space in the set-up."""
        self.unseen_placed: list[int] = []
        """How many cards lie face down of which neither card nor space is known here."""
        self.aside: list[list[int]] = []
        """The two cards of the deal that each seat did not keep, face down."""
        self.answers: list[int] = []
        """To the last net question."""
        self.checked = True

    def clone(self) -> AquariumState:
        copy = AquariumState(self.spec, self.seats, self.options, self.cards)
        copy.rounds = self.rounds
        copy.store_size = self.store_size
        copy.phase = self.phase
        copy.round = self.round
        copy.first = self.first
        copy.to_move = self.to_move
        copy.tanks = self.tanks.copy()
        copy.points = self.points.copy()
        copy.nets = self.nets.copy()
        copy.restocks = self.restocks.copy()
        copy.store = self.store.copy()
        copy.deck = self.deck.copy()
        copy.deck_size = self.deck_size
        copy.discards = self.discards.copy()
        copy.hands = self.hands.copy()
        copy.placed = self.placed.copy()
        copy.aside = self.aside.copy()
        copy.answers = self.answers.copy()
        copy.unseen_placed = self.unseen_placed.copy()
        copy.checked = self.checked
        return copy

    # --- whose turn -------------------------------------------------------------------------------------------------

    def active(self) -> list[int]:
        """The seat to move, and beside it every seat that could use its net at this moment."""
        if self.phase == TURN:
            mover = self.to_move
            return [seat for seat in range(self.seats) if seat == mover or self.may_swap(seat)]
        return self.due()

    def due(self) -> list[int]:
        phase = self.phase
        if phase == TURN:
            return [self.to_move]
        if phase == SETUP:
            return [seat for seat in range(self.seats) if self.placed_count(seat) < KEPT]
        if phase == NETS:
            return [seat for seat in range(self.seats) if self.asked(seat)]
        return [] if phase == OVER else [CHANCE]

    def placed_count(self, seat: int) -> int:
        """How many of its three cards a seat has put on its tank in the set-up."""
        return SPACES - self.placed[seat].count(EMPTY) + self.unseen_placed[seat]

    def may_swap(self, seat: int) -> bool:
        """Whether the seat holds a net and has two cards of different names to swap."""
        if not self.nets[seat]:
            return False
        tank = self.tanks[seat]
        return tank.count(tank[0]) < SPACES

    def asked(self, seat: int) -> bool:
        """Whether the seat still owes an answer to the last net question."""
        return self.nets[seat] and self.answers[seat] == UNANSWERED

    def receiver(self) -> int:
        """The seat that is dealt the next card; -1 when all have five."""
        for seat in range(self.seats):
            if len(self.hands[seat]) < HAND:
                return seat
        return -1

    # --- what may be done -------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[int]:
        if seat == CHANCE:
            return self._legal_chance()
        if not 0 <= seat < self.seats:
            return []
        phase = self.phase
        if phase == TURN:
            moves = self._legal_takes(seat) if seat == self.to_move else []
            if self.nets[seat]:
                self._add_swaps(seat, moves)
            if seat == self.to_move and self.restocks[seat] and self.deck_size > 0:
                moves.append(RESTOCK)
            return moves
        if phase == SETUP:
            return self._legal_puts(seat)
        if phase == NETS and self.asked(seat):
            moves = []
            self._add_swaps(seat, moves)
            moves.append(KEEP_NET)
            return moves
        return []

    def _legal_chance(self) -> list[int]:
        if self.phase == TOKEN:
            return [FIRST + seat for seat in range(self.seats)]
        if self.phase == DEAL or self.phase == STOCK:
            return [DRAW + card for card, count in enumerate(self.deck) if count]
        return []

    def _legal_puts(self, seat: int) -> list[int]:
        """A card of the hand on a space not used yet, in place of a card of another name."""
        if self.placed_count(seat) >= KEPT:
            return []
        moves: list[int] = []
        tank = self.tanks[seat]
        placed = self.placed[seat]
        for card in self.hand_cards(seat):
            base = PUT + SPACES * card
            for space in range(SPACES):
                if placed[space] == EMPTY and tank[space] != card:
                    moves.append(base + space)
        return moves

    def hand_cards(self, seat: int) -> list[int]:
        """The cards that a seat may put down, each once, in order. One not known here may be any that is unseen."""
        cards = set(self.hands[seat])
        if UNKNOWN in cards:
            cards.remove(UNKNOWN)
            cards.update(card for card, count in enumerate(self.deck) if count)
        return sorted(cards)

    def _legal_takes(self, seat: int) -> list[int]:
        """A card of the store on any space, in place of a card of another name. Equal cards are one choice."""
        moves: list[int] = []
        tank = self.tanks[seat]
        last = UNKNOWN
        for card in sorted(self.store):
            if card == last:
                continue
            last = card
            move = TAKE + SPACES * card
            for there in tank:
                if there != card:
                    moves.append(move)
                move += 1
        return moves

    def _add_swaps(self, seat: int, moves: list[int]) -> None:
        """Any two spaces of the tank with cards of different names: anything else would change nothing."""
        tank = self.tanks[seat]
        move = NET
        for one, two in PAIRS:
            if tank[one] != tank[two]:
                moves.append(move)
            move += 1

    def can_plan(self, seat: int) -> bool:
        """A seat whose turn of this round is still to come sees the store; for the next round it is filled anew."""
        return self.phase == TURN and seat != self.to_move and 0 <= seat < self.seats and self.waits(seat)

    def give_turn(self, seat: int) -> None:
        self.to_move = seat

    def rule_against(self, seat: int, move: int) -> str | None:
        return refusals.rule_against(self, seat, move)

    def rule_out_of_turn(self, seat: int, move: int | None) -> str | None:
        return refusals.rule_out_of_turn(self, seat, move)

    # --- chance -----------------------------------------------------------------------------------------------------

    def weight(self, move: int) -> int:
        """As many chances as there are copies left."""
        if DRAW <= move < FIRST:
            return self.deck[move - DRAW]
        return 1

    def chance(self, rng: Rng) -> int:
        """The same pick as the general one, without building the lists."""
        if self.phase == TOKEN:
            return FIRST + rng.randrange(self.seats)
        mark = rng.randrange(sum(self.deck))
        for card, count in enumerate(self.deck):
            mark -= count
            if mark < 0:
                return DRAW + card
        raise AssertionError("the deck does not add up")

    # --- making moves -----------------------------------------------------------------------------------------------

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        if move < TAKE:
            self._put(seat, move - PUT, sink)
        elif move < NET:
            self._take(seat, move - TAKE, sink)
        elif move < RESTOCK or move == KEEP_NET:
            if self.phase == NETS:
                self._answer(seat, move, sink)
            else:
                self._swap(seat, move, sink)
        elif move == RESTOCK:
            self._restock(seat, sink)
        elif move < FIRST:
            self._draw(move - DRAW, sink)
        else:
            self.first = move - FIRST
            self.phase = DEAL
            if sink is not None:
                sink(events.token(self))

    # --- set-up -----------------------------------------------------------------------------------------------------

    def _draw(self, card: int, sink: Sink | None) -> None:
        self.deck[card] -= 1
        self.deck_size -= 1
        if self.phase == STOCK:
            self.store.append(card)
            if sink is not None:
                sink(events.stocked(self, card))
            if len(self.store) >= self.store_size or self.deck_size == 0:
                self._start_turn(self.to_move, sink)
            return
        seat = self.receiver()
        self.hands[seat] = sorted([*self.hands[seat], card])
        if sink is not None:
            sink(events.dealt(self, seat, card))
        if self.receiver() < 0:
            self.phase = SETUP

    def _put(self, seat: int, packed: int, sink: Sink | None) -> None:
        """Put one of the three cards on its space, face down until everyone is ready."""
        card, space = packed // SPACES, packed % SPACES
        hand = self.hands[seat].copy()
        if card in hand:
            hand.remove(card)
        else:  # a card that was not known here
            hand.remove(UNKNOWN)
            self.deck[card] -= 1
        self.hands[seat] = hand
        placed = self.placed[seat].copy()
        placed[space] = card
        self.placed[seat] = placed
        if sink is not None:
            sink(events.put(self, seat, card, space))
        if not self.due():
            self._reveal(sink)

    def _reveal(self, sink: Sink | None) -> None:
        """All cards are put down: turn them over together. The starters beneath and the cards not kept are gone."""
        before = self.tanks.copy()
        shown = self.placed.copy()
        for seat in range(self.seats):
            tank = self.tanks[seat].copy()
            for space in range(SPACES):
                if self.placed[seat][space] != EMPTY:
                    tank[space] = self.placed[seat][space]
            self._set_tank(seat, tank)
            self.placed[seat] = [EMPTY] * SPACES
            self.unseen_placed[seat] = 0
            self.aside[seat] = self.hands[seat]
            self.hands[seat] = []
        if sink is not None:
            sink(events.revealed(self, before, shown))
        self._start_round(1, self.first, sink)

    # --- a round ----------------------------------------------------------------------------------------------------

    def _start_round(self, round: int, first: int, sink: Sink | None) -> None:
        """Stock the store. Should a loaded position have no cards left for it, the game ends."""
        if self.deck_size == 0:
            self._ask_nets(sink)
            return
        self.round = round
        self.first = first
        self.to_move = first
        self.phase = STOCK
        if sink is not None:
            sink(events.round_begins(self))

    def _discard_store(self) -> None:
        for card in self.store:
            if not self.cards.starters[card]:
                self.discards[card] += 1
        self.store = []

    def _end_round(self, sink: Sink | None) -> None:
        self._discard_store()
        if self.round >= self.rounds:
            self._ask_nets(sink)
        else:
            self._start_round(self.round + 1, (self.first + 1) % self.seats, sink)

    # --- a turn -----------------------------------------------------------------------------------------------------

    def _start_turn(self, seat: int, sink: Sink | None) -> None:
        """The turn goes to this seat, or on to the next that can take a card at all; after the last the round ends."""
        self.phase = TURN
        while not self.can_take(seat):
            seat = (seat + 1) % self.seats
            if seat == self.first:
                self._end_round(sink)
                return
        self.to_move = seat

    def can_take(self, seat: int) -> bool:
        """Whether some card of the store may go on some space. It fails only in tanks of nine equal cards."""
        tank = self.tanks[seat]
        if tank.count(tank[0]) < SPACES:
            return len(self.store) > 0
        return self.store.count(tank[0]) < len(self.store)

    def _take(self, seat: int, packed: int, sink: Sink | None) -> None:
        """Take a card from the store; the card it replaces goes to the store in its place."""
        card, space = packed // SPACES, packed % SPACES
        old = self.tanks[seat]
        tank = old.copy()
        tank[space] = card
        self.store[self.store.index(card)] = old[space]
        self._set_tank(seat, tank)
        if sink is not None:
            sink(events.took(self, seat, card, space, old))
        following = (seat + 1) % self.seats
        if following == self.first:
            self._end_round(sink)
        else:
            self._start_turn(following, sink)

    def _restock(self, seat: int, sink: Sink | None) -> None:
        """Discard the whole store and fill it again; then the seat takes its card."""
        self._discard_store()
        self.restocks[seat] = False
        self.phase = STOCK
        if sink is not None:
            sink(events.restocked(seat))

    # --- the net ----------------------------------------------------------------------------------------------------

    def _swap(self, seat: int, move: int, sink: Sink | None) -> None:
        """Swap two cards of one's own tank; the net is used up, and nobody's turn changes."""
        old = self.tanks[seat]
        self._net(seat, move)
        if sink is not None:
            sink(events.swapped(self, seat, move, old))

    def _net(self, seat: int, move: int) -> None:
        one, two = PAIRS[move - NET]
        tank = self.tanks[seat].copy()
        tank[one], tank[two] = tank[two], tank[one]
        self._set_tank(seat, tank)
        self.nets[seat] = False

    def _set_tank(self, seat: int, tank: list[int]) -> None:
        self.tanks[seat] = tank
        self.points[seat] = tank_points(self.cards, tank)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _ask_nets(self, sink: Sink | None) -> None:
        """After the last turn, whoever still holds a net is asked once."""
        self.phase = NETS
        if not self.due():
            self._finish(sink)

    def _answer(self, seat: int, move: int, sink: Sink | None) -> None:
        """An answer to the last net question, secret until everyone has answered."""
        self.answers[seat] = move
        if sink is not None:
            sink(events.answered(self, seat, move))
        if self.due():
            return
        before = self.tanks.copy()
        answers = self.answers
        self.answers = [UNANSWERED] * self.seats
        for other in range(self.seats):
            if NET <= answers[other] < RESTOCK:
                self._net(other, answers[other])
        if sink is not None:
            sink(events.nets_shown(self, before, answers))
        self._finish(sink)

    def _finish(self, sink: Sink | None) -> None:
        self.phase = OVER
        if sink is not None:
            sink(self.end_event())

    def outcome(self) -> Outcome | None:
        """Most points win; equal points share the win."""
        if self.phase != OVER:
            return None
        scores = self.scores()
        if self.round >= self.rounds:
            return Outcome(scores, f"All {self.rounds} rounds are played.", Ending.ROUNDS_PLAYED)
        if self.deck_size == 0:
            return Outcome(scores, "The deck ran out.", Ending.SUPPLY_EMPTY)
        return Outcome(scores, f"It was ended in round {self.round}.", Ending.STOPPED)

    # --- the score --------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of the tanks. Cards put down in secret count from the reveal on."""
        return self.points.copy()

    def score_lines(self, seat: int) -> list[ScoreLine]:
        self.check_seat(seat)
        return tank_lines(self.cards, self.tanks[seat])

    def planned_tank(self, seat: int) -> list[int]:
        """A copy of a seat's tank, with what it has put down in secret."""
        tank = self.tanks[seat].copy()
        if self.phase == SETUP:
            for space, card in enumerate(self.placed[seat]):
                if card != EMPTY:
                    tank[space] = card
        return tank

    def waits(self, seat: int) -> bool:
        """Whether a seat has a turn to come in this round, or has it now."""
        return (self.to_move - self.first) % self.seats <= (seat - self.first) % self.seats

    def estimate(self, seat: int) -> int:
        return estimate(self, seat)

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return positions.write_position(self, viewer)

    def extra(self, viewer: int | None) -> Json:
        return views.extra(self, viewer)

    def resample(self, seat: int, rng: Rng) -> AquariumState:
        self.check_seat(seat)
        return hidden.resample(self, seat, rng)
