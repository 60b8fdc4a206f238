"""The reader of positions, card and tile files: every mistake names its path, what was expected and what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wellies.core.errors import BadMaterial, BadPosition
from wellies.core.fields import Fields

KNOWN = ("name", "count", "open", "kind", "parts")


def fields(**value: Any) -> Fields:
    return Fields(value, "cards[3]", KNOWN, BadMaterial)


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (
            lambda: Fields([], "", KNOWN),
            "the position must be an object with name, count, open, kind, parts, not a list.",
        ),
        (lambda: Fields(7, "", KNOWN, BadMaterial, "the card file"), "the card file must be an object with name,"),
        (
            lambda: fields(nmae=1),
            "cards[3].nmae is not a field; leave it out, or use one of name, count, open, kind, parts.",
        ),
        (lambda: fields().integer("count", None, 1, 9), "cards[3].count is missing; add a whole number from 1 to 9."),
        (
            lambda: fields(count="x").integer("count", 1, 1, 9),
            "cards[3].count must be a whole number from 1 to 9, not 'x'.",
        ),
        (
            lambda: fields(count=True).integer("count", 1, 1, 9),
            "cards[3].count must be a whole number from 1 to 9, not true.",
        ),
        (lambda: fields(count=10).integer("count", 1, 1, 9), "cards[3].count must be from 1 to 9, not 10."),
        (lambda: fields().boolean("open", None), "cards[3].open is missing; add true or false."),
        (lambda: fields(open=0).boolean("open", True), "cards[3].open must be true or false, not 0."),
        (lambda: fields().word("kind", None, ["fish", "plant"]), "cards[3].kind is missing; add one of fish, plant."),
        (
            lambda: fields(kind="fsih").word("kind", "", ["fish", "plant"]),
            "cards[3].kind must be one of fish, plant, not 'fsih'. Did you mean \"fish\"?",
        ),
        (
            lambda: fields(kind=None).word("kind", "", ["fish", "plant"]),
            "cards[3].kind must be one of fish, plant, not null.",
        ),
        (lambda: fields().text("name", None, 5), "cards[3].name is missing; add a text of at most 5 characters."),
        (
            lambda: fields(name="long" * 50).text("name", "", 5),
            "cards[3].name must be a text of at most 5 characters, not 'longlong",
        ),
        (lambda: fields(parts={}).items("parts"), "cards[3].parts must be a list, not an object."),
        (lambda: fields(parts=3).object("parts", ("a", "b")), "cards[3].parts must be an object with a, b, not 3."),
        (
            lambda: fields(count=1, kind="x").leave_out(["kind", "count"], '"open": true'),
            'cards[3].kind: does not go with "open": true; leave it out.',
        ),
    ],
)
def test_a_mistake_is_named(read: Callable[[], object], says: str) -> None:
    with pytest.raises((BadMaterial, BadPosition)) as caught:
        read()
    assert str(caught.value).startswith(says)
    assert len(str(caught.value)) < 200


def test_errors_are_of_the_type_that_was_asked_for() -> None:
    with pytest.raises(BadPosition):
        Fields({"count": -1}, "seats[0]", KNOWN).integer("count", 0, 0, 9)
    with pytest.raises(BadMaterial):
        Fields({"parts": {"a": 1}}, "", KNOWN, BadMaterial).object("parts", ("a",)).boolean("a", None)


def test_what_is_left_out_has_its_default() -> None:
    empty = fields()
    assert empty.integer("count", 4, 0, 9) == 4
    assert empty.boolean("open", True) is True
    assert empty.word("kind", "fish", ["fish"]) == "fish"
    assert empty.text("name", "", 9) == ""
    assert empty.items("parts") == []
    assert empty.get("name") is None
    assert not empty.has("name")
