"""A table is the fold of its log: rebuilt from it, it is the same table, clocks and decisions included."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from table.tables import (
    ANN,
    ANN_SITS,
    BOB,
    BOB_SITS,
    BOT_SITS,
    begun,
    facts,
    play_any,
    play_bots,
    rebuilt,
    table_of,
)

import wellies
from wellies import CHANCE, UndoRefused, WelliesError
from wellies.table import Aids, Clock, Clocks, LogEntry, Refused, Seat, Setup, Table, new_table
from wellies.table.clocks import GRACE, RESPITE

CLOCKS = [Clock(), Clock("move", 30), Clock("game", 60, 5), Clock("days", 0, 0, 2)]


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@pytest.mark.parametrize("game", wellies.list_games())
def test_a_table_rebuilt_from_its_log_is_the_same_table(game: str, clock: Clock) -> None:
    rng = random.Random(f"{game} {clock.kind}")
    seats = max(3, wellies.game(game).min_seats)
    chairs = [Seat("person", ANN, "Ann"), Seat("person", BOB, "Bob"), *[Seat()] * (seats - 2)]
    table = table_of(game, chairs, clock)
    at = 1_000
    for number in range(2, seats):
        table.set_seat(ANN, number, "bot", "random", at)
    table.start(ANN, at)
    for _ in range(40):
        at += rng.randrange(4_000)
        before = facts(table, at)
        trial = table.fork()
        with contextlib.suppress(WelliesError):
            _something(trial, rng, at)
        assert facts(table, at) == before, "a fork goes its own way"
        table = trial
        if rng.randrange(4) == 0:
            assert facts(rebuilt(table), at) == facts(table, at)
    assert facts(rebuilt(table), at) == facts(table, at)


def _something(table: Table, rng: random.Random, at: int) -> None:
    """One wish of somebody, sensible or not."""
    table.time_out("random", at, rng.sample(range(len(table.seats)), 2))
    match rng.randrange(15):
        case 0:
            table.hand_over(rng.choice([ANN, BOB]), None, "random", at)
        case 1:
            table.reclaim_seat(rng.choice([ANN, BOB]), None, at)
        case 2:
            table.undo(rng.randrange(2), at)
        case 3:
            table.join("eve", "Eve", None, at)
        case 4:
            table.ask_undo(rng.randrange(2), at)
        case 5 | 6:
            asked = table.undo_request()
            table.answer_undo(rng.randrange(2), asked.number if asked else 0, rng.randrange(3) > 0, at)
        case _:
            waiting = table.waiting()
            if waiting and table.match is not None:
                seat = rng.choice(waiting)
                move = rng.choice(table.match.choices(seat))
                text = table.spec.move_text(table.match.state, seat, move)
                table.play(seat, text, None, at, by_bot=table.seats[seat].bot is not None)


# --- taking back ------------------------------------------------------------------------------------------------------


def test_with_takebacks_off_a_move_stands_once_something_new_is_known() -> None:
    free, refused = 0, 0
    for game in wellies.list_games():
        table = begun(game, [ANN_SITS] * wellies.game(game).min_seats, takebacks="off")
        rng = random.Random(game)
        for _ in range(60):
            if table.match is None or not table.waiting():
                break
            seat = table.waiting()[0]
            before, choices = table.view_for(seat), len(table.match.choices(seat))
            play_any(table, seat, rng)
            if table.state == "playing" and table.match.undo_refusal(seat) is None and choices > 1:
                assert table.undo_for(seat).kind == "free"
                table.undo(seat, 0)
                assert table.view_for(seat) == before
                assert facts(rebuilt(table), 0) == facts(table, 0)
                play_any(table, seat, rng)
                free += 1
            elif table.state == "playing" and table.match.log[-1].seat != seat:
                assert table.undo_for(seat).kind == ""
                with pytest.raises(UndoRefused, match=r"Takebacks are off|nothing of yours"):
                    table.undo(seat, 0)
                refused += 1
    assert free
    assert refused


@pytest.mark.parametrize("game", wellies.list_games())
def test_against_bots_one_goes_back_to_ones_own_last_decision_and_the_same_draws_come_again(game: str) -> None:
    table = begun(game, [ANN_SITS])
    rng = random.Random(game)
    undone = 0
    while table.waiting():
        play_bots(table, rng)
        if not table.waiting():
            break
        assert table.match is not None
        before, choices = table.view_for(0), len(table.match.choices(0))
        decision = table.decision_for(0)
        started = len(table.match.log)
        move = table.spec.move_text(table.match.state, 0, rng.choice(table.match.choices(0)))
        table.play(0, move, None, 0)
        play_bots(table, rng)
        if not table.waiting() or choices == 1 or rng.randrange(3):
            continue
        drawn = [entry.text for entry in table.match.log[started:] if entry.seat == CHANCE]
        offer = table.undo_for(0)
        assert offer.kind in ("free", "takeback")
        assert offer.kind == "takeback" or not drawn, "chance has spoken"
        last = table.match.undo_plan([0])
        assert last is not None
        if last.to > started:
            continue  # a turn of several decisions: one goes back to the last of them
        table.undo(0, 0)
        undone += 1
        assert table.log[-1].back == offer.number
        assert table.view_for(0) == before
        assert table.decision_for(0) != decision, "a bot's late move, or mine from before, is stale"
        assert len(table.standing) == len(table.match.log) == started
        table.play(0, move, None, 0)
        again = [entry.text for entry in table.match.log[started:] if entry.seat == CHANCE]
        assert again == drawn[: len(again)], "the same move, the same draws"
    assert undone
    with pytest.raises(UndoRefused, match="over"):
        table.undo(0, 0)
    assert table.record().verify() > 0
    assert facts(rebuilt(table), 0) == facts(table, 0)


def test_undo_goes_on_back_one_decision_at_a_time() -> None:
    table = begun("guppies", [ANN_SITS])
    rng = random.Random(1)
    views = []
    for _ in range(3):
        views.append(table.view_for(0))
        play_any(table, 0, rng)
        play_bots(table, rng)
    for view in reversed(views):
        table.undo(0, 0)
        assert table.view_for(0) == view
    assert table.undo_for(0).kind == ""
    with pytest.raises(UndoRefused, match="nothing of yours"):
        table.undo(0, 0)


def test_undo_does_not_go_back_into_the_game_that_a_table_goes_on_from() -> None:
    rng = random.Random(2)
    old = begun("guppies", [ANN_SITS])
    for _ in range(2):
        play_any(old, 0, rng)
        play_bots(old, rng)
    assert old.match is not None
    moves = [(entry.seat, entry.text) for entry in old.match.log]
    setup = replace(old.setup, proves=False, prefix=moves)
    table = new_table(setup, seed=b"t" * 32)
    table.begin(0)
    assert table.undo_for(0).kind == ""
    play_any(table, 0, rng)
    table.undo(0, 0)
    assert table.undo_for(0).kind == ""


def test_whoever_passes_one_device_takes_back_the_last_move_whoever_made_it() -> None:
    table = begun("guppies", [ANN_SITS, ANN_SITS])
    rng = random.Random(3)
    play_any(table, 0, rng)
    before = table.view_for(1)
    play_any(table, 1, rng)
    assert table.waiting() == [0]
    table.undo(0, 0)
    assert table.log[-1].seat == 1
    assert table.view_for(1) == before


def after_a_move_of_ann(**aids: Any) -> tuple[Table, Any]:
    """Ann and Bob play; Ann has moved, a tile was drawn, and it is Bob's turn. With the view before the move."""
    table = begun("guppies", [ANN_SITS, BOB_SITS], **aids)
    before = table.view_for(0)
    play_any(table, 0, random.Random(4))
    return table, before


def test_people_are_asked_and_when_all_agree_the_move_is_taken_back() -> None:
    table, before = after_a_move_of_ann()
    assert table.undo_for(0).kind == "ask"
    with pytest.raises(UndoRefused, match="must agree: ask them"):
        table.undo(0, 0)
    table.ask_undo(0, 0)
    asked = table.undo_request()
    assert asked is not None
    assert (asked.seat, asked.waiting, asked.agreed, asked.shown) == (0, [1], [], True)
    assert facts(rebuilt(table), 0) == facts(table, 0), "a question is in the log, so that every worker knows it"
    with pytest.raises(Refused, match="not you"):
        table.answer_undo(0, asked.number, True, 0)
    with pytest.raises(Refused, match="no longer"):
        table.answer_undo(1, asked.number + 1, True, 0)
    with pytest.raises(UndoRefused, match="already"):
        table.ask_undo(0, 0)
    table.answer_undo(1, asked.number, True, 0)
    assert table.undo_request() is None
    assert table.view_for(0) == before
    assert [line.kind for line in table.log[-3:]] == ["ask", "agree", "undo"]
    assert (
        table.entry_for(table.log[-1], 1)["text"]
        == "{0} takes the last move back, as agreed; the same draws come again."
    )


def test_every_other_person_must_agree_and_one_who_declines_is_enough() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS, Seat("person", "cat", "Cat"), BOB_SITS, BOT_SITS])
    play_any(table, 0, random.Random(5))
    table.ask_undo(0, 0)
    asked = table.undo_request()
    assert asked is not None
    assert asked.waiting == [1, 2, 3]
    table.answer_undo(1, asked.number, True, 0)
    now = table.undo_request()
    assert now is not None
    assert now.waiting == [2], "Bob has answered for both his seats"
    table.answer_undo(2, asked.number, False, 0)
    assert table.undo_request() is None
    assert table.undo_for(0).kind == ""
    with pytest.raises(UndoRefused, match="rather"):
        table.ask_undo(0, 0)


def test_a_question_is_forgotten_when_somebody_moves_or_it_is_withdrawn() -> None:
    table, _ = after_a_move_of_ann()
    table.ask_undo(0, 0)
    play_any(table, 1, random.Random(6))
    assert table.undo_request() is None
    table.ask_undo(0, 0)
    asked = table.undo_request()
    assert asked is not None
    table.answer_undo(0, asked.number, False, 0)
    assert table.undo_request() is None
    assert table.undo_for(0).kind == "ask", "one may ask again"


def test_a_bots_move_leaves_the_question_open_and_is_taken_back_too() -> None:
    table = begun("guppies", [ANN_SITS, BOT_SITS, BOB_SITS])
    before = table.view_for(0)
    rng = random.Random(7)
    play_any(table, 0, rng)
    table.ask_undo(0, 0)
    play_bots(table, rng)
    asked = table.undo_request()
    assert asked is not None
    table.answer_undo(2, asked.number, True, 0)
    assert table.view_for(0) == before


def test_who_has_resigned_is_not_asked_and_who_is_away_cannot_agree() -> None:
    table, _ = after_a_move_of_ann()
    table.hand_over(BOB, None, "random", 0)
    assert table.undo_for(0).kind == ""
    assert "away" in table.undo_for(0).why
    table.resign(BOB, None, "random", 0)
    assert table.undo_for(0).kind == "takeback"


def test_free_takebacks_between_people_still_ask_once_something_was_shown() -> None:
    table, _ = after_a_move_of_ann(takebacks="free")
    assert table.undo_for(0).kind == "ask"
    chairs = begun("puppies", [ANN_SITS, BOB_SITS], takebacks="free")
    rng = random.Random(8)
    for seat in (0, 1):
        if seat in chairs.waiting():
            play_any(chairs, seat, rng)
    plan = chairs.match.undo_plan([0]) if chairs.match is not None else None
    assert plan is not None
    assert (chairs.undo_for(0).kind == "free") == (not plan.shown)


def test_an_undo_of_an_old_database_takes_one_move_back() -> None:
    table = begun("umbradeco", [ANN_SITS])
    rng = random.Random(9)
    for _ in range(20):
        play_bots(table, rng)
        play_any(table, 0, rng)
        assert table.match is not None
        if table.match.undo_refusal(0) is None:
            break
    assert table.match is not None
    moves = len(table.match.log)
    number = table.standing[-1].number
    table.apply(LogEntry(table.version + 1, "undo", 0, "", 0))
    assert len(table.match.log) == len(table.standing) == moves - 1
    assert table.entry_for(table.log[-1], None)["back"] == number
    assert table.entry_for(table.log[-1], None)["text"] == "{0} takes the last move back."


# --- time -------------------------------------------------------------------------------------------------------------


def test_the_clock_of_a_game_counts_down_and_adds() -> None:
    clocks = Clocks(Clock("game", 60, 5), 2)
    clocks.wait_for([0], 0)
    assert clocks.deadline() == 60_000
    clocks.moved(0, 20_000)
    clocks.wait_for([1], 20_000)
    assert [face.left for face in clocks.faces(30_000)] == [45_000, 50_000]
    assert [face.running for face in clocks.faces(30_000)] == [False, True]
    assert clocks.run_out(79_999) == []
    assert clocks.run_out(80_000) == [1]
    clocks.wait_for([], 80_000)
    clocks.returned(1)
    assert clocks.left(1, 80_000) == GRACE


def test_a_clock_of_days_starts_anew_with_each_decision() -> None:
    clocks = Clocks(Clock("days", 0, 0, 2), 2)
    clocks.wait_for([0, 1], 0)
    clocks.moved(0, 86_400_000)
    clocks.wait_for([1], 86_400_000)
    assert clocks.deadline() == 2 * 86_400_000
    clocks.wait_for([0], 100_000_000)
    assert clocks.left(0, 100_000_000) == 2 * 86_400_000


def test_who_misses_a_move_has_the_next_one_again() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("move", 30))
    table.time_out("random", 29_999, [0, 1])
    assert table.log[-1].kind != "late"
    table.time_out("random", 30_000, [0, 1])
    line = table.log[-1]
    assert (line.kind, line.seat) == ("late", 0)
    assert table.entry_for(line, 1)["text"] == "{0}'s time ran out; a bot makes this move."
    assert (table.seats[0].bot, table.seats[0].why, table.seats[0].once) == ("random", "timeout", True)
    with pytest.raises(Refused, match="the next one is yours"):
        table.play(0, "a0@0,0", None, 30_000)
    with pytest.raises(Refused, match="the next one is yours"):
        table.reclaim_seat(ANN, 0, 30_000)
    rng = random.Random(1)
    play_bots(table, rng, 32_000)
    assert table.seats[0].bot is None
    assert table.decision_for(0) is None
    assert table.decision_for(1) is not None
    assert facts(rebuilt(table), 32_000) == facts(table, 32_000)
    play_any(table, 1, rng, 40_000)
    assert table.decision_for(0) is not None
    assert table.clocks.left(0, 40_000) == 30_000


def test_a_bot_plays_on_for_somebody_away_only_while_others_wait() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("move", 30))
    rng = random.Random(1)
    table.time_out("random", 30_000, [1])
    assert table.log[-1].kind == "timeout"
    play_bots(table, rng, 32_000)
    assert table.seats[0].timed_out, "Bob need not wait for Ann's clock again"
    play_any(table, 1, rng, 33_000)
    table.return_to_seats(ANN, 34_000)
    assert table.log[-1].kind == "takeback"
    assert table.decision_for(0) is not None
    alone = begun("guppies", [ANN_SITS, BOT_SITS], Clock("move", 30))
    alone.time_out("random", 30_000, [])
    assert alone.log[-1].kind == "late", "only bots would wait"


def test_over_days_nobody_is_expected_to_sit_there() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("days", 0, 0, 1))
    rng = random.Random(1)
    at = 0
    kinds: list[str] = []
    while len(kinds) < 3:
        at += 86_400_000
        table.time_out("random", at, [])
        kinds.append(table.log[-1].kind)
        play_bots(table, rng, at)
        play_any(table, 1, rng, at)
    assert kinds == ["late", "late", "timeout"]


def test_a_used_up_clock_leaves_a_little_time_for_each_further_decision() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("game", 60, 2))
    rng = random.Random(1)
    table.time_out("random", 60_000, [0, 1])
    play_bots(table, rng, 62_000)
    assert table.clocks.left(0, 62_000) == 0
    for at in (63_000, 73_000):
        play_any(table, 1, rng, at)
        assert table.clocks.left(0, at) == RESPITE, "never a game lost by one missed move"
        play_any(table, 0, rng, at + 9_500)
    play_any(table, 1, rng, 90_000)
    assert table.run_out(90_000 + RESPITE) == [0]


def test_a_takeback_leaves_no_bot_in_the_seat_of_somebody_whose_time_had_run_out() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("move", 30))
    play_any(table, 0, random.Random(1), 0)
    table.ask_undo(0, 1_000)
    asked = table.undo_request()
    assert asked is not None
    table.answer_undo(1, asked.number, True, 2_000)
    play_any(table, 0, random.Random(1), 3_000)
    table.time_out("random", 33_000, [0, 1])
    assert table.seats[1].once
    table.apply(LogEntry(table.version + 1, "undo", 0, '{"to": 1}', 33_500))
    assert table.seats[1].bot is None


# --- what a table allows ----------------------------------------------------------------------------------------


def test_hints_are_usual_for_one_person_with_bots_and_not_between_people() -> None:
    def hints(seats: list[Seat], **aids: Any) -> str:
        return table_of("guppies", seats, None, Aids(**aids)).info_for(ANN).hints

    assert hints([ANN_SITS, BOT_SITS]) == "all"
    assert hints([ANN_SITS, Seat()]) == "off", "somebody may sit down"
    assert hints([ANN_SITS, ANN_SITS]) == "off", "two people, one device"
    assert hints([ANN_SITS, BOB_SITS], hints="beginners") == "beginners"


def test_beginners_are_those_who_have_finished_few_games() -> None:
    table = table_of("guppies", [ANN_SITS, BOB_SITS], None, Aids(hints="beginners"))
    assert table.hint_for(0, 2).allowed
    assert not table.hint_for(0, 3).allowed
    assert "fewer than 3 games of Guppies" in table.hint_for(0, 3).why
    assert not table.hint_for(None, 0).allowed


def test_the_host_changes_what_is_allowed_while_the_table_is_open() -> None:
    table = table_of("guppies", [ANN_SITS, BOB_SITS])
    with pytest.raises(Refused, match="host"):
        table.change(BOB, None, None, None, 0, Aids(hints="all"))
    table.change(ANN, None, None, None, 0, Aids(hints="all"))
    table.change(ANN, None, None, None, 0, Aids(badges=False, takebacks="off"))
    info = table.info_for(BOB)
    assert (info.hints, info.badges, info.takebacks) == ("all", False, "off")
    assert rebuilt(table).info_for(BOB) == info


def test_a_table_of_an_old_database_has_the_usual_settings() -> None:
    stored = (
        '{"game": "guppies", "options": {}, "seats": [], "private": false, "clock": {}, "host": "", "host_name": ""}'
    )
    setup = Setup.from_json(json.loads(stored))
    assert setup.aids == Aids()
    assert (Aids().hints_for([ANN_SITS, BOT_SITS]), Aids().shows_badges, Aids().takes_back) == ("all", True, "ask")


# --- who may ----------------------------------------------------------------------------------------------------


def test_only_owners_and_hosts_get_their_wishes() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat("person", BOB, "Bob")])
    wishes: list[Callable[[], None]] = [
        lambda: table.start(BOB, 0),
        lambda: table.set_seat(BOB, 0, "open", "greedy", 0),
        lambda: table.change(BOB, {}, None, True, 0),
        lambda: table.leave("eve", None, "greedy", 0),
        lambda: table.leave(ANN, 1, "greedy", 0),
        lambda: table.leave("", None, "greedy", 0),
    ]
    for wish in wishes:
        with pytest.raises(Refused) as refused:
            wish()
        assert refused.value.status == 403
    assert table.uncommitted == []


def test_a_table_from_a_position_that_is_no_longer_accepted_goes_on() -> None:
    """Stored by an older version, which let positions pass that no game can reach."""
    mat = [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, -3], "tiles": ["blue"]}]
    lost: dict[str, Any] = {"mat": mat, "hands": [["red"], ["green"]]}
    with pytest.raises(wellies.BadPosition):
        wellies.game("umbradeco").from_position(lost)
    setup = Setup("umbradeco", {}, [Seat("person", ANN, "Ann")] * 2, False, Clock(), ANN, "Ann", position=lost)
    table = new_table(setup)
    table.begin(0)
    assert table.waiting() == [0]


def test_the_time_of_an_entry_is_never_before_that_of_the_entry_before_it() -> None:
    """The clock of another worker may be behind. Nobody gains or loses time by that."""
    table = begun("guppies", [ANN_SITS, BOB_SITS], Clock("game", 600))
    rng = random.Random(1)
    play_any(table, 0, rng, 100_000)
    play_any(table, 1, rng, 40_000)
    assert [entry.at for entry in table.log[-2:]] == [100_000, 100_000]
    assert table.clocks.left(1, 100_000) == 600_000
    assert table.clocks.left(0, 50_000) == 500_000, "no time is given back, either"
    play_any(table, 0, rng, 130_000)
    assert table.clocks.left(0, 130_000) == 470_000
