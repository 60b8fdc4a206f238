"""Ultimate Aquarium on the shelf: its name, seats and options."""

from __future__ import annotations

from typing import Any, ClassVar

from wellies.core.canvas import Panes
from wellies.core.errors import BadMaterial, BadOption
from wellies.core.events import Json
from wellies.core.options import Choice, Option
from wellies.core.spec import GameSpec, Shapes
from wellies.core.state import GameState
from wellies.core.texts import seat_mark
from wellies.games.aquarium import moves, position
from wellies.games.aquarium import view as shapes
from wellies.games.aquarium.material import BALANCED, CARD_SETS, STANDARD, Material, card_rows, material
from wellies.games.aquarium.phases import most_draws
from wellies.games.aquarium.state import AquariumState, new_game
from wellies.games.aquarium.vocabulary import SPACE_NAMES, SPACES


class CardsOption(Option):
    """One of our sets of cards, or a corrected card file. What is kept is the whole file, so that a record stands
    alone."""

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
            cards = material(value)
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
        return position.read(self, position_json)

    def card_table(self, cards: object = None) -> list[Json]:
        return card_rows(material(cards))

    def card_file(self) -> Json:
        return material(BALANCED).to_json()

    def box(self) -> list[Json]:
        return shapes.box(material(BALANCED))

    # --- moves ------------------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        return moves.write(_cards(state), move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        return moves.read(_cards(state), text)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        assert isinstance(state, AquariumState)
        names = state.cards.names
        if move < moves.NET:
            kind = "put" if move < moves.TAKE else "take"
            card, space = divmod(move - (moves.PUT if kind == "put" else moves.TAKE), SPACES)
            replaces = names[state.tanks[seat][space]]
            return {"kind": kind, "card": names[card], "space": SPACE_NAMES[space], "replaces": replaces}
        if move < moves.RESTOCK:
            one, two = moves.PAIRS[move - moves.NET]
            return {"kind": "net", "spaces": [SPACE_NAMES[one], SPACE_NAMES[two]]}
        if move == moves.RESTOCK:
            return {"kind": "restock"}
        if move == moves.KEEP_NET:
            return {"kind": "keep net"}
        if move < moves.FIRST:
            return {"kind": "draw", "card": names[move - moves.DRAW]}
        return {"kind": "first", "seat": move - moves.FIRST}

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        assert isinstance(state, AquariumState)
        fields = self.move_fields(state, seat, move)
        kind = fields["kind"]
        if kind in ("put", "take"):
            how = "put" if kind == "put" else "take"
            return f"{how} {fields['card']} in place of {fields['replaces']} [on {fields['space']}]"
        if kind == "net":
            one, two = fields["spaces"]
            names = [state.cards.names[state.tanks[seat][SPACE_NAMES.index(space)]] for space in (one, two)]
            return f"swap {names[0]} [on {one}] and {names[1]} [on {two}] with the net"
        if kind == "restock":
            return "restock: discard the whole store and fill it again"
        if kind == "keep net":
            return "leave the tank as it is and keep the net unused"
        if kind == "draw":
            return f"draw {fields['card']}"
        return f"the fish token goes to {seat_mark(fields['seat'])}"

    def shapes(self) -> Shapes:
        kinds: list[type] = [
            shapes.Put,
            shapes.Take,
            shapes.Net,
            shapes.Restock,
            shapes.KeepNet,
            shapes.Draw,
            shapes.First,
        ]
        return Shapes(shapes.Position, shapes.Extra, kinds, shapes.BoxCard)

    def notation_help(self) -> str:
        return (
            "put Seahorse@b2 (set-up), take Seahorse@b2, restock, net a1 b2, keep net (at the end). "
            "Columns are a to c from the left, rows 1 to 3 from the top."
        )

    # --- for people -------------------------------------------------------------------------------------------------

    def panes(self, view: Json, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.aquarium import terminal

        return terminal.panes(view, marks or {}, width, small)


def _cards(state: GameState) -> Material:
    assert isinstance(state, AquariumState)
    return state.cards


SPEC = AquariumSpec()
