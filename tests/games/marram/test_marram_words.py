"""What Marram tells: unfinished things at the end, why a blue snake stays, and which tiles can be flipped now."""

from __future__ import annotations

import pytest

import wellies
from wellies import CHANCE, Stream
from wellies.core.events import Event, ScoreLine
from wellies.core.texts import without_notation
from wellies.games.marram.animals import Animal
from wellies.games.marram.features import Chain
from wellies.games.marram.move_resolution import award
from wellies.games.marram.phases import FLY_GUESS
from wellies.games.marram.places import cell_at, place_json
from wellies.games.marram.scoring import beast_words
from wellies.games.marram.segments import ANY
from wellies.games.marram.state import MarramState


def random_game(variant: str, seats: int, number: int) -> list[tuple[Event, MarramState, MarramState]]:
    """Every event of a random game, with the states before and after the move that brought it."""
    state = wellies.game("marram").start(seats, {"variant": variant})
    assert isinstance(state, MarramState)
    rng = Stream(f"words {variant} {seats} {number}")
    told: list[tuple[Event, MarramState, MarramState]] = []
    while state.active():
        seat = state.active()[0]
        legal = state.legal(seat)
        # Claims are taken wherever there is one, so that much is claimed and unfinished at the end.
        move = state.chance(rng) if seat == CHANCE else legal[rng.randrange(max(1, len(legal) - 1))]
        before = state.clone()
        events: list[Event] = []
        state.step(seat, move, events.append)
        after = state.clone()
        told += [(event, before, after) for event in events]
    return told


@pytest.mark.parametrize(("variant", "seats"), [("classic", 4), ("pitchfork", 3), ("animals", 2)])
def test_what_is_counted_at_the_end_is_called_unfinished(variant: str, seats: int) -> None:
    lines = [
        line
        for event, _, _ in random_game(variant, seats, 1)
        for _, line in event.lines
        if event.kind == "score" and line.rule.startswith("end ")
    ]
    assert lines
    for line in lines:
        assert line.why.startswith("Unfinished "), line.why
    told = [event for event, _, _ in random_game(variant, seats, 1) if str(event.data.get("rule")).startswith("end ")]
    assert all("for the unfinished " in event.text for event in told)


def test_several_who_score_are_listed_as_one_says_it() -> None:
    state = wellies.game("marram").start(4)
    assert isinstance(state, MarramState)
    told: list[Event] = []
    award(state, [0, 1, 3], ScoreLine("blue", 9), "blue snake of 3 segments", "blue", told.append)
    assert told[0].text == "{0}, {1} and {3} score 9 points each for the blue snake of 3 segments."


def test_a_beastly_body_that_is_open_is_no_ring() -> None:
    assert beast_words(Chain((4,), (4, 6), ANY, 0, 0)) == "unfinished Beastly body of 1 segment"
    assert beast_words(Chain((4, 8), (4, 6), ANY, 0, 0)) == "unfinished Beastly body of 2 segments"
    assert beast_words(Chain((4, 8, 12, 16), (), ANY, 0, 0)) == "freak Beastly ring of 4 segments"


def test_one_hop_is_one_hop() -> None:
    state = wellies.game("marram").start(2, {"variant": "animals"})
    assert isinstance(state, MarramState)
    state.phase = FLY_GUESS
    state.fly = Animal(min(state.board.tiles), -1, 0, [0, 0])
    told: list[Event] = []
    spec = state.spec
    assert spec.move_words(state, 0, spec.parse_move(state, 0, "guess 1")) == "guess 1 hop"
    state.apply(0, spec.parse_move(state, 0, "guess 1"), told.append)
    assert told[0].text == "{0} guesses 1 hop for the fly."


def test_a_complete_blue_snake_that_stays_says_why() -> None:
    stayed = 0
    for number in range(8):
        for event, before, after in random_game("pitchfork", 2, number):
            if event.kind == "stay":
                stayed += 1
                assert set(after.kept) - set(before.kept)
                assert "stays" in event.text
                assert "blue head" in event.text
    assert stayed


def test_a_tile_that_loses_its_last_beast_is_told_of() -> None:
    freed = barred = 0
    for number in range(6):
        for event, before, after in random_game("pitchfork", 2, number):
            if event.kind not in ("bare", "barred"):
                continue
            flips = 1 if event.kind == "bare" else 0
            for place in event.data["where"]:
                cell = cell_at(*place)
                assert not after.board.tiles[cell].segments
                assert after.board.tiles[cell].flips == flips
                assert cell not in before.board.tiles or before.board.tiles[cell].segments
            freed += flips
            barred += 1 - flips
            says = without_notation(event.text)
            assert ("can be flipped now" if flips else "can never be flipped") in says
    assert freed
    assert barred


def test_every_tile_that_became_flippable_was_told_of() -> None:
    told: dict[int, list[list[int]]] = {}
    moments: dict[int, tuple[MarramState, MarramState]] = {}
    for event, before, after in random_game("pitchfork", 2, 1):
        moments[id(after)] = (before, after)
        told.setdefault(id(after), []).extend(event.data["where"] if event.kind == "bare" else [])
    for key, (before, after) in moments.items():
        fresh = [
            place_json(cell)
            for cell, tile in sorted(after.board.tiles.items())
            if tile.flips and cell in before.board.tiles and before.board.tiles[cell].flips == 0
        ]
        assert [place for place in sorted(told[key]) if cell_at(*place) in before.board.tiles] == sorted(fresh)
