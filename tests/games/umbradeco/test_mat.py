"""The mat against a slow and simple twin: the same legal moves, the same points."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellies
from wellies import CHANCE, GameState, Stream
from wellies.games.umbradeco.mat_geometry import COORDINATES, GEOMETRIES

SPEC = wellies.game("umbradeco")
STEPS = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
Place = tuple[int, int]
Tiles = dict[Place, list[str]]


def on_mat(place: Place, side: int) -> bool:
    q, r = place
    return max(abs(q), abs(r), abs(q + r)) < side


def around(place: Place, side: int) -> list[Place]:
    found = [(place[0] + dq, place[1] + dr) for dq, dr in STEPS.values()]
    return [each for each in found if on_mat(each, side)]


def tidy(tiles: Tiles, place: Place, side: int) -> bool:
    """The colour rule at one place."""
    return all(tiles[near][-1] != tiles[place][-1] for near in around(place, side) if near in tiles)


def naive_results(tiles: Tiles, colour: str, side: int) -> dict[str, tuple[Tiles, Place, str]]:
    """Every way to place a colour: the move, the mat after it, the place of the tile and the way it got there."""
    found: dict[str, tuple[Tiles, Place, str]] = {}
    reach = range(-side, side + 1)
    for place in [(q, r) for q in reach for r in reach if on_mat((q, r), side)]:
        name = f"{place[0]},{place[1]}"
        near = around(place, side)
        if place not in tiles:
            after = {**tiles, place: [colour]}
            if any(each in tiles for each in near) and tidy(after, place, side):
                found[f"{colour}@{name}"] = (after, place, "place")
            continue
        if len(tiles[place]) > 1:
            continue
        if all(each in tiles for each in near) and tiles[place] != [colour]:
            after = {**tiles, place: [*tiles[place], colour]}
            if tidy(after, place, side):
                found[f"{colour}^{name}"] = (after, place, "stack")
        for way, (dq, dr) in STEPS.items():
            target = (place[0] + dq, place[1] + dr)
            if on_mat(target, side) and target not in tiles:
                after = {**tiles, target: tiles[place], place: [colour]}
                if tidy(after, place, side) and tidy(after, target, side):
                    found[f"{colour}>{name}:{way}"] = (after, place, "push")
    return found


def naive_points(tiles: Tiles, place: Place, way: str, side: int, unbroken: bool) -> int:
    colour = tiles[place][-1]
    points = {"place": 0, "push": 1, "stack": 5}[way]
    if len({tiles[near][-1] for near in around(place, side) if near in tiles}) == 4:
        points += 3
    for dq, dr in STEPS.values():
        at = (place[0] + dq, place[1] + dr)
        while on_mat(at, side):
            if at not in tiles and unbroken:
                break
            if at in tiles and tiles[at][-1] == colour:
                points += 1
            at = (at[0] + dq, at[1] + dr)
    return points


def joined(tiles: Tiles, side: int) -> bool:
    todo = [next(iter(tiles))]
    reached = set(todo)
    while todo:
        for near in around(todo.pop(), side):
            if near in tiles and near not in reached:
                reached.add(near)
                todo.append(near)
    return len(reached) == len(tiles)


def tiles_of(state: GameState) -> Tiles:
    return {(each["at"][0], each["at"][1]): each["tiles"] for each in state.position()["mat"]}


@settings(max_examples=24, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    seats=st.integers(2, 4),
    mat=st.sampled_from(["small", "standard", "large"]),
    rows=st.sampled_from(["open", "unbroken"]),
)
def test_moves_and_points_are_those_of_a_simple_twin(seed: int, seats: int, mat: str, rows: str) -> None:
    side = {"small": 3, "standard": 4, "large": 5}[mat]
    state = SPEC.start(seats, {"mat": mat, "rows": rows})
    rng = Stream(seed)
    while state.active():
        seat = state.active()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        moves = state.legal(seat)
        move = moves[rng.randrange(len(moves))]
        position = state.position()
        if position["phase"] == "take":
            state.step(seat, move)
            continue
        tiles = tiles_of(state)
        texts = {SPEC.move_text(state, seat, each) for each in moves}
        results: dict[str, tuple[Tiles, Place, str]] = {}
        for colour in set(position["hands"][seat]):
            results |= naive_results(tiles, colour, side)
        assert texts == (set(results) or {f"drop {colour}" for colour in position["hands"][seat]})
        text = SPEC.move_text(state, seat, move)
        before = state.scores()[seat]
        state.step(seat, move)
        if text in results:
            after, place, way = results[text]
            assert tiles_of(state) == after
            assert state.scores()[seat] - before == naive_points(after, place, way, side, rows == "unbroken")
            # What holds for every mat that comes about: the colour rule, and all tiles hang together.
            assert all(tidy(after, each, side) for each in after)
            assert joined(after, side)


@pytest.mark.parametrize(("name", "spaces"), [("small", 19), ("standard", 37), ("large", 61)])
def test_a_mat_has_its_spaces_and_each_line_ends_at_the_edge(name: str, spaces: int) -> None:
    ground = GEOMETRIES[name]
    side = ground.side
    assert ground.spaces == spaces
    assert set(COORDINATES[:spaces]) == {
        (q, r) for q in range(-side, side + 1) for r in range(-side, side + 1) if on_mat((q, r), side)
    }
    for space, place in enumerate(COORDINATES[:spaces]):
        near = {COORDINATES[each] for each in ground.listed(ground.near[space])}
        assert near == set(around(place, side))
        for axis, line in enumerate(ground.lines[space]):
            dq, dr = list(STEPS.values())[axis]
            expected = {(place[0] + k * dq, place[1] + k * dr) for k in range(-9, 10) if k}
            assert {COORDINATES[each] for each in ground.listed(line)} == {at for at in expected if on_mat(at, side)}


def test_the_centre_of_the_standard_mat_sees_three_spaces_each_way() -> None:
    ground = GEOMETRIES["standard"]
    assert [line.bit_count() for line in ground.lines[0]] == [6, 6, 6]


def test_a_score_line_names_the_tiles_and_says_why() -> None:
    position: dict[str, Any] = {
        "mat": [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue"]}],
        "hands": [["red", "red"], ["green"]],
        "scores": [4, 0],
    }
    state = SPEC.from_position(position)
    told: list[wellies.Event] = []
    state.apply(0, SPEC.parse_move(state, 0, "red@0,2"), told.append)
    before, row = state.score_lines(0)
    assert (before.rule, before.points) == ("before", 4)
    assert (row.rule, row.points, row.where) == ("row", 1, [[0, 0]])
    assert "north to south" in row.why
    assert told[0].lines == [(0, row)]
    assert told[0].text == "{0} opens a red umbrella [at 0,2] for 1 point (row)."
