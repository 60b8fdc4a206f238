"""After the game: what each move cost, from what its player could see."""

from __future__ import annotations

import pytest

import wellies
from wellies import CHANCE, Match, Record, Stream
from wellies.bots.analysis import Finding, analyse, summary


def played(game: str, bots: list[str], decisions: int = 1000) -> Record:
    match = Match(wellies.game(game), len(bots), {}, 3)
    rng = Stream(5)
    count = 0
    while match.state.due() and count < decisions:
        seat = match.state.due()[0]
        match.play_move(seat, wellies.bot(bots[seat]).choose(match.state, seat, rng))
        count += 1
    return match.record()


def findings(record: Record, nodes: int = 24, seat: int = -1) -> list[Finding | None]:
    return list(analyse(record.spec(), record.start(), record.moves, nodes, seat=seat))


@pytest.mark.parametrize("game", wellies.list_games())
def test_every_decision_is_judged_and_chance_is_not(game: str) -> None:
    record = played(game, ["greedy", "random"], 14)
    found = findings(record)
    assert len(found) == len(record.moves)
    states = list(record.states())
    for index, finding in enumerate(found):
        mover, text = record.moves[index]
        if mover == CHANCE or len(states[index].legal(mover)) == 1:
            assert finding is None
            continue
        assert finding is not None
        assert (finding.number, finding.seat) == (index + 1, mover)
        assert record.spec().parse_move(states[index], mover, finding.played) == record.spec().parse_move(
            states[index], mover, text
        )
        assert record.spec().parse_move(states[index], mover, finding.best) in states[index].legal(mover)
        assert finding.lost >= 0
        assert (finding.lost == 0) == (finding.best == finding.played)
    again = [each.to_json() if each else None for each in findings(record)]
    assert again == [each.to_json() if each else None for each in found]


def test_random_players_lose_more_points_than_greedy_ones() -> None:
    record = played("umbradeco", ["greedy", "random"])
    rows = summary([each for each in findings(record) if each is not None], 2)
    assert rows[0]["decisions"] > 10
    assert rows[1]["lost_each"] > 2 * rows[0]["lost_each"]
    assert rows[1]["mistakes"] > rows[0]["mistakes"]
    assert rows[0]["best"] > rows[1]["best"]


def test_one_seat_alone() -> None:
    record = played("puppies", ["random", "random"], 12)
    found = [each for each in findings(record, seat=1) if each is not None]
    assert found
    assert {each.seat for each in found} == {1}


def test_it_judges_by_what_the_mover_saw() -> None:
    """The rest of the record, and the rivals' true cards, make no difference to what is thought of a move."""
    record = played("umbradeco", ["greedy", "random"], 8)
    whole = [each.to_json() for each in findings(record) if each is not None]
    shorter = Record(record.game, record.seats, options=record.options, moves=record.moves[:-6])
    short = [each.to_json() for each in findings(shorter) if each is not None]
    assert short
    assert short == whole[: len(short)]
