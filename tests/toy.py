"""A small game for tests of the front ends: secret hands, steps that can be taken back, and acting out of turn.

Each seat is dealt two secret cards of 1 to 9. On its turn a seat may `mark` (1 point, once a game, can be
taken back), then plays a card (`play 7`: its points) or passes. Anyone may `knock` once at any time for no points.

Run as a program, it is the `wellies` command with this game on the shelf.
"""

from __future__ import annotations

from typing import Any

from wellies.core.canvas import Canvas
from wellies.core.dice import Rng
from wellies.core.errors import BadNotation, BadPosition, UnknownPiece
from wellies.core.events import Event, Json, ScoreLine, Sink
from wellies.core.options import Choice, Option
from wellies.core.outcome import Ending, Outcome
from wellies.core.plain_board import PlainBoard, PlainCard, PlainHand
from wellies.core.spec import GameSpec
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.core.types import View

MARK, PASS, KNOCK = 20, 21, 22
DRAW = 40
WORDS = {MARK: "mark", PASS: "pass", KNOCK: "knock"}


class ToyState(GameState):
    def __init__(self, spec: GameSpec, seats: int, options: Json) -> None:
        super().__init__(spec, seats, options)
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.lines: list[list[ScoreLine]] = [[] for _ in range(seats)]
        self.marked = [False] * seats
        self.knocked = [False] * seats
        self.to_move = 0
        self.turns = 0
        self.dealt = 0

    def active(self) -> list[int]:
        if self.dealt < 2 * self.seats:
            return [CHANCE]
        if self.turns >= 2 * self.seats:
            return []
        return [seat for seat in range(self.seats) if seat == self.to_move or not self.knocked[seat]]

    def due(self) -> list[int]:
        return [seat for seat in self.active() if seat in (CHANCE, self.to_move)]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.active():
            return []
        if seat == CHANCE:
            used = [card for hand in self.hands for card in hand]
            return [DRAW + card for card in range(1, 10) if card not in used]
        moves = [] if self.knocked[seat] else [KNOCK]
        if seat == self.to_move:
            moves += sorted(self.hands[seat]) + ([] if self.marked[seat] else [MARK]) + [PASS]
        return moves

    def rule_against(self, seat: int, move: int) -> str | None:
        if move in self.legal(seat):
            return None
        return "You do not hold that card; play one of your own." if move < 10 else "That may be done only once."

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        def tell(event: Event) -> None:
            if sink is not None:
                sink(event)

        if seat == CHANCE:
            owner = self.dealt % self.seats
            self.hands[owner].append(move - DRAW)
            self.dealt += 1
            secret = f"You are dealt the {move - DRAW}."
            tell(Event("deal", CHANCE, f"{{{owner}}} is dealt a card.", secret_text=secret, audience=(owner,)))
        elif move == MARK:
            self.marked[seat] = True
            line = ScoreLine("mark", 1, why="A mark")
            self.lines[seat].append(line)
            tell(Event("mark", seat, f"{{{seat}}} marks.", lines=[(seat, line)]))
        elif move == KNOCK:
            self.knocked[seat] = True
            tell(Event("knock", seat, f"{{{seat}}} knocks."))
        else:
            if move == PASS:
                tell(Event("play", seat, f"{{{seat}}} passes."))
            else:
                self.hands[seat].remove(move)
                line = ScoreLine("card", move, why=f"The {move}")
                self.lines[seat].append(line)
                tell(Event("play", seat, f"{{{seat}}} plays the {move}.", lines=[(seat, line)]))
                tell(Event("shown", seat, "", reveals=True))
            self.turns += 1
            self.to_move = (seat + 1) % self.seats

    def clone(self) -> ToyState:
        other = ToyState(self.spec, self.seats, self.options)
        other.hands = [list(hand) for hand in self.hands]
        other.lines = [list(lines) for lines in self.lines]
        other.marked, other.knocked = list(self.marked), list(self.knocked)
        other.to_move, other.turns, other.dealt = self.to_move, self.turns, self.dealt
        return other

    def resample(self, seat: int, rng: Rng) -> ToyState:
        other = self.clone()
        free = [card for card in range(1, 10) if card not in self.hands[seat]]
        for each, hand in enumerate(other.hands):
            if each != seat:
                other.hands[each] = [free.pop(rng.randrange(len(free))) for _ in hand]
        return other

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        hands: list[list[Any]] = [
            sorted(hand) if viewer in (ALL_SEEING, seat) else ["?"] * len(hand) for seat, hand in enumerate(self.hands)
        ]
        return {
            "game": "toy",
            "seats": self.seats,
            "hands": hands,
            "to_move": self.to_move,
            "turns": self.turns,
            "marked": list(self.marked),
            "knocked": list(self.knocked),
        }

    def scores(self) -> list[int]:
        return [sum(line.points for line in lines) for lines in self.lines]

    def score_lines(self, seat: int) -> list[ScoreLine]:
        return list(self.lines[seat])

    def outcome(self) -> Outcome | None:
        if self.active():
            return None
        return Outcome(self.scores(), "Everyone has had two turns.", Ending.ROUNDS_PLAYED)


class ToySpec(GameSpec):
    name = "toy"
    title = "Toy"
    summary = "Two secret cards [each]; play one."
    min_seats = 2
    max_seats = 3
    minutes = "1"
    rules_version = 1

    def __init__(self) -> None:
        self.options = [Option("size", "Size", "How big.", [Choice("small", "Small."), Choice("big", "Big.")], "small")]

    def new_state(self, seats: int, options: Json) -> ToyState:
        return ToyState(self, seats, options)

    def read_position(self, position: Json) -> ToyState:
        hands = position.get("hands")
        if not isinstance(hands, list) or not 2 <= len(hands) <= 3:
            raise BadPosition("hands must be a list of two or three hands, such as [[1, 2], [3, 4]].")
        state = ToyState(self, len(hands), {"size": "small"})
        state.hands = [list(hand) for hand in hands]
        state.dealt = 2 * len(hands)
        state.to_move, state.turns = position.get("to_move", 0), position.get("turns", 0)
        state.marked = list(position.get("marked", state.marked))
        state.knocked = list(position.get("knocked", state.knocked))
        return state

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        if move > DRAW:
            return f"draw {move - DRAW}"
        return WORDS.get(move, f"play {move}")

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        for move, word in WORDS.items():
            if text == word:
                return move
        word, _, card = text.partition(" ")
        if word not in ("play", "draw") or not card.isdigit():
            raise BadNotation(f"{text!r} is not a move; type play 7, mark, knock or pass.")
        if not 1 <= int(card) <= 9:
            raise UnknownPiece(f"There is no card {card}; they run from 1 to 9.")
        return int(card) + (DRAW if word == "draw" else 0)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        kind = self.move_text(state, seat, move)
        return {"kind": kind, "card": str(move)} if move < 10 else {"kind": kind}

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        return {MARK: "make a mark", PASS: "do nothing", KNOCK: "knock"}.get(move, f"play the card {move}")

    def notation_help(self) -> str:
        return "play 7, mark, knock or pass."

    def rules(self) -> str:
        return "# Toy\n\nPlay *your* cards."

    def card_table(self, cards: object = None) -> list[Json]:
        file = "the box" if cards is None else "a file"
        return [
            {"card": "1", "text": "the least", "source": "rulebook", "from": file},
            {"card": "9", "text": "the most [of all]", "source": "reconstructed", "from": file},
        ]

    def plain_board(self, view: View) -> PlainBoard:
        hands: list[PlainHand] = []
        for seat, hand in enumerate(view["position"]["hands"]):
            cards: list[PlainCard] = []
            for number, card in enumerate(hand):
                hidden: PlainCard = {"key": f"{seat}-{number}", "label": "a hidden card"}
                shown: PlainCard = {"key": str(card), "label": f"the {card}", "text": str(card)}
                cards.append(hidden if card == "?" else shown)
            hands.append({"seat": seat, "cards": cards})
        return {"grid": "square", "places": [], "hands": hands}

    def draw(self, view: View, marks: dict[Any, str] | None = None) -> Canvas:
        canvas = Canvas()
        for seat, hand in enumerate(view["position"]["hands"]):
            cards = " ".join(f"<{card}>" for card in hand)
            canvas.put(seat, 0, f"hand {seat}: {cards}", "bold red" if seat == view["seat"] else "no such style")
        return canvas


if __name__ == "__main__":
    import wellies
    from wellies.cli.app import run

    wellies.register(ToySpec())
    run()
