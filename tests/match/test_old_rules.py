"""Games of an earlier rules version go on with the cards that they began with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE

import wellies
from wellies import Record
from wellies.table import Clock, Seat, Setup, new_table

GOLDEN = HERE / "golden"
OLD = sorted(GOLDEN.glob("aquarium/*.wellies")) + sorted(GOLDEN.glob("puppies/*.wellies"))
CARD_GAMES = ["aquarium", "puppies"]


def _texts(game: str, cards: object) -> dict[str, str]:
    return {row["name"]: f"{row.get('base', '')} {row['text']}" for row in wellies.game(game).card_table(cards)}


@pytest.mark.parametrize("game", CARD_GAMES)
def test_a_new_game_is_of_the_new_version_with_the_balanced_cards(game: str) -> None:
    match = wellies.Match(game, seed=1)
    assert match.state.options["cards"] == "balanced"
    assert match.record().rules_version == wellies.game(game).rules_version == 2
    assert _texts(game, None) == _texts(game, "balanced") != _texts(game, "standard")


@pytest.mark.parametrize("game", CARD_GAMES)
def test_what_the_rulebook_prints_is_the_same_in_both_sets(game: str) -> None:
    new, old = (wellies.game(game).card_table(cards) for cards in ("balanced", "standard"))
    assert [row["name"] for row in new] == [row["name"] for row in old]
    assert [row for row in new if row["source"].startswith("rulebook")] == [
        row for row in old if row["source"].startswith("rulebook")
    ]
    if game == "aquarium":
        assert [(row["copies"], row["type"]) for row in new] == [(row["copies"], row["type"]) for row in old]


@pytest.mark.parametrize("path", [path for path in OLD if "Rules: 1\n" in path.read_text(encoding="utf-8")], ids=str)
def test_an_old_record_replays_with_its_cards_and_stays_of_its_version(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    match = Record.parse(text).replay()
    assert str(match.record()) == text


@pytest.mark.parametrize("game", CARD_GAMES)
def test_an_old_record_that_names_no_cards_means_those_of_its_time(game: str) -> None:
    path = GOLDEN / game / "two-greedy.wellies"
    text = path.read_text(encoding="utf-8")
    bare = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("Options:"))
    assert bare != text
    assert str(Record.parse(bare).replay().record()) == text
    new = Record.parse(bare.replace("Rules: 1", "Rules: 2"))
    assert new.start().options["cards"] == "balanced"


def test_a_record_of_rules_to_come_is_refused() -> None:
    text = (GOLDEN / "aquarium" / "two-greedy.wellies").read_text(encoding="utf-8").replace("Rules: 1", "Rules: 3")
    with pytest.raises(
        wellies.BadRecord, match="rules version 3 of Ultimate Aquarium, and this program plays version 2"
    ):
        Record.parse(text).replay()


@pytest.mark.parametrize("game", CARD_GAMES)
def test_a_position_that_names_no_cards_means_the_first_ones(game: str) -> None:
    spec = wellies.game(game)
    old = spec.start(2, {"cards": "standard"}).position()
    bare = {name: value for name, value in old.items() if name != "options"}
    assert spec.from_position(bare).position() == old
    new = spec.start(2).position()
    assert new["options"]["cards"] == "balanced"
    assert spec.from_position(new).position() == new


@pytest.mark.parametrize("game", CARD_GAMES)
@pytest.mark.parametrize("named", [True, False])
def test_a_stored_table_goes_on_with_the_cards_that_it_began_with(game: str, named: bool) -> None:
    """The options as tables have stored them: with the standard cards by name, or left out by a record."""
    record = Record.parse((GOLDEN / game / "two-greedy.wellies").read_text(encoding="utf-8"))
    options: dict[str, Any] = record.options if named else {}
    seats = [Seat("person", "", "Ann"), Seat("person", "", "Ben")]
    setup = Setup(game, options, seats, False, Clock(), "", "", True, record.moves, None)
    table = new_table(setup, seed=bytes.fromhex(record.seed), imported=True)
    table.begin(table.created)
    assert table.match is not None
    assert table.match.state.options == record.options
    told = table.match.record()
    assert (told.result, told.rules_version, told.moves) == (record.result, 1, record.moves)


@pytest.mark.parametrize("name", ["balanced", "standard"])
def test_a_card_file_may_extend_either_set(name: str) -> None:
    spec = wellies.game("aquarium")
    water = {"name": "Water", "copies": 20, "type": "water", "base": 3, "starter": True, "bonuses": []}
    mine = spec.card_table({"extends": name, "cards": [water]})
    assert [row for row in mine if row["name"] != "Water"] == [
        row for row in spec.card_table(name) if row["name"] != "Water"
    ]
    spec = wellies.game("puppies")
    sleepy = {"digit": 0, "name": "Dozy", "does": [{"do": "bury", "bones": 1, "where": "here"}], "source": "rulebook"}
    assert spec.card_table({"extends": name, "tricks": [sleepy]})[1:] == spec.card_table(name)[1:]
    before = json.dumps(spec.card_table("standard")[1:])
    assert json.dumps(spec.card_table({"tricks": [sleepy]})[1:]) == before  # as files meant that named none
