"""The cards: every one scores on hand-made grids, says in English what it scores, and can be corrected by a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wellies
from wellies import BadMaterial, BadOption
from wellies.games.aquarium.material_file import STANDARD_CARDS, load_material, read_cards
from wellies.games.aquarium.scoring import card_points, tank_lines, tank_points
from wellies.games.aquarium.tank_spaces import SPACE_NAMES

SPEC = wellies.game("aquarium")
GRIDS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "grids.json").read_text(encoding="utf-8"))
CARDS = STANDARD_CARDS

TEXTS = """\
Anthias: +1 per adjacent fish
Clown Goby: +2 if adjacent to a coral
Cardinalfish: +2 if beside a crustacean
Moray Eel: -2 per other Moray Eel in the aquarium
Seahorse: +1 per adjacent plant or coral
Triggerfish: -1 per crustacean in the aquarium
Brine Shrimp: +1 per fish above this row
Peppermint Shrimp: +1 per coral in the aquarium
Harlequin Shrimp: +4 if there is an Asterina Starfish in the aquarium
Hermit Crab: +1 per adjacent plant
Pink Gravel: +2 if directly below a plant
Rainbow Gravel: +1 per different type in this row
Neon Gravel: +2 if directly below a fish
Shell Gravel: +3 if directly below a crustacean
Cabbage Coral: +1 per other coral in the aquarium
Sun Coral: +2 if in the top row
Dented Brain Coral: +2 if directly above a gravel
Bubbly Water: +1 per adjacent fish
Bubble Jet: +1 per water above this row
Flowing Water: +1 per other water in this row
Skull Cave: +3 if adjacent to a Moray Eel
Sunken Ship: +1 per fish in this row
Driftwood: +1 per plant in the aquarium
Treasure Chest: +3 if there is a Diver in the aquarium
Diver: +1 per other decor in the aquarium
Manatee Grass: +1 per crustacean in this row
Spaghetti Algae: -1 per adjacent fish
Mermaid's Fan: +2 if directly above a gravel
Mangrove: +1 per water in the aquarium
Dragon's Tongue Algae: +1 per other plant in this column
Asterina Starfish: -1 per adjacent coral or plant"""

COUNTS = """\
4 Anthias, 4 Clown Goby, 4 Cardinalfish, 6 Moray Eel, 4 Seahorse, 4 Triggerfish, 2 Brine Shrimp, 2 Peppermint Shrimp,
2 Harlequin Shrimp, 2 Hermit Crab, 3 Pink Gravel, 3 Rainbow Gravel, 3 Neon Gravel, 4 Shell Gravel, 3 Cabbage Coral,
3 Sun Coral, 3 Dented Brain Coral, 4 Bubbly Water, 4 Bubble Jet, 4 Flowing Water, 2 Skull Cave, 2 Sunken Ship,
2 Driftwood, 2 Treasure Chest, 2 Diver, 3 Manatee Grass, 2 Spaghetti Algae, 2 Mermaid's Fan, 2 Mangrove,
3 Dragon's Tongue Algae, 2 Asterina Starfish"""


@pytest.mark.parametrize("example", GRIDS, ids=lambda e: f"{e['card']}@{e['space']}={e['points']}")
def test_a_card_scores_what_its_neighbours_make_of_it(example: dict[str, Any]) -> None:
    tank = [CARDS.ids[name] for row in example["grid"] for name in row]
    space = SPACE_NAMES.index(example["space"])
    assert CARDS.names[tank[space]] == example["card"]
    assert card_points(CARDS, tank)[space] == example["points"]
    lines = [line for line in tank_lines(CARDS, tank) if line.where[0] == example["space"]]
    assert sum(line.points for line in lines) == example["points"]


def test_every_card_is_tried_on_two_grids_with_different_points() -> None:
    for card in CARDS.cards:
        if not card.starter:
            assert len({grid["points"] for grid in GRIDS if grid["card"] == card.name}) >= 2, card.name


def test_every_card_says_in_english_what_it_scores() -> None:
    assert [f"{card.name}: {card.text()}" for card in CARDS.cards if not card.starter] == TEXTS.splitlines()


def test_the_box_has_the_cards_that_the_rulebook_counts() -> None:
    assert ", ".join(f"{c.copies} {c.name}" for c in CARDS.cards if not c.starter) == COUNTS.replace("\n", " ")
    assert sum(CARDS.in_deck) == 92
    assert [(c.name, c.copies, c.base) for c in CARDS.cards if c.starter] == [
        ("Water", 20, 1),
        ("Gravel", 12, 1),
        ("Clownfish", 4, 2),
    ]


def test_only_the_texts_of_the_scoring_example_are_the_rulebooks() -> None:
    book = {card.name for card in CARDS.cards if card.source == "rulebook"}
    assert book == {
        "Cardinalfish",
        "Hermit Crab",
        "Pink Gravel",
        "Driftwood",
        "Manatee Grass",
        "Spaghetti Algae",
    }


def test_a_bonus_line_names_the_spaces_that_caused_it() -> None:
    names = "Driftwood,Spaghetti Algae,Driftwood,Cardinalfish,Hermit Crab,Manatee Grass"
    names += ",Pink Gravel,Spaghetti Algae,Pink Gravel"
    lines = tank_lines(CARDS, [CARDS.ids[name] for name in names.split(",")])
    told = {(line.why, line.where[0]): line.where[1:] for line in lines if line.rule == "bonus"}
    assert told[("Driftwood: +1 per plant in the aquarium", "a1")] == ["b1", "c2", "b3"]
    assert told[("Cardinalfish: +2 if beside a crustacean", "a2")] == ["b2"]
    assert told[("Hermit Crab: +1 per adjacent plant", "b2")] == ["b1", "c2", "b3"]
    assert told[("Pink Gravel: +2 if directly below a plant", "c3")] == ["c2"]


@given(st.lists(st.integers(0, len(CARDS.names) - 1), min_size=9, max_size=9))
def test_lines_points_and_score_agree_on_any_tank(tank: list[int]) -> None:
    assert sum(line.points for line in tank_lines(CARDS, tank)) == tank_points(CARDS, tank)
    assert sum(card_points(CARDS, tank)) == tank_points(CARDS, tank)
    assert min(card_points(CARDS, tank)) >= 0


@given(st.lists(st.integers(0, len(CARDS.names) - 1), min_size=9, max_size=9))
def test_a_tank_and_its_mirror_are_worth_the_same(tank: list[int]) -> None:
    """No card knows left from right."""
    mirror = [tank[3 * row + 2 - column] for row in range(3) for column in range(3)]
    assert tank_points(CARDS, mirror) == tank_points(CARDS, tank)


def test_the_card_table_has_a_row_for_each_card_with_its_source() -> None:
    rows = SPEC.card_table()
    assert len(rows) == 34
    assert list(rows[0]) == ["name", "copies", "type", "base", "text", "source"]
    assert rows[3] == {
        "name": "Anthias",
        "copies": 4,
        "type": "fish",
        "base": 3,
        "text": "+1 per adjacent fish",
        "source": "reconstructed",
    }
    assert rows[0]["text"] == "starter card, no bonus"


# --- corrected card files ---------------------------------------------------------------------------------------------


def anthias(**changes: Any) -> dict[str, Any]:
    card = {"name": "Anthias", "copies": 4, "type": "fish", "base": 2, "bonuses": []}
    return {"extends": "standard", "cards": [{**card, **changes}]}


def bonus(**fields: Any) -> dict[str, Any]:
    return anthias(bonuses=[fields])


def test_a_corrected_card_changes_score_and_text_together() -> None:
    file = anthias(bonuses=[{"points": 3, "unless": "in a corner"}, {"points": -1, "per": "beside", "of": "water"}])
    grid = [["Water", "Anthias", "Water"], ["Water", "Clownfish", "Water"], ["Gravel", "Gravel", "Gravel"]]
    state = SPEC.from_position({"options": {"cards": file}, "seats": [{"grid": grid}]})
    assert [(line.rule, line.points) for line in state.score_lines(0)][1:4] == [
        ("base", 2),
        ("bonus", 3),
        ("bonus", -2),
    ]
    [row] = [row for row in SPEC.card_table(file) if row["name"] == "Anthias"]
    assert row["text"] == "+3 if not in a corner; -1 per water beside this card"
    assert row["source"] == "box"
    assert SPEC.card_table()[3]["source"] == "reconstructed", "the usual cards stay as they are"


def test_the_box_lists_every_card_with_its_text() -> None:
    box = {card["name"]: card for card in SPEC.box()}
    assert len(box) == 34
    assert box["Anthias"] == {
        "name": "Anthias",
        "type": "fish",
        "base": 3,
        "text": "+1 per adjacent fish",
        "copies": 4,
        "starter": False,
        "source": "reconstructed",
    }
    assert box["Water"]["text"] == ""


def test_a_view_of_corrected_cards_tells_all_their_texts() -> None:
    """A page can look up the usual cards; those of a file only the table knows."""
    file = anthias(bonuses=[{"points": 3, "unless": "in a corner"}])
    usual = SPEC.start(2).view(None)["extra"]["cards"]
    assert set(usual) == {"Water", "Gravel", "Clownfish"}
    told = SPEC.start(2, {"cards": file}).view(None)["extra"]["cards"]
    assert len(told) == 34
    assert told["Anthias"]["text"] == "+3 if not in a corner"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"points": 1, "if": "in this row", "of": "fish", "other": True}, "+1 if there is another fish in this row"),
        ({"points": 1, "unless": "in this column", "of": "coral"}, "+1 if there is no coral in this column"),
        ({"points": -3, "unless": "adjacent", "of": ["water", "Eel"]}, "-3 if not adjacent to a water or an Eel"),
        ({"points": 2, "per": "adjacent", "of": "different types"}, "+2 per adjacent different type"),
        ({"points": 2, "if": "in the centre"}, "+2 if in the centre"),
    ],
)
def test_other_words_of_the_vocabulary_read_well(fields: dict[str, Any], text: str) -> None:
    file = bonus(**fields)
    file["cards"].append({"name": "Eel", "copies": 1, "type": "fish", "base": 0})
    assert load_material(file).text(3) == text


@pytest.mark.parametrize(
    ("relation", "space", "spaces"),
    [
        ("below this row", "b2", "a3 b3 c3"),
        ("above this row", "b2", "a1 b1 c1"),
        ("in this column", "b2", "b1 b3"),
        ("in this row", "c3", "a3 b3"),
        ("beside", "a2", "b2"),
        ("adjacent", "a1", "b1 a2"),
    ],
)
def test_relations_mean_these_spaces(relation: str, space: str, spaces: str) -> None:
    cards = load_material(bonus(points=1, per=relation, of="water"))
    water = [cards.ids["Water"]] * 9
    water[SPACE_NAMES.index(space)] = cards.ids["Anthias"]
    [line] = [line for line in tank_lines(cards, water) if line.rule == "bonus"]
    assert line.where == [space, *spaces.split()]


def test_a_record_with_corrected_cards_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(anthias(base=7)), encoding="utf-8")
    match = wellies.Match(SPEC, 2, {"cards": str(path)}, seed=1)
    path.unlink()
    again = wellies.Record.parse(str(match.record())).replay()
    assert again.state.position() == match.state.position()
    assert {"name": "Anthias", "copies": 4, "type": "fish", "base": 7, "bonuses": [], "source": "box"} in (
        again.state.options["cards"]["cards"]
    )


def test_the_standard_cards_as_a_file_of_their_own_are_the_same_game() -> None:
    whole = CARDS.to_json()
    assert load_material(whole).to_json() == whole
    assert SPEC.start(2, {"cards": whole}).options["cards"] == whole
    assert SPEC.start(2, {"cards": "standard"}).options["cards"] == "standard"


WRONG: list[tuple[Any, str]] = [
    ([], "the card file must be an object with about, extends, cards, not a list"),
    ({"cards": []}, "cards: must be a list of cards; put at least one"),
    ({"crads": [1]}, 'not a field.*Did you mean "cards"'),
    ({"extends": "mine", "cards": [{}]}, "extends must be one of balanced, standard, not 'mine'"),
    ({"cards": [7]}, r"cards\[0\] must be an object"),
    ({"cards": [{"copies": 2}]}, r"cards\[0\].name is missing; give the card one"),
    ({"cards": [{"name": "Eel", "copies": 2, "type": "fish", "base": 1}]}, 'card "Water": .*no starter.*add it'),
    (anthias(name="A@b"), r"cards\[0\].name: a name begins with a letter"),
    (anthias(name="fish"), r"cards\[0\].name: 'fish' is a word for a type"),
    (anthias(colour="red"), 'card "Anthias".colour is not a field; leave it out, or use one of'),
    (anthias(bases=1), '"Anthias".bases is not a field.*Did you mean "base'),
    (anthias(copies="four"), "card \"Anthias\".copies must be a whole number from 0 to 99, not 'four'"),
    (anthias(copies=True), "copies must be a whole number"),
    (anthias(base=-1), "base must be from 0 to 99, not -1"),
    (anthias(type="fsih"), "type must be one of fish.* not 'fsih'.*Did you mean \"fish\""),
    (anthias(type=None), "type must be one of fish.*, not null"),
    (anthias(source="memory"), "source must be one of rulebook, reconstructed, box"),
    (anthias(starter=True), "starter: only Water, Gravel, Clownfish are starters; remove"),
    (anthias(starter="yes"), "starter must be true or false"),
    (anthias(bonuses={}), "bonuses must be a list"),
    (anthias(bonuses=["+1 per fish"]), r"bonuses\[0\] must be an object with points"),
    (bonus(points=1, per="adjcent", of="fish"), r'\[0\].per must be one of .*\'adjcent\'.*Did you mean "adjacent"'),
    (bonus(points=1, per="adjacent", of="fsh"), r'bonuses\[0\].of: \'fsh\' is neither .*Did you mean "fish"'),
    (bonus(points=1, per="adjacent"), r"bonuses\[0\].of is missing; say which cards count"),
    (bonus(points=1, per="adjacent", of=7), r"bonuses\[0\].of must be a type or a name"),
    (bonus(points=0, per="adjacent", of="fish"), r"bonuses\[0\].points: a bonus of 0"),
    (bonus(per="adjacent", of="fish"), r"bonuses\[0\].points is missing; add a whole number from -20 to 20"),
    (bonus(points=1, of="fish"), "exactly one of per, if and unless"),
    (bonus(points=1, per="beside", **{"if": "beside"}, of="fish"), "exactly one of per, if and unless"),
    (bonus(points=1, per="directly above", of="fish"), 'cannot be counted; write "if" for "per"'),
    (bonus(points=1, per="in the top row"), 'cannot be counted; write "if" for "per"'),
    (bonus(points=1, **{"if": "in the top row"}, of="fish"), "own place; leave of out"),
    (bonus(points=1, per="adjacent", of="fish", other=True), "leave other out"),
    (bonus(points=1, **{"if": "beside"}, of="different types"), 'goes with "per"'),
    (bonus(points=1, per="beside", of="fish", times=2), r"bonuses\[0\].times is not a field"),
    ({"extends": "standard", "cards": anthias()["cards"] * 2}, 'card "Anthias".name: .*twice; remove'),
    (
        {"extends": "standard", "cards": [{"name": "Water", "copies": 3, "type": "water", "base": 1, "starter": True}]},
        'card "Water".copies: four tanks begin with 20',
    ),
    (
        {
            "extends": "standard",
            "cards": [{"name": f"Fish {i}", "copies": 1, "type": "fish", "base": 1} for i in range(40)],
        },
        "room for 64; remove some",
    ),
]


@pytest.mark.parametrize(("file", "says"), WRONG, ids=[says[:40] for _, says in WRONG])
def test_a_mistake_in_a_card_file_is_named_with_its_cure(file: Any, says: str) -> None:
    with pytest.raises(BadMaterial, match=says) as caught:
        read_cards(file, {"balanced": CARDS.cards, "standard": CARDS.cards})
    if isinstance(file, dict):
        with pytest.raises(BadOption) as option:
            SPEC.start(2, {"cards": file})
        assert str(option.value) == str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"there is no card file 'nowhere\.json'"):
        SPEC.start(2, {"cards": "nowhere.json"})
    path = tmp_path / "cards.json"
    path.write_text('{"cards": [\n', encoding="utf-8")
    with pytest.raises(BadOption, match=r"is not JSON \(line 2\)"):
        SPEC.start(2, {"cards": str(path)})
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(BadOption, match="is not JSON"):
        SPEC.start(2, {"cards": str(path)})
    path.write_text(" " * 300_000, encoding="utf-8")
    with pytest.raises(BadOption, match="too large"):
        SPEC.start(2, {"cards": str(path)})
    with pytest.raises(BadOption, match="option cards: 7 is not allowed"):
        SPEC.start(2, {"cards": 7})


def test_a_deck_too_small_for_the_table_is_refused() -> None:
    """Without the 6 Moray Eels there are 86 cards: enough for three (75), not for four (92)."""
    eels = {"name": "Moray Eel", "copies": 0, "type": "fish", "base": 5}
    file = {"extends": "standard", "cards": [eels]}
    assert SPEC.start(3, {"cards": file}).position()["deck"] == 86
    with pytest.raises(BadOption, match="86 cards, and a game of 4 can need 92; add 6 copies"):
        SPEC.start(4, {"cards": file})
