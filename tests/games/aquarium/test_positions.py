"""Positions of Ultimate Aquarium: what may be left out, and how mistakes are named."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import CHANCE, BadPosition, Stream
from wellies.games.aquarium.state import AquariumState

SPEC = wellies.game("aquarium")
HAND = ["Anthias", "Clown Goby", "Sun Coral", "Moray Eel", "Mangrove"]
OTHER = ["Anthias", "Seahorse", "Bubble Jet", "Moray Eel", "Driftwood"]
EELS = [["Moray Eel"] * 3] * 3


def test_the_example_of_the_format_can_be_set_up() -> None:
    grid = [["Water", "Water", "Water"], ["Water", "Clownfish", "Water"], ["Gravel", "Gravel", "Gravel"]]
    state = SPEC.from_position(
        {
            "game": "aquarium",
            "round": 3,
            "first": 1,
            "to_move": 1,
            "store": ["Seahorse", "Driftwood"],
            "seats": [{"grid": grid, "net": True, "restock": False}],
            "deck": 40,
        }
    )
    assert state.seats == 2
    assert state.due() == [1]
    assert state.position()["deck"] == 40


@pytest.mark.parametrize(
    ("position", "phase", "active"),
    [
        ({}, "token", [CHANCE]),
        ({"first": 1}, "deal", [CHANCE]),
        ({"seats": [{"hand": HAND}, {}]}, "deal", [CHANCE]),
        ({"seats": [{"hand": HAND}, {"hand": OTHER}]}, "setup", [0, 1]),
        (
            {"seats": [{"hand": HAND[:3], "placed": {"a1": "Moray Eel", "b2": "Mangrove"}}, {"hand": OTHER}]},
            "setup",
            [0, 1],
        ),
        ({"seats": [{"hand": HAND[:2], "placed": 3}, {"hand": OTHER}]}, "setup", [1]),
        ({"round": 1}, "stock", [CHANCE]),
        ({"store": ["Anthias"]}, "turn", [0, 1]),
        ({"phase": "nets", "round": 8}, "nets", [0, 1]),
        ({"phase": "over", "round": 8}, "over", []),
    ],
)
def test_the_phase_follows_from_what_is_given(position: dict[str, Any], phase: str, active: list[int]) -> None:
    state = SPEC.from_position(position)
    assert state.position()["phase"] == phase
    assert state.active() == active
    assert SPEC.from_position(state.position()).position() == state.position()


def test_a_deck_smaller_than_what_is_left_hides_which_cards_are_lost() -> None:
    state = SPEC.from_position({"round": 8, "deck": 3})
    assert sum(state.weight(move) for move in state.legal(CHANCE)) == 92
    for _ in range(3):
        state.apply(CHANCE, state.chance(Stream(2)))
    assert state.due() == [0]
    assert state.position()["deck"] == 0


def test_the_deck_is_what_is_nowhere_else() -> None:
    state = SPEC.from_position(
        {
            "phase": "stock",
            "round": 2,
            "store": ["Moray Eel"],
            "discards": ["Moray Eel"],
            "seats": [{"aside": ["Moray Eel", "?"]}, {"aside": ["?", "?"]}],
        }
    )
    assert isinstance(state, AquariumState)
    assert state.deck[state.cards.ids["Moray Eel"]] == 3
    assert state.deck_size == 92 - 3 - 3


def test_more_cards_than_exist_pass_without_the_check_and_stay_so() -> None:
    state = SPEC.from_position({"round": 2, "seats": [{"grid": EELS}], "check": False})
    assert state.scores() == [0, 10]
    assert state.position()["check"] is False
    assert SPEC.from_position(state.position()).position() == state.position()


def seat(**fields: Any) -> dict[str, Any]:
    return {"seats": [fields, {}]}


def both(phase: str, **fields: Any) -> dict[str, Any]:
    return {"phase": phase, "seats": [fields, fields]}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"sore": []}, 'sore is not a field.*Did you mean "store"'),
    ({"game": "guppies"}, "of the game 'guppies'"),
    ({"seats": 3}, "seats must be a list"),
    ({"seats": [{}] * 5}, "for 2 to 4 seats, not 5"),
    ({"seats": [7]}, r"seats\[0\] must be an object"),
    ({"options": []}, "options must be name-value pairs"),
    ({"options": {"cards": "nowhere.json"}}, "never names a file"),
    ({"phase": "lunch"}, "phase must be one of token"),
    ({"round": 9, "store": ["Anthias"]}, "round must be from 1 to 8, not 9"),
    ({"phase": "setup", "round": 1}, "round must be from 0 to 0"),
    ({"first": 2}, "first must be from 0 to 1"),
    ({"phase": "token", "first": 0}, "nobody has the fish token"),
    ({"store": ["Anthia"]}, r'store\[0\]: \'Anthia\' is not the name.*Did you mean "Anthias"'),
    ({"store": ["?"]}, r"store\[0\]: '\?' is not the name"),
    ({"store": ["Anthias", "Clown Goby"] * 3}, "6 cards are too many; it holds 5 at 2 seats"),
    ({"store": ["Anthias"] * 5}, "5 cards Anthias here, and only 4 in the box"),
    (seat(grid=EELS), "9 cards Moray Eel here, and only 6"),
    (seat(grid=[["Water"] * 3] * 2), r"seats\[0\].grid must be three rows of three"),
    (seat(grid=[["Water"] * 3, ["Water"] * 3, ["Water", "Wader", "Water"]]), r"grid\[2\]\[1\]: 'Wader'"),
    (seat(net=1), r"seats\[0\].net must be true or false"),
    (seat(nets=True), r'seats\[0\].nets is not a field.*Did you mean "net"'),
    (seat(hand=[*HAND, "Anthias"]), "has 6 cards; there are at most 5"),
    (seat(hand=["Water"]), "Water is a starter, and starters are not dealt"),
    ({"seats": [{"hand": HAND[:3]}, {"hand": HAND[:1]}]}, "seat by seat, five cards to each"),
    ({"phase": "deal", "seats": [{"hand": HAND}, {"hand": OTHER}]}, 'the phase is "setup"'),
    ({"first": 0, "deck": 9}, "10 cards are still to be dealt, and it has 9"),
    (both("setup", hand=HAND[:4]), "together must be 5 cards in the set-up, not 4"),
    ({"seats": [{"hand": HAND[:2], "placed": 3}, {"hand": OTHER[:2], "placed": 3}]}, "the set-up is over"),
    (seat(hand=HAND, placed=4), "placed must be from 0 to 3"),
    (seat(hand=HAND[1:], placed={"d4": "Anthias"}), "'d4' is not a space"),
    (seat(hand=HAND[1:], placed={"a1": "Gravel"}), "starters are not dealt"),
    (seat(hand=HAND[4:], placed={f"a{i}": HAND[i] for i in (1, 2, 3)} | {"b1": "Anthias"}), "only 3 are kept"),
    (
        {"seats": [{"grid": EELS, "hand": HAND[:4], "placed": {"a1": "Moray Eel"}}, {"hand": OTHER}], "check": False},
        "never replaces one of its own name",
    ),
    ({"round": 1, "seats": [{"hand": HAND}]}, 'phases "deal" and "setup" only'),
    ({"round": 1, "seats": [{"placed": 1}]}, 'in the phase "setup" only'),
    ({"first": 0, "seats": [{"aside": ["Anthias"]}]}, "aside: cards are set aside when the set-up is over"),
    ({"phase": "over", "round": 8, "store": ["Anthias"]}, 'no store in the phase "over"'),
    ({"phase": "turn", "round": 1}, "someone is to take a card, and it is empty"),
    ({"phase": "stock", "round": 1, "store": OTHER}, 'it is full, so the phase is "turn"'),
    ({"round": 1, "deck": 0}, "deck: it is empty"),
    ({"round": 1, "deck": 93}, "deck must be from 0 to 92"),
    ({"store": OTHER, "deck": 88}, "88 cards cannot be in it; only 87 are not elsewhere"),
    ({"store": ["Water"], "seats": [{"grid": [["Water"] * 3] * 3}]}, "nine cards of one name"),
    ({"round": 1, "discards": ["Water"]}, "discarded starters are not kept count of"),
    ({"phase": "nets", "round": 8, "seats": [{"net": False}, {"net": False}]}, 'so the phase is "over"'),
    ({"phase": "nets", "round": 8, "seats": [{"answer": "a1"}, {}]}, r'answer must be like "net a1 b2"'),
    ({"phase": "nets", "round": 8, "seats": [{"answer": "net a1 b1"}, {}]}, "same name changes nothing"),
    ({"phase": "nets", "round": 8, "seats": [{"answer": "?", "net": False}, {}]}, "only seats with a net"),
    ({"store": ["Anthias"], "seats": [{"answer": "keep net"}]}, "only seats with a net"),
]


@pytest.mark.parametrize(("position", "says"), WRONG, ids=[says[:45] for _, says in WRONG])
def test_a_position_that_cannot_be_is_refused_by_name(position: dict[str, Any], says: str) -> None:
    with pytest.raises(BadPosition, match=says):
        SPEC.from_position(position)


def test_unseen_cards_need_cards_that_they_could_be() -> None:
    used = [name for name in SPEC.card_table() if name["text"] != "starter card, no bonus"]
    discards = [row["name"] for row in used for _ in range(int(row["copies"]))]
    with pytest.raises(BadPosition, match="1 unseen cards here, and only 0"):
        SPEC.from_position({"phase": "nets", "round": 8, "discards": discards, "seats": [{"aside": ["?"]}]})
