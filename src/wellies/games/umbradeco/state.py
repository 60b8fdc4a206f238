"""The rules of Umbradeco: set-up, the turn (place, take, refill), discarding, the end.

`mat.py` says where a tile may go, and `scoring.py` what it scores.

Who knows what. Tiles taken from the market were seen by all, so a hand has two parts: `shown`, which everyone knows,
and `hidden`, the rest of the first two tiles. A tile of a colour that is in the shown part counts as that one when it
is played; hands have no order, so this loses nothing. A discard proves that the tile kept fits nowhere at that moment;
the colours it can therefore not have are kept in `excluded`.

What nobody knows. `pool` counts the tiles by colour whose place is not known for certain. In a true state they are the
deck, no more and no less. In a state set up from what one seat sees they are also the hidden tiles of the others and
those that left the game unseen: all of these are equally likely to be any tile of the pool, so it is drawn from alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.core.events import Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Ending, Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.games.umbradeco import events, hidden, position, refusals, view
from wellies.games.umbradeco.estimate import estimate
from wellies.games.umbradeco.mat import Mat, empty_mat
from wellies.games.umbradeco.mat_geometry import GEOMETRIES
from wellies.games.umbradeco.material import COLOUR_COUNT, SPACES, TILES, UNKNOWN
from wellies.games.umbradeco.moves import DRAW, DROP, FIRST, PLACE, PUSH, STACK, TAKE, take_apart
from wellies.games.umbradeco.phases import (
    FIRST_TILES,
    HAND_SIZE,
    MARKET_SIZE,
    OVER,
    PLACING,
    REFILLING,
    SECOND_SPACE,
    SETTING_UP,
    TAKING,
    TO_BOX,
    TO_MARKET,
    TO_MAT,
    WHO_BEGINS,
)
from wellies.games.umbradeco.scoring import (
    PLACED,
    PUSHED,
    STACKED,
    Scored,
    four_colours,
    lines_for,
    points_of,
    rows_through,
)

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec


@mypyc_attr(allow_interpreted_subclasses=True)
class UmbradecoState(GameState):
    """One game of Umbradeco."""

    def __init__(self, spec: GameSpec, seats: int, options: Json, mat: Mat) -> None:
        """A state with nothing in it but a mat, to be filled by `new_game` or `clone`."""
        super().__init__(spec, seats, options)
        self.unbroken = False
        self.mat = mat
        self.phase: int = SETTING_UP
        self.to_move = 0
        self.points: list[int] = []
        self.brought: list[int] = []
        """Points that a position came with, for which there is no history."""
        self.scored: Scored | None = None
        """The last placing that scored; it knows those before it."""

        self.shown: list[tuple[int, ...]] = []
        self.hidden: list[tuple[int, ...]] = []
        """The two parts of each hand, in the order of colours; UNKNOWN for a tile that this state does not know."""
        self.excluded: list[int] = []
        """One bit for each colour that the last hidden tile of a seat cannot have."""
        self.market: tuple[int, ...] = ()
        self.pool: list[int] = []
        self.deck = 0
        self.out: tuple[int, ...] = ()
        """Tiles that left the game unseen."""
        self.discarded: tuple[int, ...] = ()
        self.checked = True
        """False for a position with `"check": false`."""

    def clone(self) -> UmbradecoState:
        other = UmbradecoState(self.spec, self.seats, self.options, self.mat.clone())
        other.unbroken = self.unbroken
        other.phase = self.phase
        other.to_move = self.to_move
        other.points = self.points.copy()
        other.brought = self.brought
        other.scored = self.scored
        other.shown = self.shown.copy()
        other.hidden = self.hidden.copy()
        other.excluded = self.excluded.copy()
        other.market = self.market
        other.pool = self.pool.copy()
        other.deck = self.deck
        other.out = self.out
        other.discarded = self.discarded
        other.checked = self.checked
        return other

    # --- whose turn, and what may be done -----------------------------------------------------------------------------

    def active(self) -> list[int]:
        phase = self.phase
        if phase in (PLACING, TAKING):
            return [self.to_move]
        return [] if phase == OVER else [CHANCE]

    def legal(self, seat: int) -> list[int]:
        phase = self.phase
        if phase == PLACING:
            return self._placings(seat) if seat == self.to_move else []
        if phase == TAKING:
            return [TAKE + colour for colour in sorted(set(self.market))] if seat == self.to_move else []
        if phase == OVER or seat != CHANCE:
            return []
        if self.next_chance() == WHO_BEGINS:
            return [FIRST + each for each in range(self.seats)]
        barred = self.barred_colour()
        possible = [colour for colour in range(COLOUR_COUNT) if self.pool[colour] and colour != barred]
        if any(self.excluded):
            possible = [colour for colour in possible if hidden.draw_weight(self, colour)]
        return [DRAW + colour for colour in possible]

    def can_plan(self, seat: int) -> bool:
        """A seat knows its hand, and everyone sees the mat."""
        if self.phase not in (PLACING, TAKING) or seat == self.to_move or not 0 <= seat < self.seats:
            return False
        return len(self.hidden[seat]) + len(self.shown[seat]) > 0

    def give_turn(self, seat: int) -> None:
        self.phase = PLACING
        self.to_move = seat

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        if move < DROP:
            self._place(move, sink)
        elif move < TAKE:
            self._drop(move - DROP, sink)
        elif move < DRAW:
            self._take(move - TAKE, sink)
        elif move < FIRST:
            self._draw(move - DRAW, sink)
        else:
            self.phase = PLACING
            self.to_move = move - FIRST
            if sink is not None:
                sink(events.begins(self.to_move))

    # --- chance: the set-up, and the market ---------------------------------------------------------------------------

    def next_chance(self) -> int:
        """What chance decides next. The set-up goes by what is there already, in the order of the rules."""
        if self.phase == REFILLING:
            return TO_MARKET
        if len(self.out) < self.unseen_tiles():
            return TO_BOX
        if self.mat.occupied.bit_count() < FIRST_TILES:
            return TO_MAT
        for seat in range(self.seats):
            if len(self.hidden[seat]) + len(self.shown[seat]) < HAND_SIZE:
                return seat
        return TO_MARKET if len(self.market) < MARKET_SIZE else WHO_BEGINS

    def unseen_tiles(self) -> int:
        """How many tiles leave the game unseen at the start."""
        return 2 if self.seats > 2 else 0

    def barred_colour(self) -> int:
        """The colour that cannot be drawn now: the first two tiles on the mat differ. -1 if none."""
        if self.phase == SETTING_UP and self.mat.occupied == self.mat.geometry.bit[0] and self.next_chance() == TO_MAT:
            return self.mat.top[0]
        return -1

    def weight(self, move: int) -> int:
        return hidden.draw_weight(self, move - DRAW) if DRAW <= move < FIRST else 1

    def chance(self, rng: Rng) -> int:
        if self.phase != REFILLING or hidden.proofs(self):
            return super().chance(rng)
        pool = self.pool
        mark = rng.randrange(sum(pool))
        colour = 0
        while mark >= pool[colour]:
            mark -= pool[colour]
            colour += 1
        return DRAW + colour

    def _draw(self, colour: int, sink: Sink | None) -> None:
        """A tile from the deck: out of the game, to the mat, to a hand or to the market."""
        goal = TO_MARKET if self.phase == REFILLING else self.next_chance()
        self.pool[colour] -= 1
        self.deck -= 1
        if goal == TO_MARKET:
            self.market = (*self.market, colour)
        elif goal == TO_BOX:
            self.out = with_tile(self.out, colour)
        elif goal == TO_MAT:
            self.mat.put(SECOND_SPACE if self.mat.occupied else 0, colour)
        else:
            self.hidden[goal] = with_tile(self.hidden[goal], colour)
        if sink is not None:
            self._tell_draw(goal, colour, sink)
        if self.phase == REFILLING:
            self.end_turn()

    def _tell_draw(self, goal: int, colour: int, sink: Sink) -> None:
        if goal == TO_MARKET:
            sink(events.to_market(colour))
        elif goal == TO_BOX:
            sink(events.to_box(colour))
        elif goal == TO_MAT:
            sink(events.to_mat(colour, SECOND_SPACE if self.mat.occupied.bit_count() > 1 else 0))
        else:
            sink(events.to_hand(goal, colour))

    # --- the turn: place a tile ---------------------------------------------------------------------------------------

    def _placings(self, seat: int) -> list[int]:
        """Every way to place a tile of the hand; if there is none, every tile that may be discarded instead."""
        moves = self.mat.placements(self.hand_colours(seat))
        if UNKNOWN in self.hidden[seat]:
            return moves + self._drops_unknown(seat, moves)
        return moves or [DROP + colour for colour in self.hand_colours(seat)]

    def hand_colours(self, seat: int) -> list[int]:
        """The colours that a seat may play, each once, in order. A tile not known here may be any that is unseen."""
        hand = self.shown[seat] + self.hidden[seat]
        if UNKNOWN in hand:
            return sorted(set(hand) - {UNKNOWN} | set(self._unknown_colours(seat)))
        if len(hand) == 2:
            first, second = hand
            if first < second:
                return [first, second]
            if second < first:
                return [second, first]
            return [first]
        return sorted(set(hand))

    def _unknown_colours(self, seat: int) -> list[int]:
        """The colours that a tile of this hand which is not known here may have."""
        excluded = self.excluded[seat]
        colours = [colour for colour in range(COLOUR_COUNT) if self.pool[colour] and not excluded >> colour & 1]
        return colours or [colour for colour in range(COLOUR_COUNT) if self.pool[colour]]

    def _drops_unknown(self, seat: int, moves: list[int]) -> list[int]:
        """The discards of a hand not fully known here: those for which all tiles of the hand may fit nowhere."""
        fitting = _colours_placed(moves)
        known = [tile for tile in self.shown[seat] + self.hidden[seat] if tile != UNKNOWN]
        if any(colour in fitting for colour in known):
            return []
        stuck = [colour for colour in self._unknown_colours(seat) if colour not in fitting]
        if self.hidden[seat].count(UNKNOWN) > 1:  # then nothing of the hand is known
            spare = sum(self.pool[colour] for colour in stuck)
            return [DROP + colour for colour in stuck] if spare > 1 else []
        return [DROP + colour for colour in sorted({*known, *stuck})] if stuck else []

    def _place(self, move: int, sink: Sink | None) -> None:
        seat = self.to_move
        mat = self.mat
        if move < PUSH:
            way, colour, space = PLACED, (move - PLACE) // SPACES, (move - PLACE) % SPACES
            mat.put(space, colour)
        elif move < STACK:
            tile = (move - PUSH) // 6
            way, colour, space = PUSHED, tile // SPACES, tile % SPACES
            mat.push(space, (move - PUSH) % 6, colour)
        else:
            way, colour, space = STACKED, (move - STACK) // SPACES, (move - STACK) % SPACES
            mat.stack(space, colour)
        self._play_tile(seat, colour)
        rows = rows_through(mat, space, colour, self.unbroken)
        four = four_colours(mat, space)
        points = points_of(way, rows, four)
        if points:
            self.points[seat] += points
            self.scored = Scored(self.scored, seat, colour, space, way, rows, four)
        if sink is not None:
            sink(events.placed(seat, move, points, mat, self.scored if points else None))
        self.after_placing()
        if sink is not None and self.phase == OVER:
            sink(self.end_event())

    def _play_tile(self, seat: int, colour: int) -> None:
        """A tile leaves a hand. If everyone knows of one of its colour, it is that one; else it was hidden."""
        if colour in self.shown[seat]:
            self.shown[seat] = without_tile(self.shown[seat], colour)
            return
        hidden = self.hidden[seat]
        if colour not in hidden:
            colour, seen = UNKNOWN, colour
            self.pool[seen] -= 1
        self.hidden[seat] = without_tile(hidden, colour)
        self.excluded[seat] = 0

    # --- discarding when nothing fits ---------------------------------------------------------------------------------

    def _drop(self, colour: int, sink: Sink | None) -> None:
        seat = self.to_move
        self._play_tile(seat, colour)
        self.discarded = with_tile(self.discarded, colour)
        if self.hidden[seat]:
            # Everyone has seen that this tile could not be placed either.
            for fitting in _colours_placed(self.mat.placements(list(range(COLOUR_COUNT)))):
                self.excluded[seat] |= 1 << fitting
        if sink is not None:
            sink(events.dropped(seat, colour))
        self.after_placing()
        if sink is not None and self.phase == OVER:
            sink(self.end_event())

    # --- the turn: take a tile, refill the market ---------------------------------------------------------------------

    def after_placing(self) -> None:
        """Take from the market, or go on without taking if it is empty."""
        if self.market:
            self.phase = TAKING
        else:
            self.end_turn()

    def _take(self, colour: int, sink: Sink | None) -> None:
        seat = self.to_move
        self.market = without_tile(self.market, colour)
        self.shown[seat] = with_tile(self.shown[seat], colour)
        if sink is not None:
            sink(events.took(seat, colour))
        self.end_turn()

    def end_turn(self) -> None:
        """Refill the market while there is a deck; then the next seat that has a tile moves."""
        if self.deck and len(self.market) < MARKET_SIZE:
            self.phase = REFILLING
        else:
            self.begin_turn((self.to_move + 1) % self.seats)

    def begin_turn(self, seat: int) -> None:
        """The turn of this seat, or of the first one after it whose hand is not empty. If all are empty, the end."""
        for _ in range(self.seats):
            if self.hidden[seat] or self.shown[seat]:
                self.phase = PLACING
                self.to_move = seat
                return
            seat = (seat + 1) % self.seats
        self.phase = OVER

    # --- the end, and the score ---------------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        return Outcome(self.points.copy(), events.END, Ending.HANDS_EMPTY) if self.phase == OVER else None

    def scores(self) -> list[int]:
        return self.points.copy()

    def score_lines(self, seat: int) -> list[ScoreLine]:
        self.check_seat(seat)
        return lines_for(self.mat, seat, self.brought[seat], self.scored)

    # --- refusals -----------------------------------------------------------------------------------------------------

    def rule_against(self, seat: int, move: int) -> str | None:
        return refusals.rule_against(self, seat, move)

    # --- what a seat may know -----------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return position.write_position(self, viewer)

    def extra(self, viewer: int | None) -> Json:
        return view.extra(self, viewer)

    def resample(self, seat: int, rng: Rng) -> UmbradecoState:
        self.check_seat(seat)
        return hidden.resample(self, seat, rng)

    def estimate(self, seat: int) -> int:
        return estimate(self, seat)


def new_game(spec: GameSpec, seats: int, options: Json) -> UmbradecoState:
    """The start: all tiles in the deck, an empty mat, and everything for chance to do."""
    state = UmbradecoState(spec, seats, options, empty_mat(GEOMETRIES[options["mat"]]))
    state.unbroken = options["rows"] == "unbroken"
    state.points = [0] * seats
    state.brought = [0] * seats
    state.shown = [()] * seats
    state.hidden = [()] * seats
    state.excluded = [0] * seats
    state.pool = list(TILES)
    state.deck = sum(TILES)
    return state


def with_tile(tiles: tuple[int, ...], colour: int) -> tuple[int, ...]:
    """These tiles and one more, in the order of colours."""
    return tuple(sorted((*tiles, colour)))


def without_tile(tiles: tuple[int, ...], colour: int) -> tuple[int, ...]:
    """These tiles without one of this colour; the others keep their order."""
    at = tiles.index(colour)
    return tiles[:at] + tiles[at + 1 :]


def _colours_placed(moves: list[int]) -> set[int]:
    """The colours that these placements place."""
    colours: set[int] = set()
    for move in moves:
        parts = take_apart(move)
        if parts is not None:
            colours.add(parts.colour)
    return colours
