"""Ultimate Aquarium on the shelf: its name, seats and options."""

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
from wellies.games.aquarium import moves, position, schema
from wellies.games.aquarium.material import BALANCED, STANDARD, Material
from wellies.games.aquarium.material_file import BALANCED_CARDS, CARD_SETS, box_entries, card_rows, load_material
from wellies.games.aquarium.phases import most_draws
from wellies.games.aquarium.state import AquariumState, new_game


class CardsOption(Option):
    """One of our sets of cards, or a corrected card file. The whole file is kept, so that a record needs no
    other file."""

    def __init__(self) -> None:
        super().__init__(
            "cards",
            "Cards",
            "The cards to play with: the usual ones, or a card file of your own with corrected texts and values.",
            [Choice(BALANCED, "Counts from the rulebook; most texts are ours, since they are printed nowhere.")],
            BALANCED,
        )
        self.takes_path = True

    @property
    def values(self) -> list[Any]:
        """The first cards are for games that began with them: they are known, but not offered as a choice."""
        return list(CARD_SETS)

    def allowed(self) -> str:
        return 'balanced, standard, the path of a card file, or what is in one ({"cards": [...]})'

    def check(self, value: Any, seats: int) -> Any:
        if value is None:
            return BALANCED
        if isinstance(value, str) and value.strip().lower() in CARD_SETS:
            return value.strip().lower()
        if not isinstance(value, str | dict):
            raise BadOption(f"option cards: {value!r} is not allowed; give {self.allowed()}.")
        try:
            cards = load_material(value)
        except BadMaterial as error:
            raise BadOption(str(error)) from error
        deck, needed = sum(cards.in_deck), most_draws(seats)
        if deck < needed:
            raise BadOption(
                f"cards, field copies: the deck has {deck} cards, and a game of {seats} can need {needed}; "
                f"add {needed - deck} copies."
            )
        return cards.to_json()


class AquariumSpec(GameSpec):
    old_defaults: ClassVar[dict[int, Json]] = {1: {"cards": STANDARD}}

    def __init__(self) -> None:
        self.name = "aquarium"
        self.title = "Ultimate Aquarium"
        self.summary = "Swap cards from a shared store into a tank of nine, where each is worth what lies around it."
        self.min_seats = 2
        self.max_seats = 4
        self.minutes = "20-30"
        self.rules_version = 2
        self.options = [CardsOption()]

    def new_state(self, seats: int, options: Json) -> AquariumState:
        return new_game(self, seats, options)

    def read_position(self, position_json: Json) -> AquariumState:
        return position.read_position(self, position_json)

    def card_table(self, cards: object = None) -> list[Json]:
        return card_rows(load_material(cards))

    def card_file(self) -> Json:
        return BALANCED_CARDS.to_json()

    def box(self) -> list[Json]:
        return box_entries(BALANCED_CARDS)

    # --- moves ------------------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        return moves.move_text(_cards(state), move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        return moves.read_move(_cards(state), text)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        assert isinstance(state, AquariumState)
        return moves.move_fields(state.cards, state.tanks[seat] if seat >= 0 else [], move)

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        assert isinstance(state, AquariumState)
        return moves.move_words(state.cards, state.tanks[seat] if seat >= 0 else [], move)

    def shapes(self) -> Shapes:
        return Shapes(schema.Position, schema.Extra, schema.MOVES, schema.BoxCard)

    def heuristics(self, deep: bool = False) -> Heuristics:
        from wellies.games.aquarium.heuristics import AquariumHeuristics

        return AquariumHeuristics(deep)

    def new_encoding(self, seats: int, options: Json) -> Encoding:
        from wellies.games.aquarium.encoding import AquariumEncoding

        return AquariumEncoding(seats, options)

    def notation_help(self) -> str:
        return (
            "put Seahorse@b2 (set-up), take Seahorse@b2, restock, net a1 b2, keep net (at the end). "
            "Columns are a to c from the left, rows 1 to 3 from the top."
        )

    # --- for people -------------------------------------------------------------------------------------------------

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.aquarium import terminal

        return terminal.panes(view, marks or {}, width, small)


def _cards(state: GameState) -> Material:
    assert isinstance(state, AquariumState)
    return state.cards


SPEC = AquariumSpec()
