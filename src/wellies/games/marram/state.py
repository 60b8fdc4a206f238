"""The rules of Marram: who begins, set-up, a turn of two moves, claims, scoring, removal, the animals, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.dice import Rng
from wellies.core.events import Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.games.marram import animal_turns, events, moves, position, refusals, view
from wellies.games.marram.animals import NO_GUESS, NOWHERE, Animal, farthest_tiles, hops_from
from wellies.games.marram.board import Board, Piece
from wellies.games.marram.claims import claims_on, is_complete
from wellies.games.marram.estimate import estimate
from wellies.games.marram.material import STANDARD_NAME, STARTER, TILES, TileSet
from wellies.games.marram.material_file import load_material
from wellies.games.marram.move_resolution import remove_beasts, score_move, score_what_is_left
from wellies.games.marram.moves import CHANGE, ESCAPE, FLY, FROG, LONGEST_GUESS, NO_CLAIM, PASS
from wellies.games.marram.phases import (
    ALL_PASSED,
    CLAIM_DUE,
    DEAL,
    END_WORDS,
    ENDINGS,
    FLY_APPEARS,
    FLY_GUESS,
    FLY_HOPS,
    FRESH,
    FROG_APPEARS,
    FROG_GUESS,
    FROG_HOPS,
    GOES_ON,
    KNOCK_OUT,
    LOT,
    MOVE,
    OVER,
    REFILL,
)
from wellies.games.marram.placed_tile import fits
from wellies.games.marram.places import cell_at
from wellies.games.marram.variants import ANIMALS, CLASSIC, HAND, MOVES_A_TURN, numbers_for

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec


_NO_BOARD: Final = Board()
"""Used until a state gets a board of its own."""


@mypyc_attr(allow_interpreted_subclasses=True)
class MarramState(GameState):
    """One game of Marram. Nothing is hidden but the order in which tiles will be drawn."""

    def __init__(self, spec: GameSpec, seats: int, options: Json) -> None:
        """A state with nothing in it yet, to be filled by `blank_game` or `clone`."""
        super().__init__(spec, seats, options)
        self.numbers = numbers_for(options["variant"], options["length"], seats)
        self.box: TileSet = load_material(options.get("cards"))
        self.checked = True
        """False for a position with `"check": false`."""
        self.board: Board = _NO_BOARD
        self.hands: list[list[int]] = []
        self.stock: list[int] = []
        """The tiles that may still be drawn, in order of number."""
        self.stock_count = 0
        """How many of them will be: fewer than there are only where a position gave a count of unknown tiles."""
        self.out: list[int] = []
        """Tiles that left the game from a hand that fitted nowhere."""
        self.points: list[int] = []
        self.lines: list[list[ScoreLine]] = []
        self.boots: list[int] = []
        self.forks: list[int] = []
        self.spades: list[int] = []
        self.retired_boots: list[int] = []
        self.retired_forks: list[int] = []
        self.phase: int = DEAL
        self.to_move = 0
        self.move_number = 1
        self.played: int = NOWHERE
        """The place of the tile laid or flipped in the move under way."""
        self.laid_it = False
        """Whether that tile was laid rather than flipped."""
        self.flipped_now: list[int] = []
        """The places of tiles flipped in this turn."""
        self.fresh = 0
        """How many tiles are still to come in place of a hand that was changed."""
        self.passes = 0
        """How many seats have passed in a row since all tiles are gone."""
        self.kept: tuple[int, ...] = ()
        """The complete blue beast that stays because its head is the last one."""
        self.fly: Animal | None = None
        self.frog: Animal | None = None
        self.ended: int = GOES_ON

    # --- set-up -----------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """The starter lies in the middle; three tiles for each seat are due."""
        self.board.lay(cell_at(0, 0), self.box.placed(STARTER, 0, 0, self.numbers.flips))
        self.stock = list(range(1, TILES + 1))
        self.stock_count = TILES

    def _begins(self, seat: int, sink: Sink | None) -> None:
        """Who begins is drawn; turns go round from there."""
        self.to_move = seat
        self.phase = DEAL
        if sink is not None:
            sink(events.begins(seat))

    def drawing_seat(self) -> int:
        """The seat whose hand the next tile drawn goes to."""
        if self.phase != DEAL:
            return self.to_move
        for seat in range(self.seats):
            if len(self.hands[seat]) < HAND:
                return seat
        return self.to_move

    def _draw(self, tile: int, sink: Sink | None) -> None:
        seat = self.drawing_seat()
        self.stock.remove(tile)
        self.stock_count -= 1
        if self.stock_count == 0:
            # Where a position gave a mere count, the rest of what it might have been is out of the game.
            self.stock = []
        self.hands[seat].append(tile)
        if sink is not None:
            sink(events.drew(self, seat, tile))
        if self.phase == DEAL:
            if self.stock_count == 0 or all(len(hand) >= HAND for hand in self.hands):
                self.begin_move(sink)
        elif self.phase == FRESH:
            self.fresh -= 1
            if self.fresh == 0 or self.stock_count == 0:
                self.fresh = 0
                self.begin_move(sink)
        elif self.stock_count == 0 or len(self.hands[seat]) >= HAND:
            self._next_seat(sink)

    # --- whose turn -------------------------------------------------------------------------------------------------

    def active(self) -> list[int]:
        phase = self.phase
        if phase in (MOVE, CLAIM_DUE):
            return [self.to_move]
        if phase == OVER:
            return []
        if phase in (FLY_GUESS, FROG_GUESS):
            return [self.guesser()]
        return [CHANCE]

    def guesser(self) -> int:
        """The seat that guesses next: from the current one in turn order."""
        animal = self.fly if self.phase == FLY_GUESS else self.frog
        assert animal is not None
        seat = self.to_move
        while animal.guesses[seat] != NO_GUESS:
            seat = (seat + 1) % self.seats
        return seat

    def legal(self, seat: int) -> list[int]:
        phase = self.phase
        if seat == CHANCE:
            return self._chance_moves()
        if phase == MOVE:
            return self._moves() if seat == self.to_move else []
        if phase == CLAIM_DUE:
            return [*self.claims(), NO_CLAIM] if seat == self.to_move else []
        if (phase in (FLY_GUESS, FROG_GUESS)) and seat == self.guesser():
            return [moves.guess_move(number) for number in [*range(1, LONGEST_GUESS + 1), ESCAPE]]
        return []

    def can_plan(self, seat: int) -> bool:
        """Hands and table are open. A guess may come before the turn: it changes nothing of what can be laid."""
        if self.phase not in (MOVE, CLAIM_DUE, FLY_GUESS, FROG_GUESS) or seat == self.to_move:
            return False
        return 0 <= seat < self.seats and (len(self.hands[seat]) > 0 or self.spades[seat] > 0)

    def give_turn(self, seat: int) -> None:
        self.phase = MOVE
        self.to_move = seat
        self.move_number = 1
        self.played = NOWHERE
        self.laid_it = False
        self.flipped_now = []

    # --- a move: lay, flip, or change the hand ----------------------------------------------------------------------

    def _moves(self) -> list[int]:
        found = self.lays()
        lays = len(found)
        if self.spades[self.to_move] > 0:
            found += self.flips()
        if lays == 0:
            found.append(CHANGE if self.hands[self.to_move] else PASS)
        return found

    def lays(self) -> list[int]:
        """All ways to lay a tile of the hand, by tile and place."""
        found: list[int] = []
        cells = self.board.open_cells
        codes = self.board.open_codes
        box = self.box
        for tile in sorted(set(self.hands[self.to_move])):
            by_demand = box.lays_by_demand(tile)
            for at in range(len(cells)):
                bases = by_demand[codes[at]]
                if bases is None:
                    bases = box.lays_for(tile, codes[at])
                if bases:
                    place = cells[at] << moves.CELL_SHIFT
                    for base in bases:
                        found.append(base + place)
        return found

    def flips(self) -> list[int]:
        """All flips of laid tiles, by place."""
        found: list[int] = []
        for cell in self.board.flippable:
            if cell not in self.flipped_now:
                for turn in self.flip_turns(cell):
                    found.append(moves.flip_move(cell, turn))
        found.sort()
        return found

    def flip_turns(self, cell: int) -> list[int]:
        """The turns in which the other face of a laid tile matches all its neighbours."""
        tile = self.board.tiles[cell]
        turns = tile.flip_turns()
        if not tile.segments:
            return list(turns)
        demand = self.board.demand(cell)
        found: list[int] = []
        for turn in turns:
            if fits(tile.segments_turned(turn), demand):
                found.append(turn)
        return found

    def _lay(self, move: int, sink: Sink | None) -> None:
        tile = moves.lay_tile(move)
        cell = moves.lay_cell(move)
        seat = self.to_move
        placed = self.box.placed(tile, moves.lay_turn(move), moves.lay_face(move), self.numbers.flips)
        self.hands[seat].remove(tile)
        self.board.lay(cell, placed)
        if sink is not None:
            sink(events.laid(self, tile, cell))
        self._after_playing(cell, True, sink)

    def _flip(self, move: int, sink: Sink | None) -> None:
        cell = moves.flip_cell(move)
        seat = self.to_move
        self.spades[seat] -= 1
        self.flipped_now.append(cell)
        if cell in self.board.pieces:
            self._retire(cell, sink)
        self.board.flip(cell, self.board.tiles[cell].turned_over(moves.flip_turn(move)))
        if sink is not None:
            sink(events.flipped(self, cell))
        self._after_playing(cell, False, sink)

    def _retire(self, cell: int, sink: Sink | None) -> None:
        """A piece on a tile that is flipped leaves the game."""
        piece = self.board.take_piece(cell)
        if piece.piece == moves.BOOT:
            self.retired_boots[piece.seat] += 1
        else:
            self.retired_forks[piece.seat] += 1
        if sink is not None:
            sink(events.retired(piece, cell))

    def _after_playing(self, cell: int, laid: bool, sink: Sink | None) -> None:
        """A claim is asked for where one is possible."""
        self.passes = 0
        self.played = cell
        self.laid_it = laid
        if self.claims():
            self.phase = CLAIM_DUE
        else:
            self._resolve(sink)

    def _change(self, sink: Sink | None) -> None:
        """A hand that fits nowhere leaves the game for as many fresh tiles; with none to come the turn is over."""
        seat = self.to_move
        hand = self.hands[seat]
        self.out += hand
        self.fresh = min(len(hand), self.stock_count)
        if sink is not None:
            sink(events.changed(seat, hand, self.fresh))
        self.hands[seat] = []
        if self.fresh > 0:
            self.phase = FRESH
        else:
            self._end_turn(sink)

    # --- claims -----------------------------------------------------------------------------------------------------

    def claims(self) -> list[int]:
        """All claims that the current seat may make on the tile just played."""
        seat = self.to_move
        return claims_on(self.board, self.played, self.numbers.variant, self.boots[seat], self.forks[seat])

    def _claim(self, move: int, sink: Sink | None) -> None:
        seat = self.to_move
        kind = moves.claim_piece(move)
        self.hand_out(seat, kind, -1)
        self.board.place_piece(self.played, Piece(seat, kind, moves.claim_slot(move)))
        if sink is not None:
            sink(events.claimed(self, kind, moves.claim_slot(move)))
        self._resolve(sink)

    def hand_out(self, seat: int, kind: int, change: int) -> None:
        """A piece leaves a seat's stock, or comes home."""
        if kind == moves.BOOT:
            self.boots[seat] += change
        else:
            self.forks[seat] += change

    # --- scoring after a move ---------------------------------------------------------------------------------------

    def _resolve(self, sink: Sink | None) -> None:
        """What follows the claim: scoring, removal, the animals, and the end of the move."""
        score_move(self, sink)
        if self.numbers.variant != CLASSIC:
            remove_beasts(self, sink)
        if self.numbers.variant == ANIMALS:
            animal_turns.go_on(self, FLY_HOPS, sink)
        else:
            self.end_move(sink)

    # --- the end of a move and of a turn ------------------------------------------------------------------------------

    def tiles_left(self) -> bool:
        """Whether any tile is left in the stock or a hand."""
        return self.stock_count > 0 or any(self.hands)

    def end_move(self, sink: Sink | None) -> None:
        self.played = NOWHERE
        if self.numbers.knock_out > 0 and self._knocked_out():
            self._finish(KNOCK_OUT, sink)
            return
        self.laid_it = False
        if self.move_number < MOVES_A_TURN:
            self.move_number += 1
            self.begin_move(sink)
        else:
            self._end_turn(sink)

    def _knocked_out(self) -> bool:
        """Someone has reached the score while tiles are left, or the current seat by laying the last one."""
        goal = self.numbers.knock_out
        if self.tiles_left():
            return max(self.points) >= goal
        return self.laid_it and self.points[self.to_move] >= goal

    def begin_move(self, sink: Sink | None) -> None:
        """The current seat is to move; without tiles and spade cards it passes by itself."""
        if self.hands[self.to_move] or self.spades[self.to_move] > 0:
            self.phase = MOVE
        else:
            self._pass(sink)

    def _pass(self, sink: Sink | None) -> None:
        seat = self.to_move
        if sink is not None:
            sink(events.passed(seat))
        if not self.tiles_left():
            self.passes += 1
            if self.passes >= self.seats:
                score_what_is_left(self, sink)
                self._finish(ALL_PASSED, sink)
                return
        self._end_turn(sink)

    def _end_turn(self, sink: Sink | None) -> None:
        """The hand is refilled to three."""
        self.move_number = 1
        self.flipped_now = []
        if self.stock_count > 0 and len(self.hands[self.to_move]) < HAND:
            self.phase = REFILL
        else:
            self._next_seat(sink)

    def _next_seat(self, sink: Sink | None) -> None:
        self.to_move = (self.to_move + 1) % self.seats
        self.begin_move(sink)

    # --- the end of the game ------------------------------------------------------------------------------------------

    def _finish(self, why: int, sink: Sink | None) -> None:
        self.phase = OVER
        self.ended = why
        self.laid_it = False
        if sink is not None:
            sink(self.end_event())

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        return Outcome(list(self.points), END_WORDS[self.ended], ENDINGS[self.ended])

    # --- making moves -----------------------------------------------------------------------------------------------

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        kind = move >> moves.KIND_SHIFT
        if kind == moves.LAY:
            self._lay(move, sink)
        elif kind == moves.FLIP:
            self._flip(move, sink)
        elif kind == moves.CLAIM:
            self._claim(move, sink)
        elif move == NO_CLAIM:
            self._resolve(sink)
        elif kind == moves.DRAW:
            self._draw(moves.payload(move), sink)
        elif kind == moves.FIRST:
            self._begins(moves.payload(move), sink)
        elif kind in (FLY, FROG):
            animal_turns.move(self, kind, moves.payload(move), sink)
        elif kind == moves.GUESS:
            animal_turns.guess(self, seat, moves.payload(move), sink)
        elif move == CHANGE:
            self._change(sink)
        else:
            self._pass(sink)

    def rule_against(self, seat: int, move: int) -> str | None:
        return refusals.rule_against(self, seat, move)

    def decline_move(self, seat: int) -> int | None:
        return moves.NO_CLAIM if self.phase == CLAIM_DUE and seat == self.to_move else None

    def offered(self, seat: int) -> list[int]:
        """Claims of what the tile just played completes."""
        if self.phase != CLAIM_DUE or seat != self.to_move:
            return []
        return [move for move in self.claims() if is_complete(self.board, self.played, moves.claim_slot(move))]

    # --- chance -----------------------------------------------------------------------------------------------------

    def _chance_moves(self) -> list[int]:
        phase = self.phase
        if phase == LOT:
            return [moves.first_move(seat) for seat in range(self.seats)]
        if phase in (DEAL, REFILL, FRESH):
            return [moves.draw_move(tile) for tile in self.stock]
        if phase in (FLY_APPEARS, FROG_APPEARS):
            kind = FLY if phase == FLY_APPEARS else FROG
            return [moves.animal_move(kind, cell) for cell in farthest_tiles(self.board, kind)]
        if phase == FLY_HOPS and self.fly is not None:
            return [moves.animal_move(FLY, cell) for cell in hops_from(self.board, FLY, self.fly.at)]
        if phase == FROG_HOPS and self.frog is not None:
            return [moves.animal_move(FROG, cell) for cell in hops_from(self.board, FROG, self.frog.at)]
        return []

    def weight(self, move: int) -> int:
        """Tiles and places to appear at are equally likely; an animal hops back half as often as anywhere else."""
        kind = move >> moves.KIND_SHIFT
        if kind == FLY and self.phase == FLY_HOPS and self.fly is not None:
            return 1 if moves.payload(move) == self.fly.came_from else 2
        if kind == FROG and self.phase == FROG_HOPS and self.frog is not None:
            return 1 if moves.payload(move) == self.frog.came_from else 2
        return 1

    def chance(self, rng: Rng) -> int:
        phase = self.phase
        if phase in (DEAL, REFILL, FRESH):
            return moves.draw_move(self.stock[rng.randrange(len(self.stock))])
        return super().chance(rng)

    # --- copies, views and scores -----------------------------------------------------------------------------------

    def clone(self) -> MarramState:
        other = MarramState(self.spec, self.seats, self.options)
        other.checked = self.checked
        other.board = self.board.clone()
        other.hands = [hand.copy() for hand in self.hands]
        other.stock = self.stock.copy()
        other.stock_count = self.stock_count
        other.out = self.out.copy()
        other.points = self.points.copy()
        other.lines = [lines.copy() for lines in self.lines]
        other.boots = self.boots.copy()
        other.forks = self.forks.copy()
        other.spades = self.spades.copy()
        other.retired_boots = self.retired_boots.copy()
        other.retired_forks = self.retired_forks.copy()
        other.phase = self.phase
        other.to_move = self.to_move
        other.move_number = self.move_number
        other.played = self.played
        other.laid_it = self.laid_it
        other.flipped_now = self.flipped_now.copy()
        other.fresh = self.fresh
        other.passes = self.passes
        other.kept = self.kept
        other.fly = None if self.fly is None else self.fly.clone()
        other.frog = None if self.frog is None else self.frog.clone()
        other.ended = self.ended
        return other

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return position.write_position(self)

    def extra(self, viewer: int | None) -> Json:
        return view.extra(self)

    def scores(self) -> list[int]:
        return self.points.copy()

    def score_lines(self, seat: int) -> list[ScoreLine]:
        self.check_seat(seat)
        return self.lines[seat].copy()

    def estimate(self, seat: int) -> int:
        return estimate(self, seat)


def blank_game(spec: GameSpec, seats: int, options: Json) -> MarramState:
    """A game before anything is laid or dealt: all pieces and cards in stock, no tiles anywhere.

    Animals is always long, whatever length the options name. The standard tiles are not named in a state's options.
    """
    settled = {**options, "length": "long"} if options["variant"] == "animals" else dict(options)
    if settled["cards"] == STANDARD_NAME:
        del settled["cards"]
    state = MarramState(spec, seats, settled)
    state.board = Board()
    state.hands = [[] for _ in range(seats)]
    state.points = [0] * seats
    state.lines = [[] for _ in range(seats)]
    state.boots = [state.numbers.boots] * seats
    state.forks = [state.numbers.forks] * seats
    state.spades = [state.numbers.spades] * seats
    state.retired_boots = [0] * seats
    state.retired_forks = [0] * seats
    return state
