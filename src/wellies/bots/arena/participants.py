"""The participants of an arena: bots of this Wellies, or external bots.

They are written as `greedy`, `greedy:looks=60` (with a setting), `quick=greedy:looks=60` (with a label), or
`greedy@../last-week` (the bot of another installation or checkout, or of any program that speaks the protocol of
`external_bot_host.py`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from wellies.bots import make_bot, split_bot
from wellies.core.errors import BadOption
from wellies.core.events import Json

_LABEL: Final = re.compile(r"[\w.+-]{1,40}")
_MAX_PARTICIPANTS: Final = 64


class Participant:
    """A bot with its settings and a label. `home` is the path of an external bot; empty for a bot of this Wellies."""

    def __init__(self, label: str, bot: str, settings: dict[str, str], home: str) -> None:
        self.label = label
        self.bot = bot
        self.settings = settings
        self.home = home

    def bot_text(self) -> str:
        """The bot with its settings, as on the command line."""
        return ":".join([self.bot, *(f"{name}={value}" for name, value in self.settings.items())])

    def to_json(self) -> Json:
        return {"label": self.label, "bot": self.bot, "settings": self.settings, "home": self.home}

    @classmethod
    def from_json(cls, value: Json) -> Participant:
        return cls(value["label"], value["bot"], dict(value["settings"]), value["home"])


def parse_participant(text: str) -> Participant:
    """One participant, checked as far as possible: only its own Wellies knows the bots of an external one."""
    given = text.strip()
    who, at, home = given.partition("@")
    label, equals, rest = who.partition("=")
    if equals and ":" not in label:
        if not _LABEL.fullmatch(label):
            raise BadOption(f"{label!r} cannot be a participant's name; use letters, digits, _ . + and -.")
        who = rest
    else:
        label = ""
    who = who.removeprefix("bot:")
    if not who:
        raise BadOption(f"{given!r} names no bot; write greedy, quick=greedy:looks=60 or old=greedy@PATH.")
    name, settings = split_bot(who)
    if not at:
        make_bot(who)
        return Participant(label or who, name, settings, "")
    if not home:
        raise BadOption(f"{given!r} has nothing after the @; name the other Wellies: its folder or its Python.")
    path = Path(home).expanduser().absolute()
    if not path.exists():
        raise BadOption(f"{given!r}: there is no {path}; give the folder of the other Wellies, or its Python.")
    return Participant(label or f"{who}@{_short(path)}", name, settings, str(path))


def _short(path: Path) -> str:
    """The part of a path that names the version: `/x/last-week/.venv/bin/python` is `last-week`."""
    generic = {"bin", "Scripts", ".venv", "venv", "src"}
    names = [part for part in path.parts[1:] if part not in generic and not part.startswith("python")]
    return names[-1] if names else path.name


def parse_participants(texts: list[str]) -> list[Participant]:
    """All participants, separated by commas in each text. Labels are unique."""
    found = [parse_participant(word) for text in texts for word in text.split(",") if word.strip()]
    if len(found) < 2:
        raise BadOption("an arena needs two participants or more; name them with commas: --bots greedy,random.")
    if len(found) > _MAX_PARTICIPANTS:
        raise BadOption(
            f"{len(found)} participants are more than the {_MAX_PARTICIPANTS} that an arena holds; name fewer."
        )
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise BadOption(f"two participants are called {label!r}; give them names: a={label},b={label}.")
    return found


def parse_matchups(texts: list[str], participants: list[Participant]) -> list[list[int]]:
    """Who plays whom, from texts such as `storm:shower,storm:greedy`; returns lists of participants' indices.

    A label may contain colons (`greedy:looks=60`), so the text is matched against the known labels. Where only one
    participant plays a bot, the bot's name works as its label.
    """
    names = {one.bot: index for index, one in enumerate(participants) if _is_only_one(one, participants)}
    names |= {one.label: index for index, one in enumerate(participants)}
    matchups: list[list[int]] = []
    for text in texts:
        for word in text.split(","):
            if not word.strip():
                continue
            named = _split_names(word.strip(), names)
            if named is None:
                known = ", ".join(one.label for one in participants)
                raise BadOption(
                    f"--pairs {word.strip()!r} is not of the form A:B with participants; there are: {known}."
                )
            if len(named) < 2 or len(set(named)) < len(named):
                raise BadOption(f"--pairs {word.strip()!r}: name two or more participants, each once.")
            if sorted(named) not in matchups:
                matchups.append(sorted(named))
    return sorted(matchups)


def _is_only_one(one: Participant, participants: list[Participant]) -> bool:
    return sum(other.bot == one.bot for other in participants) == 1


def _split_names(text: str, names: dict[str, int]) -> list[int] | None:
    """The participants that a text names; the longest name that fits comes first."""
    if text in names:
        return [names[text]]
    for place in range(len(text) - 1, 0, -1):
        if text[place] == ":" and text[:place] in names:
            rest = _split_names(text[place + 1 :], names)
            if rest is not None:
                return [names[text[:place]], *rest]
    return None
