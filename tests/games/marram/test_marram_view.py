"""What the page is told beside the position: where features lie, who leads, and what a lay scores by itself."""

from __future__ import annotations

from typing import Any

from marram_tables import START, play, table, tile

from wellies.core.preview import preview_move, preview_moves, preview_points
from wellies.games.marram.material_file import BOX
from wellies.games.marram.segments import text_of


def test_claimed_features_say_where_they_lie_and_who_would_score_them() -> None:
    body = tile(0, -1, "sand", "blue body NS", claim={"seat": 1, "on": "N"})
    state = table(START, body, hands=[[12], []])
    extra = state.extra(None)
    (beast,) = extra["beasts"]
    assert beast["parts"] == [{"at": [0, -1], "on": "N"}, {"at": [0, 0], "on": "N"}]
    assert beast["leads"] == [1]
    assert beast["points"] == 2
    assert extra["patches"] == []


def test_a_patch_is_told_by_its_corner_points() -> None:
    state = table(START, tile(1, 0, "sand", claim={"seat": 0, "on": "bridge"}), hands=[[12], []])
    (patch,) = state.extra(None)["patches"]
    assert patch["ground"] == "sand"
    assert sorted(patch["corners"]) == [[0, 1], [1, 0], [2, 1]]
    assert patch["leads"] == [0]


def test_while_a_claim_is_due_the_free_features_of_the_tile_are_told_too() -> None:
    state = table(START, hands=[[12], []])
    before = state.extra(None)
    assert before["beasts"] == []
    assert before["patches"] == []
    lay = next(move for move in state.legal(0))
    state.step(0, lay)
    extra = state.extra(None)
    assert len(extra["patches"]) >= 2
    assert all(patch["leads"] == [] for patch in extra["patches"])
    play(state, 0, "no claim")
    assert state.extra(None)["patches"] == []


def test_a_lay_is_previewed_as_if_nothing_is_claimed() -> None:
    # A blue tail in hand finishes the snake on which seat 0 has a boot: 3 segments, 9 points.
    tail = next(number for number, each in _box().items() if each == ["blue tail N"])
    body = tile(0, -1, "sand", "blue body NS", claim={"seat": 0, "on": "N"})
    state = table(START, body, hands=[[tail], []])
    moves = state.legal(0)
    assert max(each["points"] for each in preview_points(state, 0, moves)) == 9
    assert state.decline_move(0) is None
    state.step(0, moves[0])
    assert state.decline_move(0) in state.legal(0)
    assert state.decline_move(1) is None


def test_a_lay_that_completes_what_nobody_has_claimed_offers_what_a_claim_would_bring() -> None:
    tail = next(number for number, each in _box().items() if each == ["blue tail N"])
    state = table(START, tile(0, -1, "sand", "blue body NS"), hands=[[tail], []])
    moves = state.legal(0)
    found = preview_points(state, 0, moves)
    best = max(range(len(moves)), key=lambda at: found[at].get("offer", 0))
    assert found[best] == {"points": 0, "offer": 9}
    (offer,) = [
        each for each in preview_move(state, 0, moves[best]).offers if sum(line.points for _, line in each.lines) == 9
    ]
    state.step(0, moves[best])
    state.step(0, offer.move)
    assert state.scores() == [9, 0]


def test_a_seat_without_pieces_is_offered_nothing() -> None:
    tail = next(number for number, each in _box().items() if each == ["blue tail N"])
    seats: list[dict[str, Any]] = [{"hand": [tail], "boots": 0}, {"hand": []}]
    state = table(START, tile(0, -1, "sand", "blue body NS"), seats=seats, check=False)
    assert all(each == {"points": 0} for each in preview_points(state, 0, state.legal(0)))


def test_the_points_that_a_lay_would_bring_to_others_are_told_as_theirs() -> None:
    tail = next(number for number, each in _box().items() if each == ["blue tail N"])
    body = tile(0, -1, "sand", "blue body NS", claim={"seat": 1, "on": "N"})
    state = table(START, body, hands=[[tail], []])
    previews = preview_moves(state, 0, state.legal(0))
    told = [[(seat, line.points) for seat, line in preview.lines] for preview in previews]
    assert [(1, 9)] in told


def _box() -> dict[int, list[str]]:
    return {number: [text_of(segment) for segment in box.segments] for number, box in enumerate(BOX)}
