"""Which moves of a finished game are judged, and with how much effort."""

from __future__ import annotations

import contextlib
from typing import Any

import wellies
from wellies.table import Clock, Seat, Setup, Table, new_table
from wellies.table.analysis import FEWEST, Effort, questions


def random_record() -> str:
    """A whole game at random, as a record."""
    match = wellies.Match("umbradeco", 2, {"mat": "small"}, 3)
    rng = wellies.Stream(3)
    while match.state.outcome() is None:
        seat = match.state.due()[0]
        moves = match.choices(seat)
        match.play_move(seat, moves[rng.randrange(len(moves))])
    return str(match.record())


def table_of(seats: list[Seat], **more: Any) -> Table:
    return new_table(Setup("umbradeco", {"mat": "small"}, seats, False, Clock(), "ann", "Ann", **more), seed=b"s" * 32)


def play_out(table: Table, stop_at: int = 10_000) -> Table:
    """Play on at random, until the end or a version."""
    rng = wellies.Stream(1)
    while table.match is not None and table.state == "playing" and table.version < stop_at:
        seat = table.waiting()[0]
        moves = table.match.choices(seat)
        text = table.spec.move_text(table.match.state, seat, moves[rng.randrange(len(moves))])
        table.play(seat, text, None, 0, by_bot=True)
    return table


ANN, BOT = Seat("person", "ann", "Ann"), Seat("bot", "", "shower", "shower")


def test_people_are_judged_and_neither_bots_nor_what_was_taken_back() -> None:
    table = table_of([ANN, BOT])
    table.begin(0)
    play_out(table, 12)
    while table.waiting() != [0]:
        play_out(table, table.version + 1)
    assert table.match is not None
    first = table.spec.move_text(table.match.state, 0, table.match.choices(0)[0])
    table.play(0, first, None, 0)
    with contextlib.suppress(wellies.UndoRefused):
        table.undo(0, 0)
    taken_back = table.log[-1].kind == "undo"
    assert taken_back
    table.hand_over("ann", 0, "shower", 0)
    handed = table.version
    play_out(table, handed + 8)
    table.reclaim_seat("ann", 0, 0)
    returned = table.version
    play_out(table)
    asked = questions(table)
    numbers = [question.number for question in asked]
    assert numbers == sorted(numbers)
    assert {question.seat for question in asked} == {0}
    assert handed - 1 not in numbers
    assert not [number for number in numbers if handed < number < returned]
    assert [number for number in numbers if number < handed]
    assert [number for number in numbers if number > returned]
    for question in asked:
        line = table.log[question.number - 1]
        assert (line.seat, line.text) == (question.seat, question.move)
        assert question.view["seat"] == 0, "what the mover saw, and nothing else"


def test_where_only_bots_play_they_are_judged() -> None:
    table = table_of([BOT, BOT], proves=False)
    table.begin(0)
    play_out(table)
    assert {question.seat for question in questions(table)} == {0, 1}


def test_moves_of_another_game_are_left_out() -> None:
    record = wellies.Record.parse(random_record())
    begun = table_of([ANN, BOT], proves=False, prefix=record.moves[:-6])
    begun.begin(0)
    play_out(begun)
    first = len(record.moves) - 6 + 1
    assert questions(begun)
    assert all(question.number > first for question in questions(begun))


def test_the_effort_fits_the_time() -> None:
    easy = Effort(300, 50, 100.0)
    for _ in range(50):
        assert easy.nodes() == 300
        easy.spent(0.5, 300)
    assert not easy.over

    slow = Effort(300, 50, 100.0)
    spent = 0.0
    for _ in range(50):
        seconds = slow.nodes() * 0.02
        spent += seconds
        slow.spent(seconds, slow.nodes())
    assert 80 < spent < 110
    assert not slow.over

    hopeless = Effort(300, 50, 10.0)
    judged = 0
    while not hopeless.over and judged < 50:
        hopeless.spent(hopeless.nodes() * 0.1, hopeless.nodes())
        judged += 1
    assert hopeless.nodes() == FEWEST
    assert judged < 50, "at last it ends"
