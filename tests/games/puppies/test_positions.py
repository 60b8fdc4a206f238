"""Positions: what may be left out, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import CHANCE, BadPosition, Stream

SPEC = wellies.game("puppies")


def test_nothing_given_is_the_start_of_a_game_for_two() -> None:
    old = {"cards": "standard"}
    assert SPEC.from_position({}).position() == SPEC.start(2, old).position()
    assert SPEC.from_position({"seats": [{}] * 4}).position() == SPEC.start(4, old).position()


def test_the_position_of_the_handbook_can_be_set_up() -> None:
    state = SPEC.from_position(
        {
            "game": "puppies",
            "round": 4,
            "park": [12, 45, 90],
            "deck": 20,
            "box": 55,
            "seats": [
                {
                    "hand": [83, 41, 7],
                    "chosen": None,
                    "groups": [{"breed": "aussies", "pups": [81, 92], "bones": [1, 1, 5]}],
                },
                {"hand": [1, 2, 3]},
            ],
        }
    )
    assert state.active() == [0, 1]
    assert state.scores() == [7, 0]
    assert state.position()["seats"][0]["hand"] == [7, 41, 83]


def test_deck_and_box_are_counted_when_left_out() -> None:
    seats = [{"hand": [1, 2, 3], "groups": [{"breed": "pugs", "pups": [4], "bones": [1, 2]}]}, {"hand": [5, 6, 7]}]
    position = SPEC.from_position({"park": [12, 45, 90], "seats": seats}).position()
    # 100 cards: 6 in hands, 1 pup, 3 in the park, 2 buried; 55 in the box.
    assert (position["deck"], position["box"]) == (33, 55)
    position = SPEC.from_position({"park": [12, 45, 90], "seats": seats, "deck": 60}).position()
    assert (position["deck"], position["box"]) == (60, 28)


@pytest.mark.parametrize(
    ("position", "phase", "active"),
    [
        ({"seats": [{}, {"hand": [1]}]}, "deal", [CHANCE]),
        ({"seats": [{"hand": [2]}, {"hand": [1]}]}, "park", [CHANCE]),
        ({"seats": [{"hand": [2]}, {"hand": [1]}], "final": True}, "choose", [0, 1]),
        ({"final": True, "turns": [{"seat": 1, "card": 11}]}, "trick", [1]),
    ],
)
def test_a_phase_left_out_is_the_one_that_fits(position: dict[str, Any], phase: str, active: list[int]) -> None:
    state = SPEC.from_position(position)
    assert state.position()["phase"] == phase
    assert state.active() == active


FULL = {"park": [12, 45, 60], "seats": [{"hand": [7, 8, 31]}, {"hand": [9, 10, 66]}]}
TRICK: dict[str, Any] = {
    "final": True,
    "phase": "trick",
    "turns": [{"seat": 0, "card": 41}],
    "seats": [{"groups": [{"breed": "huskies", "pups": [40, 41], "bones": [1]}]}, {}],
    "tricks": [{"card": 41, "here": "huskies"}],
}


def seat(**fields: Any) -> dict[str, Any]:
    return {"final": True, "phase": "over", "seats": [fields, {}]}


def group(**fields: Any) -> dict[str, Any]:
    return seat(groups=[{"breed": "huskies", "pups": [40], **fields}])


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"seats": [{}]}, "2 to 5 entries, not 1"),
        ({"seats": [{}] * 6}, "2 to 5 entries"),
        ({"parc": []}, "parc is not a field"),
        ({"round": 0}, "round must be from 1"),
        ({"park": [100]}, "park[0] must be from 0 to 99"),
        ({"phase": "lunch"}, "phase must be one of"),
        ({"options": {"strategic": True}, "seats": [{}] * 3}, "option strategic"),
        ({"options": {"colour": 1}}, "no option 'colour'"),
        (seat(hand=[1, 2, 3, 4]), "at most 3"),
        (seat(hand=[1, "x"]), "hand[1] must be a whole number"),
        (seat(hand=[1], open=[2]), "open names 2"),
        (seat(hand=[1], chosen=1), 'goes with the phase "choose" only'),
        ({**FULL, "seats": [{"hand": [7, 8, 31], "chosen": 9}, {"hand": [9, 10, 66]}]}, "not in the hand"),
        ({**FULL, "seats": [{"hand": [7, 8], "chosen": [7, 8]}, {"hand": [9, 10]}]}, "a seat chooses 1"),
        ({**FULL, "seats": [{"hand": [7], "chosen": 7}, {"hand": [9], "chosen": 9}]}, "everyone has chosen"),
        ({**FULL, "phase": "reveal"}, 'phase "reveal" is for'),
        ({**FULL, "park": [12]}, "park has 1 cards; when all choose it has 3"),
        ({**FULL, "park": [1, 2, 3, 4]}, "it holds 3"),
        ({**FULL, "final": True}, "empty in the final round"),
        ({**FULL, "park": [12, 45, 66]}, "66 Hungry Labrador is in two places"),
        ({**FULL, "deck": 92}, "more than the 91 cards left"),
        ({**FULL, "check": 1}, "check must be true or false"),
        ({**FULL, "turns": [{"seat": 0, "card": 50}], "phase": "choose"}, "leave turns out"),
        (group(breed="poodles"), "breed must be one of"),
        (seat(groups=[{"pups": [40]}]), "breed is missing"),
        (group(pups=[]), "at least one pup"),
        (group(pups=[51]), "51 Proud Pit Bull is not of this group; huskies takes cards 40 to 49 and Doggos"),
        (group(pups=[92]), 'the group is "doggos"'),
        (group(breed="doggos"), "has Doggos only"),
        (group(bones=[3]), "a bone is worth 1, 2, 5 or 10"),
        (seat(groups=[{"breed": "pugs", "pups": [1]}, {"breed": "pugs", "pups": [2]}]), "given twice"),
        (seat(groups=[{"breed": "pugs", "pups": [1]}, {"breed": "doggos", "pups": [92]}]), "only group of its yard"),
        ({"phase": "over"}, "set final to true"),
        ({"phase": "park", "final": True}, "not filled in the final round"),
        ({"phase": "park"}, "too few cards for the next choice"),
        ({**FULL, "phase": "park"}, 'phase "park" is over'),
        ({**FULL, "phase": "deal"}, 'phase "deal" is over'),
        ({**FULL, "park": [], "phase": "park", "deck": 2}, "cannot fill the park"),
        ({"final": True, "turns": [{"seat": 0}]}, "turns[0].card is missing"),
        ({"final": True, "turns": [{"seat": 0, "card": 1}, {"seat": 1, "card": 2}]}, "highest card to the lowest"),
        ({"final": True, "turns": [{"seat": 0, "card": 5}, {"seat": 0, "card": 2}]}, "more than 1 in a round"),
        ({"turns": [{"seat": 0, "card": 5}]}, "park has 0 cards, and 1 are still to be taken"),
        ({"final": True, "phase": "take", "turns": [{"seat": 0, "card": 5}]}, "two cards or more"),
        ({"final": True, "phase": "trick"}, "needs turns"),
        ({"final": True, "phase": "trick", "turns": [{"seat": 0, "card": 5}]}, "needs tricks"),
        ({"final": True, "phase": "join", "turns": [{"seat": 0, "card": 95}]}, "needs pup"),
        ({"final": True, "phase": "join", "pup": 95, "turns": [{"seat": 0, "card": 95}]}, "no choice of groups"),
        ({**TRICK, "turns": []}, "tricks need turns"),
        ({**TRICK, "turns": [{"seat": 0, "card": 50}]}, "must be in the yard"),
        ({**TRICK, "tricks": [{"card": 41}]}, "tricks[0].here is missing"),
        ({**TRICK, "tricks": [{"card": 41, "here": "pugs"}]}, "has no group 'pugs'"),
        ({**TRICK, "tricks": [{"card": 42, "here": "huskies"}]}, "is not in that group"),
        ({**TRICK, "tricks": [{"card": 41, "here": "huskies", "part": 1}]}, "part must be from 0 to 0"),
        ({**TRICK, "tricks": [{"card": 41, "here": "huskies", "done": 2}]}, "nothing to decide"),
        ({**TRICK, "tricks": [{"card": 41, "here": "huskies", "bone": {"group": "huskies", "value": 1}}]}, "no bone"),
        (
            {**TRICK, "tricks": [{"card": 41, "here": "huskies", "touched": [{"group": "huskies", "value": 5}]}]},
            "worth 5",
        ),
        ({**TRICK, "deck": 0, "box": 0}, "lost; leave it out"),
        ({**TRICK, "phase": "draw"}, "draws pups"),
        ({**TRICK, "pup": 95}, "leave pup out"),
    ],
)
def test_what_is_wrong_with_a_position_is_named(position: dict[str, Any], words: str) -> None:
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(position)
    assert words in str(caught.value)


def test_without_checks_a_card_may_lie_in_two_places() -> None:
    state = SPEC.from_position({**FULL, "park": [12, 45, 66], "check": False})
    assert state.position()["check"] is False
    assert SPEC.from_position(state.position()).position() == state.position()
    rng = Stream(1)
    while state.active():
        seat = state.due()[0]
        moves = state.legal(seat)
        state.step(seat, moves[rng.randrange(len(moves))])


def test_a_trick_part_way_is_kept_in_full() -> None:
    state = SPEC.from_position(
        {
            "final": True,
            "turns": [{"seat": 0, "card": 45}, {"seat": 1, "card": 1}],
            "seats": [{"groups": [{"breed": "huskies", "pups": [40, 41], "bones": [1, 2]}]}, {}],
        }
    )
    state.apply(0, SPEC.parse_move(state, 0, "up 1 huskies"))
    frame = state.position()["tricks"][0]
    assert frame == {
        "card": 45,
        "here": "huskies",
        "n": 3,
        "part": 0,
        "done": 0,
        "bone": {"group": "huskies", "value": 2},
        "turned": 1,
    }
    again = SPEC.from_position(state.position())
    assert again.position() == state.position()
    assert again.legal(0) == state.legal(0)
