"""Who takes part: a bot of this Wellies, or one of another Wellies that lives somewhere else on the machine.

As one types them: `greedy`, `greedy:looks=60` (with a setting), `quick=greedy:looks=60` (under a name of its own),
`greedy@../last-week` (the bot of another installation or checkout, or of any program that
speaks the protocol of `external_bot_host.py`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from wellies.bots import make_bot, split_bot
from wellies.core.errors import BadOption
from wellies.core.events import Json

_LABEL: Final = re.compile(r"[\w.+-]{1,40}")
_MOST: Final = 64


class Participant:
    """A bot with its settings under a label. `home` is where its Wellies lives; nothing if it is this one."""

    def __init__(self, label: str, bot: str, settings: dict[str, str], home: str) -> None:
        self.label = label
        self.bot = bot
        self.settings = settings
        self.home = home

    def bot_text(self) -> str:
        """The bot and its settings, as one types them."""
        return ":".join([self.bot, *(f"{name}={value}" for name, value in self.settings.items())])

    def to_json(self) -> Json:
        return {"label": self.label, "bot": self.bot, "settings": self.settings, "home": self.home}

    @classmethod
    def from_json(cls, value: Json) -> Participant:
        return cls(value["label"], value["bot"], dict(value["settings"]), value["home"])


def parse_participant(text: str) -> Participant:
    """One participant, checked as far as this Wellies can: a visitor's bot is known to its own Wellies alone."""
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
    """The part of a path that tells versions apart: `/x/last-week/.venv/bin/python` is `last-week`."""
    dull = {"bin", "Scripts", ".venv", "venv", "src"}
    names = [part for part in path.parts[1:] if part not in dull and not part.startswith("python")]
    return names[-1] if names else path.name


def parse_participants(texts: list[str]) -> list[Participant]:
    """All participants; commas stand between those of one text. Each has a label of its own."""
    found = [parse_participant(word) for text in texts for word in text.split(",") if word.strip()]
    if len(found) < 2:
        raise BadOption("an arena wants two participants or more; name them with commas: --bots greedy,random.")
    if len(found) > _MOST:
        raise BadOption(f"{len(found)} participants are more than the {_MOST} that an arena holds; name fewer.")
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise BadOption(f"two participants are called {label!r}; give them names: a={label},b={label}.")
    return found


def parse_meetings(texts: list[str], participants: list[Participant]) -> list[list[int]]:
    """Who is to meet whom, from `storm:shower`: labels with colons between, as indices. Commas stand between meetings.

    A label may itself have colons in it (`greedy:looks=60`), so the text is read by the labels that there are. Where
    only one participant plays a bot, the bare name of the bot will do.
    """
    names = {one.bot: index for index, one in enumerate(participants) if _plays_alone(one, participants)}
    names |= {one.label: index for index, one in enumerate(participants)}
    meetings: list[list[int]] = []
    for text in texts:
        for word in text.split(","):
            if not word.strip():
                continue
            met = _split_names(word.strip(), names)
            if met is None:
                known = ", ".join(one.label for one in participants)
                raise BadOption(
                    f"--pairs {word.strip()!r} is not of the form A:B with participants; there are: {known}."
                )
            if len(met) < 2 or len(set(met)) < len(met):
                raise BadOption(f"--pairs {word.strip()!r}: name two or more participants, each once.")
            if sorted(met) not in meetings:
                meetings.append(sorted(met))
    return sorted(meetings)


def _plays_alone(one: Participant, participants: list[Participant]) -> bool:
    return sum(other.bot == one.bot for other in participants) == 1


def _split_names(text: str, names: dict[str, int]) -> list[int] | None:
    """The participants whose names a text is made of; the longest that fits comes first."""
    if text in names:
        return [names[text]]
    for place in range(len(text) - 1, 0, -1):
        if text[place] == ":" and text[:place] in names:
            rest = _split_names(text[place + 1 :], names)
            if rest is not None:
                return [names[text[:place]], *rest]
    return None
