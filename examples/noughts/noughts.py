"""Noughts and crosses for Wellies: a whole game in one file. Copy it to begin a game of your own.

`NoughtsState` is a game in progress: the rules. `NoughtsSpec` is the game on the shelf: options, notation, drawings.
The contract of both is in the docstrings of `wellies.core.state` and `wellies.core.spec`.
"""

from __future__ import annotations

from typing import Any

from wellies.core.canvas import Canvas
from wellies.core.errors import BadNotation, BadPosition, UnknownPiece, not_a_move
from wellies.core.events import Event, Json, ScoreLine, Sink
from wellies.core.fields import Fields
from wellies.core.options import Choice, Option, check_options
from wellies.core.outcome import Ending, Outcome
from wellies.core.plain_board import PlainBoard, PlainPlace
from wellies.core.spec import GameSpec
from wellies.core.state import ALL_SEEING, GameState
from wellies.core.types import View

RULES = """# Noughts and Crosses

For 2 players, about 2 minutes.

## The game

The board is a grid of empty squares. Crosses begins, then the players take turns. On your turn you draw your sign in
one empty square: a cross if you began, a nought if you did not. A sign stays where it is to the end of the game.

A line is a whole row, a whole column, or one of the two diagonals from corner to corner, with the same sign in all of
its squares. The game is over as soon as there is a line, or when no square is empty.

## Points

Whoever completes a line scores 1 point and wins. If the board is full and there is no line, nobody scores, and both
share the win. With the goal to avoid lines it is the other way round: whoever completes a line gives the point to the
other.

## Sizes

On the board of three by three a line has three squares. On the board of four by four it has four, and is easier to
stop: no line can be completed in which both signs stand. Where a line wins, two careful players always stop each other.

## For the terminal and Python

Moves are the names of squares: `b1` is the second square of the upper row. Columns are letters from the left, rows are
numbers from the top. The option `size` is 3 or 4; the option `goal` is `line` or `avoid`. A position lists the rows
from the top, such as `{"board": ["X.O", ".X.", "..."]}`; whose turn it is follows from the number of signs.
"""

SIGNS = "XO"  # by seat
WORDS = ("a cross", "a nought")
EMPTY = -1
STRIDE = 4  # a move is STRIDE * row + column on every board: what a move means must not depend on the state


def square_name(move: int) -> str:
    return f"{'abcd'[move % STRIDE]}{move // STRIDE + 1}"


def place(move: int) -> list[int]:
    """A square as events, score lines and moves as fields name it: column and row."""
    return [move % STRIDE, move // STRIDE]


class NoughtsState(GameState):
    """A game in progress. The board says everything: who is to move, the score, and whether the game is over."""

    def __init__(self, spec: GameSpec, options: Json) -> None:
        super().__init__(spec, 2, options)
        self.size: int = options["size"]
        self.squares = [STRIDE * row + column for row in range(self.size) for column in range(self.size)]
        self.board = dict.fromkeys(self.squares, EMPTY)  # the seat whose sign is in each square

    def clone(self) -> NoughtsState:
        other = NoughtsState(self.spec, self.options)
        other.board = dict(self.board)
        return other

    # --- the rules ----------------------------------------------------------------------------------------------------

    def active(self) -> list[int]:
        signs = sum(1 for seat in self.board.values() if seat != EMPTY)
        return [] if signs == len(self.squares) or self.line() else [signs % 2]

    def legal(self, seat: int) -> list[int]:
        return [move for move in self.squares if self.board[move] == EMPTY] if seat in self.active() else []

    def rule_against(self, seat: int, move: int) -> str | None:
        if move not in self.board:
            return f"There is no such square; the board has {self.size} rows of {self.size}."
        if self.board[move] != EMPTY:
            return f"There is {WORDS[self.board[move]]} [on {square_name(move)}] already; choose an empty square."
        return None

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        self.board[move] = seat
        if sink is not None:
            lines = [(scorer, line) for scorer in (0, 1) for line in self.score_lines(scorer)]
            text = f"{{{seat}}} draws {WORDS[seat]} [on {square_name(move)}]."
            sink(Event("draw", seat, text, {"at": place(move)}, lines=lines))
            if not self.active():
                sink(self.end_event())

    def all_lines(self) -> list[list[int]]:
        """The squares of every row, column and diagonal."""
        along = range(self.size)
        rows = [[STRIDE * row + column for column in along] for row in along]
        columns = [[STRIDE * row + column for row in along] for column in along]
        return [*rows, *columns, [(STRIDE + 1) * n for n in along], [(STRIDE - 1) * n + self.size - 1 for n in along]]

    def line(self) -> list[int]:
        """The squares of all complete lines; empty if there is none. One sign can complete two lines at once."""
        complete = [line for line in self.all_lines() if {self.board[move] for move in line} in ({0}, {1})]
        return sorted({move for line in complete for move in line})

    # --- the score ----------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [sum(line.points for line in self.score_lines(seat)) for seat in (0, 1)]

    def score_lines(self, seat: int) -> list[ScoreLine]:
        self.check_seat(seat)
        line = self.line()
        if not line:
            return []
        owner = self.board[line[0]]
        if seat != (owner if self.options["goal"] == "line" else 1 - owner):
            return []
        why = "A line" if seat == owner else f"{{{owner}}} completed a line"
        return [ScoreLine("line", 1, [place(move) for move in line], why)]

    def estimate(self, seat: int) -> int:
        """For bots, in hundredths of a point: the score, and a little for each line that the other cannot complete."""
        hopes = sum(1 for line in self.all_lines() if all(self.board[move] != 1 - seat for move in line))
        return 100 * self.scores()[seat] + (hopes if self.options["goal"] == "line" else -hopes)

    def outcome(self) -> Outcome | None:
        if self.active():
            return None
        if self.line():
            return Outcome(self.scores(), "There is a line.", Ending.TARGET_REACHED)
        return Outcome(self.scores(), "The board is full.", Ending.BOARD_FULL)

    # --- as JSON ------------------------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        signs = "".join("." if seat == EMPTY else SIGNS[seat] for seat in self.board.values())
        rows = [signs[start : start + self.size] for start in range(0, len(signs), self.size)]
        return {"game": self.spec.name, "options": self.options, "board": rows}


class NoughtsSpec(GameSpec):
    """The game on the shelf."""

    name = "noughts"
    title = "Noughts and Crosses"
    summary = "Draw your sign in a square, and be the first with a whole line."
    min_seats = 2
    max_seats = 2
    minutes = "2"
    rules_version = 1
    secret = False
    rules_text = RULES

    def __init__(self) -> None:
        sizes = [Choice(3, "Three rows of three squares."), Choice(4, "Four rows of four squares.")]
        goals = [Choice("line", "Whoever completes a line wins."), Choice("avoid", "Whoever completes a line loses.")]
        self.options = [
            Option("size", "Size", "How large the board is.", sizes, 3),
            Option("goal", "Goal", "What a line is good for.", goals, "line"),
        ]

    def new_state(self, seats: int, options: Json) -> NoughtsState:
        return NoughtsState(self, options)

    def read_position(self, position: Json) -> NoughtsState:
        fields = Fields(position, "", ("game", "options", "board"))
        state = NoughtsState(self, check_options(self.options, position["options"], 2, self.title))
        rows = fields.items("board")
        if len(rows) != state.size or any(not isinstance(row, str) or len(row) != state.size for row in rows):
            raise BadPosition(f'board must be {state.size} rows of {state.size} signs, such as "X.O" on a board of 3.')
        for move, sign in zip(state.squares, "".join(rows), strict=True):
            if sign not in "XO.":
                raise BadPosition(f"board: {sign!r} on {square_name(move)} is no sign; use X, O, and . for empty.")
            state.board[move] = EMPTY if sign == "." else SIGNS.index(sign)
        crosses, noughts = "".join(rows).count("X"), "".join(rows).count("O")
        if crosses - noughts not in (0, 1):
            raise BadPosition(f"board: {crosses} X and {noughts} O; X begins, so it has as many as O or one more.")
        owners = {state.board[move] for move in state.line()}
        if owners and owners != {(crosses + noughts - 1) % 2}:
            raise BadPosition("board: whoever did not draw last has a line; the game was over before.")
        return state

    # --- moves --------------------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        if not 0 <= move < STRIDE * STRIDE:
            raise not_a_move(move, self.title)
        return square_name(move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        word = text.strip().lower()
        if len(word) != 2 or word[0] not in "abcdefghijklmnopqrstuvwxyz" or word[1] not in "0123456789":
            raise BadNotation(f"{text!r} is not a move of {self.title}; {self.notation_help()}")
        if word[0] not in "abcd" or word[1] not in "1234":
            raise UnknownPiece(f"There is no square {word}; {self.notation_help()}")
        return STRIDE * (int(word[1]) - 1) + "abcd".index(word[0])

    def notation_help(self) -> str:
        return "a move is the name of a square: a1 is the upper left corner, b1 is to the right of it."

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        return {"kind": "draw", "at": place(move), "piece": {"text": SIGNS[seat], "seat": seat}}

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        return f"draw {WORDS[seat]} [on {square_name(move)}]"

    # --- drawings -----------------------------------------------------------------------------------------------------

    def draw(self, view: View, marks: dict[Any, str] | None = None) -> Canvas:
        """For the terminal. `marks` are the numbers of the moves one can choose, by place."""
        canvas = Canvas()
        rows = view["position"]["board"]
        canvas.put(0, 2, "".join(f"  {letter} " for letter in "abcd"[: len(rows)]), "grey50")
        for number, row in enumerate(rows):
            canvas.put(2 * number + 1, 2, "+---" * len(row) + "+", "grey50")
            canvas.put(2 * number + 2, 0, f"{number + 1} " + "|   " * len(row) + "|", "grey50")
            for column, sign in enumerate(row):
                label = (marks or {}).get((column, number), "") if sign == "." else sign
                style = {"X": "bold red", "O": "bold blue"}.get(sign, "yellow")
                canvas.put(2 * number + 2, 4 * column + 3, label.center(3), style)
        canvas.put(2 * len(rows) + 1, 2, "+---" * len(rows) + "+", "grey50")
        return canvas

    def plain_board(self, view: View) -> PlainBoard:
        """For the page."""
        places: list[PlainPlace] = []
        for row, signs in enumerate(view["position"]["board"]):
            for column, sign in enumerate(signs):
                name = square_name(STRIDE * row + column)
                square: PlainPlace = {"at": [column, row], "name": name, "label": f"{name}, empty", "move": name}
                if sign != ".":
                    seat = SIGNS.index(sign)
                    square["label"] = f"{name}, {WORDS[seat]}"
                    square["piece"] = {"text": sign, "seat": seat}
                places.append(square)
        prompt = "Your turn: choose an empty square."
        return {"grid": "square", "places": places, "seats": ["crosses", "noughts"], "prompt": prompt}


SPEC = NoughtsSpec()
