"""What is the rulebooks' and what is ours: credits, ages and times as printed, and the source of cards."""

from __future__ import annotations

import re

import pytest

import wellies

PRINTED = {
    "aquarium": (["2 to 4 players", "The Dusty Tophat", "times are ours"], "20-30"),
    "guppies": (
        ["2 to 6 players", "90 to 120 minutes", "12 years", "Jared Bendis", "Zach James", "Granola Games"],
        "90-120",
    ),
    "marram": (["2 to 4 players", "from 8 years", "from 10", "15 to 25 minutes", "40 to 60"], "15-60"),
    "puppies": (
        ["2 to 5 players", "Chris Cieslik", "Cari Corene", "Amanda Coronado", "Asmadi Games", "times are ours"],
        "30-45",
    ),
    "umbradeco": (["2 to 4 players", "20 to 30 minutes", "8 years", "Emi Kuji", "Poko", "Kujiradama"], "20-30"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_credits_ages_and_times_are_those_printed(name: str) -> None:
    spec = wellies.game(name)
    head = " ".join(spec.rules().split("\n\n")[1].split())
    words, minutes = PRINTED[name]
    for each in words:
        assert each in head, head
    assert spec.minutes == minutes


@pytest.mark.parametrize("name", PRINTED)
def test_rulings_of_our_own_are_marked(name: str) -> None:
    rules = wellies.game(name).rules()
    ours = rules.partition("\n## Where the rulebook is silent\n")[2].partition("\n## ")[0]
    assert "These are our own rulings." in ours
    assert len(re.findall(r"^- ", ours, re.MULTILINE)) >= 3


SOURCES = {
    "puppies": {
        "Aussies": "reconstructed (name: rulebook; digit: rulebook)",
        "Huskies": "rulebook (digit: reconstructed)",
        "Pit Bulls": "reconstructed (name: rulebook; digit: reconstructed)",
        "Proud": "rulebook (digit: reconstructed)",
        "Friendly": "rulebook (name: reconstructed; digit: reconstructed)",
        "Playful": "rulebook (how many pups: reconstructed)",
        "Sleepy": "reconstructed",
    },
    "aquarium": {
        "Spaghetti Algae": "rulebook (the -1: reconstructed)",
        "Driftwood": "rulebook",
        "Anthias": "reconstructed",
    },
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_card_says_what_of_it_is_the_book_s(name: str) -> None:
    rows = {row["name"]: row["source"] for row in wellies.game(name).card_table() if row.get("name")}
    for card, source in SOURCES[name].items():
        assert rows[card] == source
