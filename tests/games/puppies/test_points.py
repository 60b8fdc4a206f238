"""Bonuses at their best, the rule of thumb of the greedy bot, and the drawing."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import wellies
from wellies import CHANCE, Stream
from wellies.games.puppies.material_file import STANDARD_CARDS
from wellies.games.puppies.scoring import all_bonuses, bonus_bones, bonus_points
from wellies.games.puppies.yard import Yard

SPEC = wellies.game("puppies")
STEPS = [1, 2, 5, 10]


def turned(value: int, times: int) -> int:
    return STEPS[min(STEPS.index(value) + times, 3)]


def yard_of(groups: dict[int, tuple[int, list[int]]]) -> Yard:
    yard = Yard()
    for breed, (pups, bones) in groups.items():
        for number in range(pups):
            yard.add(breed * 10 + number, breed)
        for value in bones:
            yard.bury(breed)
            for level in range(STEPS.index(value)):
                yard.upgrade(breed * 4 + level)
    return yard


bones = st.lists(st.sampled_from(STEPS), max_size=6)
yards = st.dictionaries(st.integers(0, 8), st.tuples(st.integers(1, 6), bones), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(yards)
def test_no_other_choice_of_bones_would_bring_more(groups: dict[int, tuple[int, list[int]]]) -> None:
    yard = yard_of(groups)
    assert yard.value == sum(sum(values) for _, values in groups.values())
    total = 0
    for breed, (_, values) in groups.items():
        bonus = STANDARD_CARDS.breeds[breed].bonus
        allowed = [value for value in values if bonus.showing < 0 or STEPS.index(value) == bonus.showing]
        number = min(bonus_bones(bonus, yard, breed), len(allowed))
        best = max(sum(turned(value, bonus.times) - value for value in some) for some in combinations(allowed, number))
        assert bonus_points(STANDARD_CARDS, yard, breed) == best
        total += best
    assert all_bonuses(STANDARD_CARDS, yard) == total


def test_the_log_names_the_bones_of_a_bonus() -> None:
    state = SPEC.from_position(
        {
            "final": True,
            "phase": "over",
            "seats": [{"groups": [{"breed": "pugs", "pups": [2, 3, 4, 5], "bones": [1, 2, 5]}]}, {}],
        }
    )
    line = state.score_lines(0)[1]
    # Two bones twice: 2 to 10 and 5 to 10.
    assert (line.rule, line.points, line.where, line.why) == (
        "bonus pugs",
        13,
        ["pugs"],
        "Pugs: 2 becomes 10, 5 becomes 10",
    )
    assert state.view(None)["extra"]["bonuses"][0] == [{"breed": "pugs", "points": 13, "bones": [[2, 10], [5, 10]]}]


def test_greedy_players_leave_random_ones_far_behind() -> None:
    totals = [0, 0]
    for seed in range(4):
        state = SPEC.start(2)
        rng = Stream(seed)
        while state.active():
            seat = state.due()[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            name = "greedy" if seat == seed % 2 else "random"
            state.step(seat, wellies.bot(name).choose(state, seat, rng))
        totals[0] += state.scores()[seed % 2]
        totals[1] += state.scores()[1 - seed % 2]
    assert totals[0] > 1.5 * totals[1]


def test_greedy_uses_its_tricks() -> None:
    state = SPEC.from_position(
        {
            "final": True,
            "turns": [{"seat": 0, "card": 51}, {"seat": 1, "card": 1}],
            "seats": [{"groups": [{"breed": "pitbulls", "pups": [52, 53]}]}, {}],
        }
    )
    rng = Stream(1)
    for _ in range(3):
        assert SPEC.move_text(state, 0, wellies.bot("greedy").choose(state, 0, rng)) == "bury pitbulls"
        state.apply(0, SPEC.parse_move(state, 0, "bury pitbulls"))


def drawing(position: dict[str, Any], viewer: int | None, marks: dict[Any, str] | None = None) -> str:
    return SPEC.draw(SPEC.from_position(position).view(viewer), marks).plain()


TABLE: dict[str, Any] = {
    "park": [12, 45, 60],
    "seats": [
        {"hand": [7, 8, 31], "groups": [{"breed": "huskies", "pups": [41, 92], "bones": [1, 5]}]},
        {"hand": [9, 10, 66], "open": [66]},
    ],
}


def test_the_drawing_shows_park_yards_and_the_own_hand_with_its_tricks() -> None:
    text = drawing(TABLE, 0)
    for part in ("12  Brave Corgi", "Upgrade one bone here up to N times.", "Huskies", "41 92", "6 points", "31"):
        assert part in text
    assert "Proud Dachshund" in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_drawing_hides_the_hands_of_others() -> None:
    text = drawing(TABLE, 1)
    assert "Playful Pug" not in text
    assert "3 in hand, taken openly: 66" in text
    assert "Swift Pug" not in drawing(TABLE, None)


def test_the_drawing_shows_marks_and_what_is_asked() -> None:
    position = {
        "final": True,
        "turns": [{"seat": 0, "card": 51}, {"seat": 1, "card": 1}],
        "seats": [{"groups": [{"breed": "pitbulls", "pups": [52, 53]}]}, {}],
    }
    text = drawing(position, 0, {"pitbulls": "#1"})
    assert "bury N bones here (N = 3, done: 0)" in text
    assert "\n#1   Pit Bulls" in text
