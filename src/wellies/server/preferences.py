"""The preferences that follow a person from browser to browser: the one list of them, and how they are checked.

The page's types, defaults and checks are made from this list (`web/schemas/preferences.json`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from wellies.bots import bot, list_bots
from wellies.core.events import Json
from wellies.table import Refused

Value = str | bool | int


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference. Its type is that of its default; a text must be one of `values`, a number between `least` and
    `most`."""

    name: str
    default: Value
    help: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def refusal(self, value: object) -> str | None:
        """Why this is no value of it; None if it is one."""
        if isinstance(self.default, bool):
            return None if isinstance(value, bool) else "must be true or false"
        if isinstance(self.default, int):
            fits = isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
            return None if fits else f"must be a whole number from {self.least} to {self.most}"
        if value in self.values:
            return None
        return f"must be one of {', '.join(each or 'the empty text' for each in self.values)}"

    def schema(self) -> Json:
        """It as JSON Schema."""
        shape: Json = {"default": self.default, "description": self.help}
        if isinstance(self.default, bool):
            return {"type": "boolean", **shape}
        if isinstance(self.default, int):
            return {"type": "integer", "minimum": self.least, "maximum": self.most, **shape}
        return {"enum": list(self.values), **shape}


LEVELS: Final = tuple(name for name in list_bots() if bot(name).strength)
LOCALES: Final = (
    "",
    "cs-CZ",
    "da-DK",
    "de-AT",
    "de-CH",
    "de-DE",
    "en-AU",
    "en-CA",
    "en-GB",
    "en-US",
    "es-ES",
    "es-MX",
    "fi-FI",
    "fr-CA",
    "fr-FR",
    "it-IT",
    "ja-JP",
    "ko-KR",
    "nb-NO",
    "nl-NL",
    "pl-PL",
    "pt-BR",
    "pt-PT",
    "sv-SE",
    "tr-TR",
    "uk-UA",
    "zh-CN",
    "zh-TW",
)

PREFERENCES: Final[tuple[Preference, ...]] = (
    Preference("theme", "system", "Light or dark; `system` follows the device.", ("system", "light", "dark")),
    Preference("motion", "system", "Whether things move; `system` follows the device.", ("system", "full", "none")),
    Preference(
        "speed", "normal", "The speed of animations and of the moves of others.", ("slow", "normal", "fast", "fastest")
    ),
    Preference("sound", True, "Whether sounds play."),
    Preference("volume", 50, "How loud sounds are, in percent.", least=0, most=100),
    Preference("patterns", True, "Whether every colour also has a pattern."),
    Preference("coordinates", False, "Whether the board shows the names of its spaces."),
    Preference("points", True, "Whether places show the points that a move would score there."),
    Preference("board", "normal", "How much room the board takes; `large` hides the log.", ("normal", "large")),
    Preference("confirm", True, "Whether a move is confirmed before it is sent."),
    Preference("shortcuts", False, "Whether undo and hint are always visible beside the board."),
    Preference("play_plans", False, "Whether a move that was planned is played as soon as it is one's turn."),
    Preference("level", "shower", "The level of bots for quick games.", LEVELS),
    Preference("offer", True, "Whether a guide is offered at the first game of a kind."),
    Preference("locale", "", "How numbers and dates are written; empty: as the browser does.", LOCALES),
)
BY_NAME: Final = {each.name: each for each in PREFERENCES}


def check_preference(name: str, value: object) -> str:
    """The value as it is stored. Refused names the preference and what it may be."""
    known = BY_NAME.get(name)
    if known is None:
        raise Refused("bad_preference", f"There is no preference `{name[:40]}`; known: {', '.join(BY_NAME)}.", 400)
    why = known.refusal(value)
    if why is not None:
        raise Refused("bad_preference", f"The preference `{name}` {why}.", 400)
    return json.dumps(value)


def read_stored(name: str, stored: str) -> Value | None:
    """A stored value; None if this version does not know the preference, or its value, any more."""
    known = BY_NAME.get(name)
    if known is None:
        return None
    value: Value = json.loads(stored)
    return value if known.refusal(value) is None else None


def preferences_schema() -> Json:
    """The list as JSON Schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Preferences",
        "$defs": {
            "Preferences": {
                "type": "object",
                "description": "What follows a person from browser to browser.",
                "required": [each.name for each in PREFERENCES],
                "properties": {each.name: each.schema() for each in PREFERENCES},
            }
        },
    }
