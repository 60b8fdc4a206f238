"""What players read: events, refusals, reasons for points and moves in words, in every game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from helpers import Case, random_move

import wellies
from wellies import CHANCE, GameState, Stream
from wellies.core.events import Event
from wellies.core.texts import listed, with_notation, without_notation

CASES = [
    *(Case(name, wellies.game(name).min_seats + 1, {}) for name in wellies.list_games()),
    Case("marram", 2, {"variant": "animals"}),
    Case("puppies", 2, {"strategic": True}),
    Case("guppies", 2, {"table": "one"}),
]
MACHINE = {
    "a place in coordinates": re.compile(r"-?\d+,-?\d+"),
    "a space of a tank": re.compile(r"\b[a-c][1-3]\b"),
    "a seat by its number": re.compile(r"\bseat \d", re.IGNORECASE),
    "a move as it is typed": re.compile(r"[@^\"<>`]|\bsuch as\b"),
    "JSON": re.compile(r"\{(?!\d\})|(?<!\d)\}|[\[\]]"),
    "a gap where notation was": re.compile(r"  | [.,;:)?]|\( |^ | $"),
}


def texts_of(case: Case) -> Iterator[tuple[str, str]]:
    """All texts of one random game: what they are of, and the text."""
    rng = Stream(f"texts {case}")
    state = case.start()
    past: list[int] = []
    while state.active():
        seat, move = random_move(state, rng, eager=True)
        for mover in (CHANCE, *range(state.seats)):
            moves = state.legal(mover)
            for each in moves[:: 1 + len(moves) // 4]:
                yield "words", case.spec.move_words(state, mover, each)
        if rng.randrange(3) == 0:
            yield from refusals_of(state, past, rng)
        past.append(move)
        heard: list[Event] = []
        state.step(seat, move, heard.append)
        for event in heard:
            yield "event", event.text
            yield "event", event.secret_text or ""
            yield from (("reason", line.why) for _, line in event.lines)
    for seat in range(state.seats):
        yield from (("reason", line.why) for line in state.score_lines(seat))
        yield "refusal", state.turn_refusal(seat) or ""
    outcome = state.outcome()
    assert outcome is not None
    yield "outcome", outcome.reason


def refusals_of(state: GameState, past: list[int], rng: Stream) -> Iterator[tuple[str, str]]:
    """Why moves of another moment, and moves beside legal ones, are not legal now."""
    for seat in range(state.seats):
        legal = state.legal(seat)
        tried = [past[rng.randrange(len(past))] for _ in range(4) if past]
        tried += [legal[rng.randrange(len(legal))] + rng.randrange(2001) - 1000 for _ in range(8) if legal]
        for move in tried:
            yield "refusal", state.refusal(seat, move) or ""


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_text_that_a_page_shows_has_machine_notation_in_it(case: Case) -> None:
    seen: set[str] = set()
    for of, text in texts_of(case):
        if text in seen or not text:
            continue
        seen.add(text)
        shown = without_notation(text)
        for what, pattern in MACHINE.items():
            assert not pattern.search(shown), f"{of}: {what} in {shown!r}"
        if of != "words":
            assert re.match(r"[A-Z0-9{]", shown), f"{of}: a sentence begins with a capital: {shown!r}"
        if of in ("event", "refusal", "outcome"):
            assert shown[-1] in ".!", f"{of}: a sentence ends with a full stop: {shown!r}"
        assert not re.search(r"[\[\]]", with_notation(text)), text
    assert len(seen) > 50


@pytest.mark.parametrize("name", wellies.list_games())
def test_players_of_a_page_read_the_rules_without_what_is_for_programs(name: str) -> None:
    spec = wellies.game(name)
    rules = spec.how_to_play()
    assert len(rules) > 1000
    assert spec.rules().startswith(rules.rstrip())
    for what in ("`", "JSON", ".json", "option `", "wellies ", "--", "Seat 0", "seat 0", "Notation", "0,0"):
        assert what not in rules.replace("|---", ""), what
    told = spec.rules().removeprefix(rules.rstrip())
    for what in ("For the terminal and Python", "Moves", "`"):
        assert what in told, what


def test_notation_is_shown_where_moves_are_typed_and_left_out_where_one_points() -> None:
    text = "{1} puts a tile [at 1,-1] beside {0} [such as a2@1,-1]."
    assert with_notation(text, ["Ann", "Ben"]) == "Ben puts a tile at 1,-1 beside Ann such as a2@1,-1."
    assert without_notation(text) == "{1} puts a tile beside {0}."


def test_a_name_is_never_read_as_a_mark() -> None:
    assert with_notation("{0} and {1}", ["[x]", "{0}"]) == "[x] and {0}"


def test_things_are_listed_as_one_says_it() -> None:
    assert [listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
