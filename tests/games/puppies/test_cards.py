"""The card file: its texts, its checker, and corrected files."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE

import wellies
from wellies import BadMaterial, BadOption, BadPosition, Match, Record, Stream
from wellies.games.puppies.material_file import STANDARD_CARDS, load_material, own_file

SPEC = wellies.game("puppies")


def test_the_tricks_say_what_they_do() -> None:
    assert [STANDARD_CARDS.tricks[card].text for card in range(10)] == [
        "Bury a bone here, then upgrade one bone here twice.",
        "Bury N bones here.",
        "Upgrade up to N different bones here, once each.",
        "Each of my groups with fewer than N bones buries a bone.",
        "Move up to N bones from my other groups to here, then upgrade one bone here.",
        "Upgrade one bone here up to N times.",
        "Bury 2 bones here.",
        "Draw and play 2 pups, without their tricks.",
        "Bury N bones in my other groups, divided as I like.",
        "Upgrade one bone in each of up to N groups.",
    ]


def test_the_doggos_say_what_they_do() -> None:
    assert [STANDARD_CARDS.tricks[card].text for card in range(90, 100)] == [
        "Bury 3 bones here.",
        "Upgrade every bone here that shows 1.",
        "Each of my groups buries a bone.",
        "Upgrade one bone in each of my groups.",
        "Draw and play a pup, and use its trick.",
        "Upgrade one bone here twice.",
        "Move any number of bones from one other group to here.",
        "Draw and play 3 pups, without their tricks.",
        "Bury N bones here, then upgrade one bone here.",
        "Upgrade up to N different bones anywhere in my yard, once each.",
    ]


def test_the_bonuses_say_what_they_do() -> None:
    assert {breed.name: breed.text for breed in STANDARD_CARDS.breeds} == {
        "Pugs": "For every 2 pups here, upgrade a bone twice.",
        "Corgis": "If no group of mine has more pups, upgrade every bone once.",
        "Beagles": "For each other group with fewer bones, upgrade a bone twice.",
        "Dachshunds": "For each pup here, upgrade a bone once.",
        "Huskies": "For each Aussie I have, upgrade a bone twice.",
        "Pit Bulls": "Upgrade every bone that shows 1 twice.",
        "Labradors": "For every 2 bones here, upgrade a bone twice.",
        "Shibas": "If I have at most 3 groups, upgrade every bone once.",
        "Aussies": "For each breed in my yard, upgrade a bone once.",
    }


def test_the_table_lists_every_entry_with_its_source() -> None:
    rows = SPEC.card_table()
    assert [row["card"] for row in rows][:11] == [*(f"x{digit}" for digit in range(10)), "90"]
    assert len(rows) == 10 + 10 + 9
    assert all(list(row) == ["card", "kind", "name", "text", "source"] for row in rows)
    sources = {row["name"]: row["source"] for row in rows}
    assert sources["Proud"] == "rulebook (digit: reconstructed)"
    assert sources["Swift"] == "reconstructed"
    assert sources["Sleepy"] == "reconstructed"
    assert sources["Brave"] == "reconstructed (name: rulebook)"
    assert sources["Playful"] == "rulebook (how many pups: reconstructed)"
    assert {row["source"].split()[0] for row in rows} == {"rulebook", "reconstructed"}


def test_the_rules_list_the_cards_as_they_are() -> None:
    rules = SPEC.rules()
    for row in SPEC.card_table():
        assert f"| {row['card']} | {row['name']} | {row['text']} |" in rules


@pytest.mark.parametrize(("file", "kind"), [("tricks", "trick"), ("doggos", "Doggo"), ("bonuses", "breed")])
def test_every_entry_has_at_least_two_worked_examples(file: str, kind: str) -> None:
    examples = json.loads((HERE / "golden" / "puppies" / f"{file}.json").read_text(encoding="utf-8"))
    for row in SPEC.card_table():
        if row["kind"] == kind:
            assert sum(1 for example in examples if example["name"].startswith(row["name"])) >= 2, row["name"]


# --- corrected files --------------------------------------------------------------------------------------------------

HUNGRY = {
    "tricks": [
        {"digit": 6, "name": "Starving", "does": [{"do": "bury", "bones": 4, "where": "here"}], "source": "rulebook"}
    ]
}


def test_a_corrected_file_needs_only_the_entries_that_differ(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(HUNGRY), encoding="utf-8")
    for given in (HUNGRY, str(path), json.dumps(HUNGRY)):
        rows = SPEC.card_table(given)
        assert rows[6]["name"] == "Starving"
        assert rows[6]["text"] == "Bury 4 bones here."
        assert rows[1]["name"] == "Proud"
        options = SPEC.start(2, {"cards": given}).options
        assert len(options["cards"]["tricks"]) == 10
        assert SPEC.start(2, options).options == options


def test_a_game_with_corrected_cards_plays_by_them_and_its_record_stands_alone() -> None:
    match = Match(SPEC, seats=2, options={"cards": HUNGRY}, seed=5)
    rng = Stream(5)
    while match.state.active():
        seat = match.state.due()[0]
        moves = match.state.legal(seat)
        match.play_move(seat, moves[rng.randrange(len(moves))])
        again = SPEC.from_position(match.state.position())
        assert again.position() == match.state.position()
    text = str(match.record())
    assert str(Record.parse(text).replay().record()) == text
    assert "Starving" in text


def test_a_starving_pup_buries_four() -> None:
    state = SPEC.from_position(
        {
            "options": {"cards": HUNGRY},
            "final": True,
            "seats": [{}, {}],
            "turns": [{"seat": 0, "card": 66}, {"seat": 1, "card": 1}],
        }
    )
    for _ in range(4):
        state.apply(0, SPEC.parse_move(state, 0, "bury labradors"))
    assert state.scores() == [4, 0]
    assert state.active() == [1]


def test_renamed_breeds_are_written_so_in_moves() -> None:
    breed = copy.deepcopy(own_file("cards.json")["breeds"][4])
    breed["name"], breed["one"] = "Snow Dogs", "Snow Dog"
    state = SPEC.from_position(
        {
            "options": {"cards": {"breeds": [breed]}},
            "final": True,
            "seats": [{}, {}],
            "turns": [{"seat": 0, "card": 41}, {"seat": 1, "card": 1}],
        }
    )
    assert [SPEC.move_text(state, 0, move) for move in state.legal(0)] == ["stop", "bury snowdogs"]
    assert SPEC.parse_move(state, 0, "bury snow dogs") == state.legal(0)[1]


EVERY_VERB: list[tuple[dict[str, Any], str]] = [
    ({"do": "bury", "bones": 2, "where": "anywhere"}, "Bury 2 bones in any of my groups, divided as I like."),
    ({"do": "bury", "bones": 1, "where": "others"}, "Bury a bone in my other groups."),
    ({"do": "upgrade", "bones": 2, "times": 2, "where": "here"}, "Upgrade up to 2 different bones here, twice each."),
    ({"do": "upgrade", "bones": "every", "times": 1, "where": "others"}, "Upgrade every bone in my other groups."),
    (
        {"do": "upgrade", "bones": 3, "times": 1, "where": "anywhere", "showing": 5},
        "Upgrade up to 3 different bones anywhere in my yard that show 5, once each.",
    ),
    ({"do": "upgrade", "bones": 1, "times": 3, "where": "each"}, "Upgrade one bone in each of my groups three times."),
    ({"do": "move", "bones": 1, "from": "one other"}, "Move one bone from one other group to here."),
    ({"do": "draw", "pups": "N", "tricks": True}, "Draw and play N pups, and use their tricks."),
]


@pytest.mark.parametrize(("part", "text"), EVERY_VERB)
def test_all_that_a_file_can_say_has_a_text_and_can_be_played(part: dict[str, Any], text: str) -> None:
    tricks = [{"digit": digit, "name": "Odd", "does": [part], "source": "rulebook"} for digit in range(10)]
    assert load_material({"tricks": tricks}).tricks[0].text == text
    rng = Stream(text)
    for _ in range(3):
        state = SPEC.start(2, {"cards": {"tricks": tricks}})
        while state.active():
            seat = state.due()[0]
            moves = state.legal(seat)
            state.step(seat, moves[rng.randrange(len(moves))])
            assert SPEC.from_position(state.position()).position() == state.position()


def test_two_bones_twice_each_are_turned_one_after_the_other() -> None:
    tricks = [
        {
            "digit": 2,
            "name": "Bold",
            "does": [{"do": "upgrade", "bones": 2, "times": 2, "where": "here"}],
            "source": "rulebook",
        }
    ]
    state = SPEC.from_position(
        {
            "options": {"cards": {"tricks": tricks}},
            "final": True,
            "seats": [{"groups": [{"breed": "huskies", "pups": [41], "bones": [1, 1, 2]}]}, {}],
            "turns": [{"seat": 0, "card": 42}, {"seat": 1, "card": 1}],
        }
    )
    for text in ("up 1 huskies", "up 2 huskies", "up 2 huskies", "stop"):
        state.apply(0, SPEC.parse_move(state, 0, text))
    assert state.active() == [1]
    assert state.position()["seats"][0]["groups"][0]["bones"] == [1, 5, 5]


def changed(kind: str, index: int, *path: Any, to: Any) -> dict[str, Any]:
    """The standard file with one thing changed; `to` a missing value deletes it."""
    data = copy.deepcopy(own_file("cards.json"))
    place: Any = data[kind][index]
    for step in path[:-1]:
        place = place[step]
    if to is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return data


MISTAKES = [
    (
        changed("tricks", 4, "does", 0, "bones", to="M"),
        ["trick 4 (Crafty).does[0].bones must be a whole number from 1 to 20", "'M'", '"N", "any"'],
    ),
    (
        changed("tricks", 1, "does", 0, "do", to="burry"),
        ["trick 1 (Proud).does[0].do must be one of bury", "'burry'", 'Did you mean "bury"?'],
    ),
    (
        changed("tricks", 1, "does", 0, "do", to=KeyError),
        ["[0].do is missing; add one of bury, upgrade, move, draw"],
    ),
    (changed("tricks", 1, "does", 0, "where", to="there"), ["does[0].where must be one of here", "'there'"]),
    (changed("tricks", 1, "does", to=[]), ["trick 1 (Proud).does: must be a list of 1 to 5 steps"]),
    (changed("tricks", 1, "does", to=["bury"]), ["trick 1 (Proud).does[0] must be an object with do"]),
    (changed("tricks", 1, "digit", to=11), ["tricks[1].digit must be from 0 to 9, not 11"]),
    (changed("tricks", 1, "digit", to=2), ["2 is given twice; keep one"]),
    (changed("tricks", 1, "source", to="me"), ["source must be one of rulebook, reconstructed, not 'me'"]),
    (changed("tricks", 1, "name", to=7), ["trick 1.name must be a text of at most 20 characters, not 7"]),
    (changed("tricks", 1, "name", to="B0ld"), ["trick 1 (B0ld).name: 'B0ld' is not a name; write plain letters"]),
    (changed("tricks", 1, "note", to=7), ["trick 1 (Proud).note must be a text of at most 100 characters, not 7"]),
    (changed("tricks", 1, "colour", to="red"), ["trick 1 (Proud).colour is not a field; leave it out"]),
    (changed("tricks", 5, "does", 0, "times", to=4), ["trick 5 (Stubborn).does[0].times", "from 1 to 3", "not 4"]),
    (changed("tricks", 6, "does", 0, "bones", to=True), ["does[0].bones must be", "not true"]),
    (
        changed("tricks", 6, "does", 0, "fewer_than", to=2),
        ['fewer_than: does not go with "where": "here"; leave it'],
    ),
    (changed("tricks", 6, "does", 0, "where", to="each"), ['bones: 2 does not go with "where": "each"; write 1']),
    (changed("tricks", 2, "does", 0, "groups", to=2), ["does[0].groups: does not go with", "leave it out"]),
    (changed("tricks", 7, "does", 0, "tricks", to="no"), ["trick 7 (Playful).does[0].tricks must be true or false"]),
    (changed("doggos", 1, "does", 0, "showing", to=10), ["Doggo 91 (Fluffy).does[0].showing: must be 1, 2 or 5"]),
    (changed("doggos", 1, "card", to=89), ["doggos[1].card must be from 90 to 99, not 89"]),
    (changed("doggos", 1, "card", to=KeyError), ["doggos[1].card is missing; add a whole number from 90 to 99"]),
    (changed("breeds", 4, "bonus", "of", to="ozzies"), ["breed 4 (Huskies).bonus.of must be one of", "aussies"]),
    (changed("breeds", 4, "bonus", "each", to="pup"), ["bonus.each must be one of pup here"]),
    (changed("breeds", 4, "bonus", to=3), ["breed 4 (Huskies).bonus must be an object with if, groups"]),
    (changed("breeds", 5, "bonus", "per", to=2), ["bonus.per: does not go with", "leave it out"]),
    (changed("breeds", 7, "bonus", "groups", to=KeyError), ["bonus.groups is missing; add a whole number from 1 to 9"]),
    (changed("breeds", 0, "bonus", "groups", to=3), ["bonus.groups: does not go with"]),
    (changed("breeds", 0, "bonus", "of", to="pugs"), ["bonus.of: does not go with"]),
    (changed("breeds", 0, "bonus", "times", to="N"), ["bonus.times must be a whole number from 1 to 3, not 'N'"]),
    (changed("breeds", 0, "name", to="Corgis"), ["breed 1 (Corgis).name: 'Corgis' is taken"]),
    (changed("breeds", 0, "name", to="Doggos"), ["is taken"]),
    ({"trick": []}, ["trick is not a field", 'Did you mean "tricks"?']),
    ({"tricks": {}}, ["tricks must be a list, not an object"]),
    ({"tricks": [3]}, ["tricks[0] must be an object", "not 3"]),
    ([], ["the card file must be an object with about, extends, breeds", "not a list"]),
    (5, ["the card file must be an object", "not 5"]),
    ("no/such/file.json", ["there is no card file", "the name of a set of cards"]),
    ('{"tricks": [,]}', ["the card file is not JSON (line 1)"]),
]


@pytest.mark.parametrize(("data", "words"), MISTAKES)
def test_a_mistake_in_a_card_file_is_named_with_its_cure(data: Any, words: list[str]) -> None:
    with pytest.raises(BadMaterial) as caught:
        load_material(data)
    for word in words:
        assert word in str(caught.value)
    with pytest.raises(BadOption) as refused:
        SPEC.start(2, {"cards": data})
    assert str(caught.value) in str(refused.value)
    with pytest.raises(BadPosition):
        SPEC.from_position({"options": {"cards": data}})


def test_a_view_has_the_words_of_all_cards_but_the_usual_ones() -> None:
    assert "texts" not in Match("puppies", seats=2, seed=1).view_for(0)["extra"]
    first = Match("puppies", seats=2, seed=1, options={"cards": "standard"}).view_for(0)["extra"]["texts"]
    assert first["bonuses"] == [breed.text for breed in STANDARD_CARDS.breeds]
    cards = {"tricks": [{"digit": 1, "name": "Haughty", "does": [{"do": "bury", "bones": 3, "where": "here"}],
                         "source": "reconstructed"}]}  # fmt: skip
    texts = Match("puppies", seats=2, seed=1, options={"cards": cards}).view_for(0)["extra"]["texts"]
    assert texts["tricks"][1] == "Bury 3 bones here."
    assert texts["tricks"][0] == STANDARD_CARDS.tricks[0].text
    assert texts["doggos"] == [STANDARD_CARDS.tricks[card].text for card in range(90, 100)]
    assert texts["bonuses"] == [breed.text for breed in STANDARD_CARDS.breeds]
