"""Arenas: the same games on every executor, external bots that see views only, and nothing lost with a worker."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

import wellies
from wellies.bots import _BOTS, Bot
from wellies.bots.arena import external_bot, runner
from wellies.bots.arena.executors import Executor, ProcessExecutor, SerialExecutor
from wellies.bots.arena.participants import Participant, parse_matchups, parse_participants
from wellies.bots.arena.plan import Plan, make_plan
from wellies.bots.arena.playing import Result, play_game
from wellies.bots.arena.report import quantile, report, think_times
from wellies.core.dice import Rng
from wellies.core.errors import BadOption, WelliesError
from wellies.core.events import Json
from wellies.core.state import GameState

forking = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="the workers would not know what the test changed"
)


def toy_plan(bots: str = "greedy,random", seats: int = 2, rounds: int = 10, seed: int = 1) -> Plan:
    return make_plan("toy", parse_participants([bots]), None, seats, None, rounds, seed)


def played(plan: Plan, executor: Executor | None = None) -> list[Result]:
    executor = executor or SerialExecutor(plan)
    results: list[Result] = []
    try:
        runner.run(list(range(plan.games)), executor, results.extend)
    finally:
        executor.close()
    return sorted(results, key=lambda result: result.number)


def facts(results: list[Result]) -> list[tuple[int, list[int], list[int], int, int, str]]:
    """All that must be the same every time."""
    return [(each.number, each.scores, each.ranks, each.decisions, each.chances, each.reason) for each in results]


# --- plans ----------------------------------------------------------------------------------------------------------


def test_every_two_meet_and_sit_in_each_seat_equally_often() -> None:
    plan = toy_plan("greedy,random,a=random", rounds=4)
    assert plan.games == 12
    met = Counter(tuple(plan.seated(number)) for number in range(plan.games))
    assert met == dict.fromkeys([(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 2)


def test_more_seats_take_every_subset_and_every_seat_evenly_in_changing_order() -> None:
    plan = toy_plan("greedy,random,a=random,b=random", seats=3, rounds=12)
    assert plan.tables == [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    first = [tuple(plan.seated(number)) for number in range(0, plan.games, 4)]
    for seat in range(3):
        assert Counter(seated[seat] for seated in first) == {0: 4, 1: 4, 2: 4}
    clockwise = {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert 0 < sum(seated in clockwise for seated in first) < 12


def test_fewer_participants_than_seats_sit_more_than_once_but_evenly() -> None:
    assert toy_plan("greedy,random", seats=3).tables == [[0, 0, 1], [0, 1, 1]]


def test_a_game_does_not_depend_on_who_else_takes_part() -> None:
    small = toy_plan("greedy,random", rounds=3)
    large = toy_plan("greedy,random,a=random", rounds=3)
    assert large.tables[0] == small.tables[0]
    assert [play_game(small, number).scores for number in range(3)] == [
        play_game(large, 3 * number).scores for number in range(3)
    ]


def test_labels_with_colons_can_be_paired() -> None:
    three = parse_participants(["greedy,greedy:looks=60", "random"])
    assert parse_matchups(["random:greedy:looks=60,greedy:random"], three) == [[0, 2], [1, 2]]
    assert parse_matchups(["greedy:greedy:looks=60:random"], three) == [[0, 1, 2]]
    plan = make_plan("toy", three, [[0, 2], [1, 2]], rounds=1)
    assert plan.tables == [[0, 2], [1, 2]]


def test_a_bare_name_will_do_where_only_one_plays_that_bot() -> None:
    two = parse_participants(["greedy:looks=60,chance=random"])
    assert parse_matchups(["greedy:random"], two) == parse_matchups(["greedy:looks=60:chance"], two) == [[0, 1]]
    several = parse_participants(["greedy:looks=60,greedy:looks=70,random"])
    with pytest.raises(BadOption, match="there are: greedy:looks=60, greedy:looks=70, random"):
        parse_matchups(["greedy:random"], several)


@pytest.mark.parametrize(
    ("bots", "pairs", "said"),
    [
        ("greedy", "", "two participants or more"),
        ("greedy,greedy", "", "give them names: a=greedy,b=greedy"),
        ("greedy,gredy", "", "Did you mean"),
        ("greedy,a b=random", "", "cannot be a participant's name"),
        ("greedy,a=", "", "names no bot"),
        ("greedy,old=greedy@", "", "nothing after the @"),
        ("greedy,old=greedy@/no/such/place", "", "there is no /no/such/place"),
        ("greedy,random", "greedy:rando", "there are: greedy, random"),
        ("greedy,random", "greedy", "two or more participants"),
        ("greedy,random", "greedy:greedy", "each once"),
        ("greedy,random,a=random,b=random", "greedy:random:a:b", "4 for 2 seats"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_words(bots: str, pairs: str, said: str) -> None:
    def attempt() -> None:
        participants = parse_participants([bots])
        make_plan("toy", participants, parse_matchups([pairs], participants), rounds=1)

    with pytest.raises(WelliesError, match=said):
        attempt()


# --- executors ------------------------------------------------------------------------------------------------------


@forking
def test_the_same_games_whatever_the_number_of_processes() -> None:
    plan = toy_plan("greedy,random,a=random", rounds=40)
    alone = played(plan)
    assert len(alone) == 120
    assert facts(played(plan, ProcessExecutor(plan, 2))) == facts(alone)
    assert facts(played(toy_plan("greedy,random,a=random", rounds=40, seed=2))) != facts(alone)


@forking
def test_a_lost_worker_loses_no_game() -> None:
    plan = toy_plan("greedy,random,a=random", rounds=400)
    before = set(multiprocessing.active_children())
    executor = ProcessExecutor(plan, 2)
    results: list[Result] = []
    killed: list[int] = []

    def on_results(more: list[Result]) -> None:
        results.extend(more)
        children = [child for child in multiprocessing.active_children() if child not in before]
        if len(killed) < 2 and len(results) > 100 * len(killed) and children:
            children[0].kill()
            killed.append(len(results))

    runner.run(list(range(plan.games)), executor, on_results)
    executor.close()
    assert len(killed) == 2
    assert killed[1] < plan.games
    assert facts(sorted(results, key=lambda each: each.number)) == facts(played(plan))


class _Crash(Bot):
    name = "crash"
    summary = "Takes its process with it."

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        os._exit(7)


@forking
def test_a_game_that_kills_every_worker_is_named_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_BOTS, "crash", _Crash())
    plan = toy_plan("crash,random", rounds=2)
    executor = ProcessExecutor(plan, 2)
    results: list[Result] = []
    with pytest.raises(WelliesError, match=r"the process that plays game \d was lost 5 times"):
        runner.run(list(range(plan.games)), executor, results.extend)
    executor.close()


def test_no_game_is_begun_when_the_time_is_up() -> None:
    plan = toy_plan(rounds=100_000)
    results: list[Result] = []
    runner.run(list(range(plan.games)), SerialExecutor(plan), results.extend, 0.3)
    assert 0 < len(results) < plan.games
    assert [each.number for each in results] == list(range(len(results)))
    none: list[Result] = []
    runner.run(list(range(plan.games)), SerialExecutor(plan), none.extend, 0)
    assert none == []


# --- reports --------------------------------------------------------------------------------------------------------


def test_the_report_adds_up() -> None:
    plan = toy_plan("greedy,random,a=random", seats=3, rounds=30)
    told = report(plan, played(plan), anchor="random")
    assert told["games"] == told["planned"] == 30
    assert sum(side["wins"] for side in told["ratings"]) == pytest.approx(30, abs=0.01)
    assert sum(side["wins"] for side in told["by_seat"]) == pytest.approx(30, abs=0.01)
    assert [side["rating"] for side in told["ratings"]] == sorted(
        (side["rating"] for side in told["ratings"]), reverse=True
    )
    assert next(side for side in told["ratings"] if side["bot"] == "random")["rating_95"] == [0, 0]
    for pair in told["pairs"]:
        assert pair["won"] + pair["shared"] + pair["lost"] == pair["games"] == 30
        assert pair["rate"] == pytest.approx((pair["won"] + pair["shared"] / 2) / 30, abs=1e-4)
        assert pair["rate_95"][0] <= pair["rate"] <= pair["rate_95"][1]


def test_think_times_are_measured_and_forced_moves_are_not_counted() -> None:
    plan = toy_plan(rounds=5)
    results = played(plan)
    think = think_times(plan, results)
    assert {each["bot"] for each in think} == {"greedy", "random"}
    assert all(0 < each["p50"] <= each["p95"] <= each["max"] for each in think)
    assert all(each["processor"] > 0 for each in think)
    assert sum(each["choices"] for each in think) <= sum(result.decisions for result in results)
    assert [quantile([1, 2, 3, 4], share) for share in (0.5, 0.95, 0.01)] == [2, 4, 1]


# --- external bots --------------------------------------------------------------------------------------------------


@pytest.fixture
def last_week(tmp_path: Path) -> Path:
    """Another Wellies: without any arena, and with a `random` that always plays the first move it may."""
    source = Path(wellies.__file__).parent
    package = tmp_path / "last-week" / "src" / "wellies"
    skip = shutil.ignore_patterns("arena", "page", "server", "cli", "client", "__pycache__", "*.so")
    shutil.copytree(source, package, ignore=skip)
    simple = package / "bots" / "simple.py"
    code = simple.read_text(encoding="utf-8")
    assert "moves[rng.randrange(len(moves))]" in code
    simple.write_text(code.replace("moves[rng.randrange(len(moves))]", "moves[0]"), encoding="utf-8")
    return tmp_path / "last-week"


class _First(Bot):
    name = "first"
    summary = "Plays the first move it may."

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        return moves[0]


def test_last_weeks_bots_play_todays(last_week: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "src")  # must not lead the external bot to today's Wellies
    monkeypatch.setitem(_BOTS, "first", _First())
    away = make_plan("puppies", parse_participants([f"new=random,old=random@{last_week}"]), rounds=2, seed=5)
    assert away.code["old"].split()[1] != away.code[""]
    here = make_plan("puppies", parse_participants(["new=random,old=first"]), rounds=2, seed=5)
    assert facts(played(away)) == facts(played(here))


def test_an_external_bot_of_the_same_version_plays_the_same_games() -> None:
    away = make_plan("umbradeco", parse_participants([f"a=greedy@{sys.executable},b=random"]), rounds=2, seed=5)
    assert away.code["a"].split()[1] == away.code[""]
    home = make_plan("umbradeco", parse_participants(["a=greedy,b=random"]), rounds=2, seed=5)
    assert facts(played(away)) == facts(played(home))


def test_an_external_bot_gets_its_view_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan("umbradeco", parse_participants([f"a=random@{sys.executable},b=random"]), rounds=1)
    asked: list[Json] = []
    external = external_bot.external_bot(plan.participants[0], plan.game)
    ask = external._ask

    def listening(message: Json, seconds: float) -> Json:
        asked.append(message)
        return ask(message, seconds)

    monkeypatch.setattr(external, "_ask", listening)
    played(plan)
    assert asked
    for message in asked:
        assert set(message) == {"view", "seat", "table", "random"}
        assert message["view"]["seat"] == message["seat"]


def program(folder: Path, text: str) -> Participant:
    """An external bot that is a program of its own."""
    path = folder / "program"
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return Participant("guest", "mine", {}, str(path))


READY = "import sys, json\nsys.stdin.readline()\nprint('{\"ready\": true}', flush=True)\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise SystemExit('no bot today')", "guest has ended by itself: no bot today"),
        ("print('hello')", "did not answer in JSON"),
        ("print('{\"ready\": 7}')", "did not say that it is ready"),
        ('print(\'{"error": "no such bot"}\')', "guest cannot play: no such bot"),
        (READY + 'sys.stdin.readline()\nprint(\'{"move": "win"}\', flush=True)', "played 'win', which cannot be"),
        (READY + "sys.stdin.readline()\nprint('{\"go\": 1}', flush=True)", "answered without a move"),
        (READY + "sys.stdin.readline()\nraise SystemExit('too hard')", "guest has ended by itself: too hard"),
    ],
)
def test_external_bots_that_misbehave_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(external_bot.ExternalBotError, match=said):
        played(make_plan("toy", [program(tmp_path, text), *parse_participants(["a=random,b=random"])[:1]], rounds=1))
    external_bot.close_all()


def test_any_program_that_speaks_the_protocol_can_take_part(tmp_path: Path) -> None:
    text = READY + "for line in sys.stdin:\n    print(json.dumps({'move': 'pass'}), flush=True)"
    external = program(tmp_path, text)
    plan = make_plan("toy", [external, *parse_participants(["a=random,b=random"])[:1]], rounds=2)
    assert len(played(plan)) == 2


def test_an_external_bot_with_other_rules_is_refused(tmp_path: Path) -> None:
    external = program(tmp_path, READY.replace("true", 'true, "rules_version": 99'))
    with pytest.raises(BadOption, match="by rules version 99"):
        make_plan("toy", [external, *parse_participants(["a=random,b=random"])[:1]], rounds=1)


def test_the_bot_of_an_external_wellies_must_exist_there() -> None:
    with pytest.raises(external_bot.ExternalBotError, match="there is no bot 'nosuch'"):
        make_plan("guppies", parse_participants([f"nosuch@{sys.executable},random"]), rounds=1)


def test_a_folder_without_wellies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="holds no Wellies"):
        make_plan("guppies", parse_participants([f"old=random@{tmp_path},random"]), rounds=1)
