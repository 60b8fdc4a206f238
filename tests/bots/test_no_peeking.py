"""No bot peeks: worlds that look the same to a seat get the same choice.

Each bot is asked about a true state, about others in which all that its seat has not seen lies differently, and about
the bare view as JSON. A bot that does peek is tried too, to show that the test would notice.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from helpers import Case, cases

import wellies
from wellies import CHANCE, GameState, Stream
from wellies.bots import Bot, bot, reasons
from wellies.bots.analysis import judge
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.root import heuristics_of
from wellies.bots.sparring import SparringBot

SOAK = bool(os.environ.get("WELLIES_SOAK"))
HIDING = [case for case in cases() if case.game in ("aquarium", "puppies", "umbradeco")]
OPEN = [case for case in cases() if case not in HIDING and (SOAK or case.seats == case.spec.min_seats)]
"""Games in which nothing is hidden: with the fewest seats, and with each option; in `make soak` with all seats."""
TWO_OR_THREE = [case for case in HIDING if SOAK or (not case.options and case.seats < 4)]
MOMENTS = (1, 2, 5, 11, 23) if SOAK else (2, 13)
"""Which decisions of a game are looked at."""

WORLDS = 3 if SOAK else 2


def small(name: str) -> Bot:
    """A bot as it is on the shelf, but for its budget."""
    found = bot(name)
    if isinstance(found, SearchBot):
        return found.configured({"nodes": "14", "ms": "0"})
    return found.configured({"nodes": "14"}) if isinstance(found, SparringBot) else found


def moments(case: Case, seed: str) -> Iterator[tuple[GameState, int]]:
    """Some decisions of a game between players who know what they do, most of the time."""
    state = case.start()
    rng = Stream(f"{case} {seed}")
    greedy = wellies.bot("greedy")
    number = 0
    while state.due() and number <= MOMENTS[-1]:
        seats = state.due()
        seat = seats[rng.randrange(len(seats))]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        moves = state.legal(seat)
        if len(moves) > 1:
            number += 1
            if number in MOMENTS:
                yield state.clone(), seat
        quick = len(moves) < 40 and rng.randrange(2)
        state.step(seat, greedy.choose(state, seat, rng) if quick else moves[rng.randrange(len(moves))])


def worlds(state: GameState, seat: int) -> list[GameState]:
    """True states that this seat cannot tell from this one."""
    rng = Stream("other worlds")
    others = [state.resample(seat, rng) for _ in range(WORLDS)]
    for other in others:
        assert other.view(seat) == state.view(seat)
    return [state, *others]


def choices(player: Bot, state: GameState, seat: int) -> set[int]:
    found = {player.choose(world, seat, Stream(4)) for world in worlds(state, seat)}
    return found | {player.choose(json.loads(json.dumps(state.view(seat))), seat, Stream(4))}


@pytest.mark.parametrize("name", wellies.list_bots())
@pytest.mark.parametrize("case", HIDING, ids=repr)
def test_worlds_that_look_the_same_get_the_same_choice(case: Case, name: str) -> None:
    player = small(name)
    asked = 0
    for state, seat in moments(case, name):
        found = choices(player, state, seat)
        assert len(found) == 1
        assert found <= set(state.legal(seat))
        asked += 1
    assert asked


def hints(state: GameState, seat: int) -> set[str]:
    """A hint with its reasons, in each world and from the view, as text."""
    tables: list[GameState | dict[str, Any]] = [*worlds(state, seat), json.loads(json.dumps(state.view(seat)))]
    found: set[str] = set()
    for table in tables:
        seen, move, why = reasons.hint(small("storm"), table, seat, Stream(4))
        found.add(json.dumps([seen.spec.move_words(seen, seat, move), why.to_json()]))
    return found


@pytest.mark.parametrize("case", TWO_OR_THREE, ids=repr)
def test_reasons_say_only_what_the_seat_may_see(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "HINT_SECONDS", 0.0)
    for state, seat in moments(case, "reasons"):
        assert len(hints(state, seat)) == 1
        played = state.legal(seat)[-1]
        judged = [judge(state.spec, world, 1, seat, played, 2, 14, 0) for world in worlds(state, seat)]
        assert len({json.dumps(finding.to_json()) for finding in judged}) == 1
        heuristics = heuristics_of(state.spec)
        for move in state.legal(seat)[:12]:
            remarks = [heuristics.remarks(world, seat, move) for world in worlds(state, seat)]
            assert remarks == [remarks[0]] * len(remarks), "what is hidden plays no part in them"


@pytest.mark.parametrize("name", ["storm", "drizzle"])
@pytest.mark.parametrize("case", OPEN, ids=repr)
def test_a_view_is_enough_where_nothing_is_hidden(case: Case, name: str) -> None:
    player = small(name)
    asked = 0
    for state, seat in moments(case, name):
        assert len(choices(player, state, seat)) == 1
        asked += 1
    assert asked


@pytest.mark.parametrize("case", HIDING, ids=repr)
def test_what_is_hidden_lies_differently_in_those_worlds(case: Case) -> None:
    """Else the test above would say nothing."""
    differing = 0
    for state, seat in moments(case, "storm"):
        truths = [json.dumps(world.position(), sort_keys=True) for world in worlds(state, seat)]
        differing += len(set(truths)) > 1
    assert differing


class Peeker(Bot):
    """Looks into the others' cards."""

    name = "peeker"
    summary = "Cheats."

    def choose(self, table: GameState | Mapping[str, Any], seat: int, rng: wellies.Rng) -> int:
        assert isinstance(table, GameState)
        moves = table.legal(seat)
        return moves[zlib.crc32(json.dumps(table.position(), sort_keys=True).encode()) % len(moves)]


def test_a_bot_that_peeks_is_caught() -> None:
    case = Case("umbradeco", 4, {})
    caught = 0
    for state, seat in moments(case, "peeker"):
        caught += len({Peeker().choose(world, seat, Stream(4)) for world in worlds(state, seat)}) > 1
    assert caught


@pytest.mark.parametrize("game", ["puppies", "umbradeco", "aquarium"])
def test_a_mind_that_remembers_does_not_peek_either(game: str) -> None:
    """The same game twice, the second time in another world at each decision: the same choices, with trees reused."""
    logs: list[list[int]] = []
    for worlds_apart in (False, True):
        state = wellies.game(game).start(2, {})
        dice, rng, other = Stream("dice"), Stream("bot"), Stream("worlds")
        minds = [small("storm").session() for _ in range(2)]
        log: list[int] = []
        while state.due() and len(log) < 40:
            seat = state.due()[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(dice))
                continue
            seen = state.resample(seat, other) if worlds_apart else state
            log.append(minds[seat].choose(seen, seat, rng))
            state.step(seat, log[-1])
        logs.append(log)
        reused = sum(getattr(mind, "reused", 0) for mind in minds)
        assert reused or game == "aquarium"
    assert logs[0] == logs[1]
