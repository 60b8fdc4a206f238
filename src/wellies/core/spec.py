"""What a game is before it is played: its name, seats, options, notation, and how to start it."""

from __future__ import annotations

import json
import sys
from importlib import resources
from typing import Any, ClassVar, Final

from wellies.core.canvas import Canvas, Panes
from wellies.core.encoding import Encoding
from wellies.core.errors import BadNotation, BadOption, BadPosition, IllegalMove, NotYourTurn
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.options import Option, check_options, refuse_paths
from wellies.core.plain_board import PlainBoard
from wellies.core.state import GameState
from wellies.core.texts import capital
from wellies.core.types import Move, Seat, View

NOT_FOR_PLAYERS: Final = "## For the terminal and Python"
"""What follows this heading in a game's rules is about notation, options and files: not for players of a page."""


class Shapes:
    """Typed dictionaries for a game's positions, for the extras of its views, for each kind of move as fields, and for
    an entry of its box, if it has a list of what is in it."""

    def __init__(self, position: type, extra: type, moves: list[type], box: type | None = None) -> None:
        self.position = position
        self.extra = extra
        self.moves = moves
        self.box = box


class GameSpec:
    """A game on the shelf. The `spec.py` of a built-in game has one, called `SPEC`; a package of its own announces one
    by an entry point (see `registry`).

    A game implements `new_state`, `read_position`, `move_text`, `read_move`, `move_fields`, `move_words`,
    `notation_help`, and `panes` or `draw`. It brings its rules in words: see `rules`. For the page it has a board drawn
    by hand (`web/src/games/<name>`), or `plain_board`; with neither, the page lists its moves.
    """

    name: str
    title: str
    summary: str
    min_seats: int
    max_seats: int
    rules_version: int
    options: list[Option]
    minutes: str
    secret: bool = True
    """Whether seats hold what others may not see. Where people pass one device round, the table is then covered in
    between."""
    rules_text: ClassVar[str] = ""
    """The rules in words, as Markdown, for a game that has no file `rules.md`."""
    old_defaults: ClassVar[dict[int, Json]] = {}
    """Earlier rules versions whose games still play here, with what an option meant then if it was left out, where it
    means something else now."""

    # --- starting ---------------------------------------------------------------------------------------------------

    def start(self, seats: int | None = None, options: Json | None = None) -> GameState:
        """A new game. BadOption names the option, the value and what is allowed."""
        if seats is None:
            seats = self.min_seats
        self.check_seats(seats)
        return self.new_state(seats, check_options(self.options, options, seats, self.title))

    def check_seats(self, seats: int) -> None:
        """BadOption if this game cannot be played by so many."""
        whole = isinstance(seats, int) and not isinstance(seats, bool)
        if not whole or not self.min_seats <= seats <= self.max_seats:
            most = "" if self.min_seats == self.max_seats else f" to {self.max_seats}"
            raise BadOption(f"{self.title} is for {self.min_seats}{most} seats, not {seats!r}.")

    def new_state(self, seats: int, options: Json) -> GameState:
        """The start of a game, with options already checked."""
        raise NotImplementedError

    def fit_to_log(self, state: GameState, seat: Seat, text: str) -> None:
        """Bring a new state to where a log begins, given its first move, if that was written by older rules of how to
        begin. So records and stored games of before go on as they went."""

    def options_of(self, given: Any, version: int) -> Any:
        """The options of a game of this rules version (0: unknown), where those left out mean what they did then."""
        then = self.old_defaults.get(max(version, 1), {})
        if given is None:
            return dict(then)
        return {**then, **given} if isinstance(given, dict) else given

    def version_of(self, options: Json) -> int:
        """The rules version of a game with these options, all of them given: an earlier one if they say what they
        meant then."""
        for version, then in self.old_defaults.items():
            if all(options[name] == value for name, value in then.items()):
                return version
        return self.rules_version

    def from_position(self, position: Json) -> GameState:
        """Set any position up. BadPosition names what is wrong and how to mend it. A position names no rules version:
        an option that it leaves out means what it did in the first."""
        if not isinstance(position, dict):
            raise BadPosition(f"a position is a JSON object, not {type(position).__name__}.")
        game = position.get("game", self.name)
        if game != self.name:
            raise BadPosition(f"this position is of the game {game!r}, not {self.name!r}; set it up with that game.")
        options = self.options_of(position.get("options"), 1)
        try:
            refuse_paths(self.options, options)
            return self.read_position({**position, "options": options})
        except BadOption as error:
            raise BadPosition(str(error)) from error

    def read_position(self, position: Json) -> GameState:
        """The state of a position of this game; raises BadPosition or BadOption."""
        raise NotImplementedError

    def deserialize(self, text: str) -> GameState:
        """The state that `GameState.serialize` has written, or any position as JSON text; raises BadPosition."""
        try:
            position = json.loads(text)
        except ValueError as error:
            raise BadPosition(f"a position is JSON text; this is not: {error}.") from error
        return self.from_position(position)

    # --- moves as text ----------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: Seat, move: Move) -> str:
        """The move in notation, as records keep it. BadNotation for a number that is no move of this game."""
        raise NotImplementedError

    def read_move(self, state: GameState, seat: Seat, text: str) -> Move:
        """The move a text stands for, legal or not. BadNotation if malformed, UnknownPiece if it names what is not."""
        raise NotImplementedError

    def parse_move(self, state: GameState, seat: Seat, text: object) -> Move:
        """The legal move a text stands for: BadNotation, UnknownPiece, or IllegalMove with the rule."""
        if not isinstance(text, str):
            example = self.notation_help().splitlines()[0]
            packed = (
                " A packed move is played with play_move and previewed with preview_move."
                if isinstance(text, int)
                else ""
            )
            raise BadNotation(f"A move of {self.title} is text, not {type(text).__name__}.{packed} {capital(example)}")
        move = self.read_move(state, seat, text)  # a malformed text is called malformed even out of turn
        turn = state.turn_refusal(seat, move)
        if turn is not None:
            raise NotYourTurn(turn)
        why = state.rule_against(seat, move)
        if why is not None:
            raise IllegalMove(why)
        return move

    def move_fields(self, state: GameState, seat: Seat, move: Move) -> Json:
        """The move taken apart as JSON: `kind`, `at` for its place if it has one, piece, turn and so on. `plain_board`
        lists the fields that tie a move to the places, cards and piles of a plain board."""
        raise NotImplementedError

    def move_words(self, state: GameState, seat: Seat, move: Move) -> str:
        """The move as a phrase for people (see `texts`): "open a red umbrella [at 1,-1]"."""
        raise NotImplementedError

    def notation_help(self) -> str:
        """One or two lines on how moves are typed, with examples."""
        raise NotImplementedError

    def shapes(self) -> Shapes | None:
        """The types of this game's JSON. The types of a board drawn by hand are made from them; other games need
        none."""
        return None

    # --- for bots -----------------------------------------------------------------------------------------------------

    def heuristics(self, deep: bool = False) -> Heuristics:
        """What a search knows of this game beyond its rules; `deep` is for a bot that may think for seconds.

        A game with heuristics of its own overrides this, and imports their module here: only searches need it.
        """
        return Heuristics(deep)

    # --- for learning programs ----------------------------------------------------------------------------------------

    def encoding(self, seats: int | None = None, options: Json | None = None) -> Encoding | None:
        """States and moves of this game as arrays of fixed size, at a number of seats and with some options, which are
        given as to `start`. None if the game brings no encoding."""
        if seats is None:
            seats = self.min_seats
        self.check_seats(seats)
        return self.new_encoding(seats, check_options(self.options, options, seats, self.title))

    def new_encoding(self, seats: int, options: Json) -> Encoding | None:
        """The encoding of a game, with options already checked. A game that has one imports its module here: only
        learning programs need it."""
        return None

    # --- for people -------------------------------------------------------------------------------------------------

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        """The table as a viewer sees it, for a terminal, in parts. It is given a view and nothing else, so that it
        cannot show what the viewer may not see.

        `marks` puts short labels on places, keyed by the `at` of `move_fields` (a tuple where that is a list). If the
        view has `names`, they are the players' by seat; `canvas.seat_names` gives them or a stand-in. All but the board
        keeps to `width` columns, if it is 80 or more; `small` asks for fewer rows.
        """
        return Panes(self.draw(view, marks))

    def draw(self, view: View, marks: dict[Any, str] | None = None) -> Canvas:
        """The same on one sheet. A game implements this, or `panes` if its table may be larger than a screen."""
        return self.panes(view, marks, 80).sheet()

    def plain_board(self, view: View) -> PlainBoard | None:
        """What the page draws for a game that has no board drawn by hand; None if the game gives nothing.

        Like `panes`, it is given a view and nothing else, so that it cannot show what the viewer may not see. It is
        part of the view that seats get, as `plain_board`.
        """
        return None

    def card_table(self, cards: object = None) -> list[Json]:
        """The game's cards as rows of a table, for a game that is made of cards; `cards` is a corrected card file."""
        return []

    def card_file(self) -> Json:
        """The complete file of the usual cards or tiles, as the option `cards` takes it; empty if there is none."""
        return {}

    def box(self) -> list[Json]:
        """All that is in the box, an entry for each card or kind of tile, for an encyclopaedia (`Shapes.box`)."""
        return []

    def rules(self) -> str:
        """The rules in words, as Markdown: `rules_text`, or else the file `rules.md` in the package of the spec's
        class. A game that has neither shows its summary."""
        if self.rules_text:
            return self.rules_text
        package = getattr(sys.modules[type(self).__module__], "__package__", None)
        if package:
            file = resources.files(package).joinpath("rules.md")
            if file.is_file():
                return file.read_text(encoding="utf-8")
        return f"# {self.title}\n\n{self.summary}\n"

    def how_to_play(self) -> str:
        """The part of the rules that players of a page read: all before the heading for the terminal and Python."""
        return self.rules().partition(f"\n{NOT_FOR_PLAYERS}\n")[0].rstrip() + "\n"

    def describe(self) -> Json:
        """All a chooser wants to know, as JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "summary": self.summary,
            "min_seats": self.min_seats,
            "max_seats": self.max_seats,
            "minutes": self.minutes,
            "secret": self.secret,
            "rules_version": self.rules_version,
            "options": [option.to_json() for option in self.options],
        }

    def describe_fully(self) -> Json:
        """The same with the rules and what is in the box."""
        return {
            **self.describe(),
            "rules": self.rules(),
            "notation": self.notation_help(),
            "how_to_play": self.how_to_play(),
            "box": self.box(),
        }

    def __repr__(self) -> str:
        return f"<game {self.name}>"
