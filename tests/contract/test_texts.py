"""What players read: events, refusals, reasons for points and moves in words, in every game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from helpers import Case, random_move, some_states

import wellies
from wellies import CHANCE, BadNotation, GameState, IllegalMove, Match, MoveError, NotYourTurn, Stream, UndoRefused
from wellies.core.events import Event
from wellies.core.texts import listed, with_notation, without_notation
from wellies.games.aquarium.phases import NETS, SETUP
from wellies.games.puppies.phases import CHOOSING

CASES = [
    *(Case(spec.name, min(spec.min_seats + 1, spec.max_seats), {}) for spec in map(wellies.game, wellies.list_games())),
    Case("marram", 2, {"variant": "animals"}),
    Case("puppies", 2, {"strategic": True}),
    Case("guppies", 2, {"table": "one"}),
]
NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"]
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
        assert all(int(seat) < case.seats for seat in re.findall(r"\{(\d+)\}", text)), f"{of}: no such seat in {text!r}"
        filled = with_notation(text, NAMES)
        assert not re.search(r"[{}]|\bseat \d", filled, re.IGNORECASE), f"{of}: a seat without its name: {filled!r}"
    assert len(seen) > 20


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_refusal_calls_a_player_by_number(case: Case) -> None:
    """Whatever a match says no to, in words that a front end shows with the players' names."""
    match = Match(case.spec, case.seats, case.options, seed=1)
    rng = Stream(f"refusals {case}")
    refused: set[str] = set()
    earlier: list[tuple[str, str]] = []
    while match.state.active() and len(match.log) < 150:
        seat = match.state.due()[0]
        decision = next(each.id for each in match.decisions() if each.seat == seat)
        earlier.append((match.state.move_text(seat, random_of(match.choices(seat), rng)), decision))
        for other in range(case.seats):
            text, old = earlier[rng.randrange(len(earlier))]
            asked: list[Callable[[], object]] = [
                lambda other=other, text=text: match.preview(other, text),  # type: ignore[misc]
                lambda other=other, text=text, old=old: match.fork().play(other, text, old),  # type: ignore[misc]
                lambda other=other: match.fork().undo(other),  # type: ignore[misc]
            ]
            for ask in asked:
                try:
                    ask()
                except (MoveError, UndoRefused) as error:
                    refused.add(error.text)
        match.play_move(seat, random_of(match.choices(seat), rng))
    assert any("no longer open" in text for text in refused)
    assert len(refused) > 5
    for text in refused:
        filled = with_notation(text, NAMES)
        assert not re.search(r"[{}]|\bseat \d", filled, re.IGNORECASE), filled


def random_of(moves: list[int], rng: Stream) -> int:
    return moves[rng.randrange(len(moves))]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_typed_wrongly_is_refused_in_whole_sentences(case: Case) -> None:
    spec = case.spec
    rng = Stream(f"typed {case}")
    letters = "abdrwz@,-0123456789 >^:"
    refused: set[str] = set()
    for state in some_states(case, "typed", 20):
        for seat in (CHANCE, *range(state.seats)):
            for other in (CHANCE, *range(state.seats)):
                moves = state.legal(other)
                for move in moves[:: 1 + len(moves) // 3]:
                    text = spec.move_text(state, other, move)
                    at = rng.randrange(len(text) + 1)
                    garbled = text[:at] + letters[rng.randrange(len(letters))] + text[at + rng.randrange(3) :]
                    for typed in (text, garbled, f"{text.split()[0]} zzz", text.replace("1", "999")):
                        try:
                            spec.parse_move(state, seat, typed)
                        except MoveError as error:
                            refused.add(error.text)
    assert len(refused) > 10
    for text in refused:
        assert re.match(r"[A-Z0-9{'\"]", text), f"a sentence begins with a capital: {text!r}"
        assert re.search(r"[.!?\"]$", text), f"a sentence ends with a full stop: {text!r}"
    assert f"'nonsense' is not a move of {spec.title}" in _why_not(case.start(), "nonsense")


def _why_not(state: GameState, text: Any) -> str:
    with pytest.raises(BadNotation) as refused:
        state.spec.parse_move(state, state.active()[0], text)
    return refused.value.text


@pytest.mark.parametrize("name", wellies.list_games())
def test_what_is_no_text_is_no_move(name: str) -> None:
    state = wellies.game(name).start()
    seats = [CHANCE, *range(state.seats)]
    things: list[object] = [None, 5, 2.5, b"draw 1", ["draw 1"], {}, True]
    for thing in things:
        assert f"A move of {state.spec.title} is text" in _why_not(state, thing)
        for seat in seats:
            with pytest.raises(BadNotation):
                state.spec.parse_move(state, seat, thing)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_whose_turn_it_is_goes_by_whom_the_game_waits_for(case: Case) -> None:
    """A seat that could act, and need not, is not one to wait for."""
    told = 0
    for state in some_states(case, "whose turn", 3):
        due = state.due()
        for seat in range(state.seats):
            why = state.turn_refusal(seat)
            assert (why is None) == (seat in state.active())
            if why is None or due in ([], [CHANCE]):
                continue
            told += 1
            named = {int(mark) for mark in re.findall(r"\{(\d)\}", why)}
            assert named == set(due) or "wait" in why, why
            assert "{" not in why or seat not in named, why
    assert told


@pytest.mark.parametrize("name", wellies.list_games())
def test_players_of_a_page_read_the_rules_without_what_is_for_programs(name: str) -> None:
    spec = wellies.game(name)
    rules = spec.how_to_play()
    assert len(rules) > 300, "a page of rules"
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


@pytest.mark.parametrize(
    ("game", "says", "find"),
    [
        ("aquarium", "yours are down", lambda state: state.phase == SETUP),
        ("aquarium", "You have answered", lambda state: state.phase == NETS),
        ("puppies", "You have chosen already", lambda state: state.phase == CHOOSING),
    ],
)
def test_who_has_decided_before_the_others_is_told_so(game: str, says: str, find: Callable[[Any], bool]) -> None:
    state = wellies.game(game).start(3)
    rng = Stream("decided")
    while due := state.due():
        seat = due[0]
        move = state.chance(rng) if seat == CHANCE else state.legal(seat)[0]
        state.step(seat, move)
        if seat != CHANCE and find(state) and seat not in state.active():
            assert says in (state.refusal(seat, move) or "")
            assert says in (state.turn_refusal(seat) or "")
            with pytest.raises(NotYourTurn, match=says):
                state.spec.parse_move(state, seat, state.spec.move_text(state, seat, move))
            return
    raise AssertionError("nobody decided before the others")


def test_a_net_that_is_used_up_is_told_out_of_turn() -> None:
    state = wellies.game("aquarium").from_position({"round": 1, "store": ["Diver"], "seats": [{}, {"net": False}]})
    assert state.active() == [0]
    with pytest.raises(NotYourTurn, match="Your net is used up"):
        state.spec.parse_move(state, 1, "net a1 b2")
    with pytest.raises(NotYourTurn, match=r"It is not your turn; seat 0 is to move"):
        state.spec.parse_move(state, 1, "restock")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_last_event_says_who_has_won_and_why(case: Case) -> None:
    state = case.start()
    rng = Stream(f"the end of {case}")
    told: list[Event] = []
    while state.active():
        told = []
        state.step(*random_move(state, rng), told.append)
    outcome = state.outcome()
    assert outcome is not None
    last = told[-1]
    assert last.kind == "end"
    assert last.data == {"scores": outcome.scores, "winners": outcome.winners}
    assert last.text.startswith(f"The game is over. {outcome.reason} ")
    assert [int(seat) for seat in re.findall(r"\{(\d)\}", last.text)] == outcome.winners
    assert ("wins with" if len(outcome.winners) == 1 else "share the win with") in last.text


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_only_one_seat_hears_is_said_to_it(case: Case) -> None:
    state = case.start()
    rng = Stream(f"private {case}")
    heard = 0
    while state.active():
        told: list[Event] = []
        state.step(*random_move(state, rng), told.append)
        for event in told:
            if event.secret_text is not None and len(event.audience) == 1:
                heard += 1
                assert event.secret_text.startswith("You "), event.secret_text
                assert f"{{{event.audience[0]}}}" not in event.secret_text
    if not heard:
        pytest.skip("nothing in this game is told to one seat alone")


def recommended(state: GameState, seat: int, why: str) -> list[str]:
    """The moves that a refusal names as moves to make instead."""
    found: list[str] = []
    for note in re.findall(r"\[([^\[\]]*)\]", why):
        for words in re.split(r" or |; |, (?![0-9-])", re.sub(r"^.*such as ", "", note)):
            try:
                state.spec.read_move(state, seat, words)
            except MoveError:
                continue
            found.append(words)
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refusal_recommends_only_what_is_legal(case: Case) -> None:
    spec = case.spec
    rng = Stream(f"recommended {case}")
    refused = named = 0
    earlier: list[str] = []
    for state in some_states(case, "recommended", 5):
        for seat in state.active():
            if seat == CHANCE:
                continue
            legal = state.legal(seat)
            for _ in range(25):
                text = letters = spec.move_text(state, seat, legal[rng.randrange(len(legal))])
                free = [at for at in range(len(text)) if text[at] in "ab0123456789"]
                for at in [free[-1 - rng.randrange(min(5, len(free)))] for _ in range(2) if free]:
                    pool = "ab" if text[at] in "ab" else "012345"
                    letters = letters[:at] + pool[rng.randrange(len(pool))] + letters[at + 1 :]
                earlier.append(text)
                try:
                    spec.parse_move(
                        state, seat, earlier[rng.randrange(len(earlier))] if rng.randrange(4) == 0 else letters
                    )
                except IllegalMove as error:
                    refused += 1
                    for words in recommended(state, seat, error.text):
                        named += 1
                        assert spec.read_move(state, seat, words) in legal, f"{letters}: {error}"
                except MoveError:
                    pass
    assert refused
    if not named:
        pytest.skip("no refusal of this game names a move to make instead")
