"""Good Puppies on the shelf: its name, seats and options, and how to start, read and write it."""

from __future__ import annotations

from typing import Any, ClassVar

from wellies.core.canvas import Panes
from wellies.core.encoding import Encoding
from wellies.core.errors import BadMaterial, BadOption
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.options import Choice, Option
from wellies.core.spec import GameSpec, Shapes
from wellies.core.state import GameState
from wellies.core.types import View
from wellies.games.puppies import moves, schema
from wellies.games.puppies.material import BALANCED, BREEDS, CARDS, FIRST_DOGGO, STANDARD
from wellies.games.puppies.material_file import CARD_SETS, load_material
from wellies.games.puppies.position_reader import read_position
from wellies.games.puppies.state import PuppiesState


class SomeSeats(Option):
    """A yes-or-no option that is for some numbers of players only."""

    def __init__(self, name: str, title: str, help: str, yes: str, most: int) -> None:
        super().__init__(name, title, help, [Choice(False, "no"), Choice(True, yes)], False)
        self.most = most

    def check(self, value: Any, seats: int) -> Any:
        checked = super().check(value, seats)
        if checked and seats > self.most:
            allowed = "2 seats only" if self.most == 2 else f"2 to {self.most} seats"
            raise BadOption(f"option {self.name}: yes is for {allowed}, not {seats}; leave it out or write no.")
        return checked


class CardsOption(Option):
    """One of our sets of cards, or a corrected file. The whole file is kept, so that a record needs no other file."""

    def __init__(self) -> None:
        help = "The cards to play with: the usual ones, or a corrected card file, as a path or as parsed JSON."
        super().__init__("cards", "Cards", help, [Choice(BALANCED, "the cards of the game")], BALANCED)
        self.takes_path = True

    @property
    def values(self) -> list[Any]:
        """The first cards are for games that began with them: they are known, but not offered as a choice."""
        return list(CARD_SETS)

    def allowed(self) -> str:
        return "balanced, standard, or a card file"

    def check(self, value: Any, seats: int) -> Any:
        if isinstance(value, str) and value.strip().lower() in CARD_SETS:
            return value.strip().lower()
        try:
            return load_material(value).data
        except BadMaterial as error:
            raise BadOption(f"option cards: {error}") from error


class PuppiesSpec(GameSpec):
    """Good Puppies."""

    name = "puppies"
    title = "Good Puppies"
    summary = "Gather pups in your yard, and let their tricks bury bones that grow."
    min_seats = 2
    max_seats = 5
    rules_version = 2
    old_defaults: ClassVar[dict[int, Json]] = {1: {"cards": STANDARD}}
    minutes = "30-45"

    def __init__(self) -> None:
        self.options = [
            SomeSeats("extended", "Longer game", "The deck of one player more.", "yes, for 2 to 4 players", 4),
            SomeSeats(
                "strategic",
                "Two pups a round",
                "For two: hands of five, a park of five, and two pups each in every round.",
                "yes, for 2 players",
                2,
            ),
            CardsOption(),
        ]

    # --- starting ---------------------------------------------------------------------------------------------------

    def new_state(self, seats: int, options: Json) -> GameState:
        state = PuppiesState(self, seats, options, load_material(options["cards"]))
        state.set_up()
        return state

    def read_position(self, position: Json) -> GameState:
        return read_position(self, position)

    # --- moves ------------------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        assert isinstance(state, PuppiesState)
        return moves.move_text(state.cards, move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        assert isinstance(state, PuppiesState)
        return moves.read_move(state.cards, text)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        assert isinstance(state, PuppiesState)
        return moves.move_fields(state.cards, move)

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        assert isinstance(state, PuppiesState)
        return moves.move_words(state.cards, move)

    def notation_help(self) -> str:
        return (
            'A round: "choose 83"; for a Doggo "join huskies"; at the end of your turn "take 42".\n'
            'A trick: "bury huskies", "up 2 huskies", "move 5 pugs huskies", "draw", or "stop" for enough of this part.'
        )

    def shapes(self) -> Shapes:
        return Shapes(schema.Position, schema.Extra, schema.MOVES, schema.BoxCard)

    def heuristics(self, deep: bool = False) -> Heuristics:
        from wellies.games.puppies.heuristics import PuppiesHeuristics

        return PuppiesHeuristics(deep)

    def new_encoding(self, seats: int, options: Json) -> Encoding:
        from wellies.games.puppies.encoding import PuppiesEncoding

        return PuppiesEncoding(seats, options)

    # --- for people -------------------------------------------------------------------------------------------------

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.puppies import terminal

        return terminal.panes(view, marks or {}, width, small)

    def card_table(self, cards: object = None) -> list[Json]:
        """All tricks, Doggos and breeds with what they do and where we know it from."""
        known = load_material(cards)
        rows: list[Json] = []
        for digit in range(10):
            trick = known.tricks[digit]
            rows.append(_row(f"x{digit}", "trick", trick.name, trick.text, trick.source))
        for card in range(FIRST_DOGGO, CARDS):
            trick = known.tricks[card]
            rows.append(_row(str(card), "Doggo", trick.name, trick.text, trick.source))
        for digit in range(BREEDS):
            breed = known.breeds[digit]
            rows.append(_row(f"{digit}x", "breed", breed.name, breed.text, breed.source))
        return rows

    def card_file(self) -> Json:
        return load_material(None).data

    def box(self) -> list[Json]:
        return list(self.card_table())


def _row(card: str, kind: str, name: str, text: str, source: str) -> Json:
    return {"card": card, "kind": kind, "name": name, "text": text, "source": source}


SPEC = PuppiesSpec()
