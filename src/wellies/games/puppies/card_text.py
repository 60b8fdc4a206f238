"""Tricks and bonuses in English, derived from what they do, so that text and rules cannot differ."""

from __future__ import annotations

from typing import Final

from wellies.games.puppies.material import (
    ALL,
    ANYWHERE,
    BONE_HERE,
    BREED_IN_YARD,
    BURY,
    EACH,
    EVERY_BONE,
    HERE,
    IF_BIGGEST,
    IF_FEW_GROUPS,
    MOVE,
    NONE,
    OTHERS,
    POORER_GROUP,
    PUP_HERE,
    UPGRADE,
    VALUES,
    Bonus,
    N,
    Step,
)

_TIMES: Final[tuple[str, ...]] = ("", "once", "twice", "three times")


def trick_text(steps: list[Step]) -> str:
    """A whole trick as one sentence."""
    text = ", then ".join(step_text(step) for step in steps)
    return text[0].upper() + text[1:] + "."


def step_text(step: Step) -> str:
    """One part of a trick, as the middle of a sentence."""
    if step.verb == BURY:
        return _bury(step)
    if step.verb == UPGRADE:
        return _upgrade(step)
    if step.verb == MOVE:
        source = "one other group" if step.where == EACH else "my other groups"
        if step.count == ALL:
            return f"move any number of bones from {source} to here"
        return f"move {_up_to(step.count)} from {source} to here"
    pups = "a pup" if step.count == 1 else f"{_number(step.count)} pups"
    if step.tricks:
        return f"draw and play {pups}, and use {'its trick' if step.count == 1 else 'their tricks'}"
    return f"draw and play {pups}, without {'its trick' if step.count == 1 else 'their tricks'}"


def _bury(step: Step) -> str:
    if step.where == EACH:
        which = "" if step.fewer_than == NONE else f" with fewer than {_number(step.fewer_than)} bones"
        return f"each of my groups{which} buries a bone"
    bones = "a bone" if step.count == 1 else f"{_number(step.count)} bones"
    if step.where == HERE:
        return f"bury {bones} here"
    divided = "" if step.count == 1 else ", divided as I like"
    place = "my other groups" if step.where == OTHERS else "any of my groups"
    return f"bury {bones} in {place}{divided}"


def _upgrade(step: Step) -> str:
    showing = "" if step.showing == NONE else f" that shows {VALUES[step.showing]}"
    often = "" if step.times == 1 else f" up to {_number(step.times)} times" if step.times == N else " twice"
    if step.times == 3:
        often = " three times"
    if step.where == EACH:
        groups = "my groups" if step.groups == NONE else f"up to {_number(step.groups)} groups"
        return f"upgrade one bone{showing} in each of {groups}{often}"
    place = {HERE: "here", ANYWHERE: "anywhere in my yard", OTHERS: "in my other groups"}[step.where]
    if step.count == ALL:
        return f"upgrade every bone {place}{showing}{often}"
    if step.count == 1:
        return f"upgrade one bone {place}{showing}{often}"
    shown = "" if step.showing == NONE else f" that show {VALUES[step.showing]}"
    each = " once each" if step.times == 1 else f"{often} each"
    return f"upgrade up to {_number(step.count)} different bones {place}{shown},{each}"


def bonus_text(bonus: Bonus, names: list[str]) -> str:
    """A bonus as one sentence; `names` has one pup of each breed by name."""
    often = f" {_TIMES[bonus.times]}"
    showing = "" if bonus.showing == NONE else f" that shows {VALUES[bonus.showing]}"
    if bonus.condition == IF_BIGGEST:
        start = "if no group of mine has more pups, "
    elif bonus.condition == IF_FEW_GROUPS:
        start = f"if I have at most {bonus.limit} group{'s' if bonus.limit > 1 else ''}, "
    else:
        start = ""
    if bonus.counted == EVERY_BONE:
        text = f"{start}upgrade every bone{showing}{often}"
    else:
        text = f"{start}{_for_each(bonus, names)}, upgrade a bone{showing}{often}"
    return text[0].upper() + text[1:] + "."


def _for_each(bonus: Bonus, names: list[str]) -> str:
    one = bonus.per == 1
    lead = "for each" if one else f"for every {bonus.per}"
    if bonus.counted == PUP_HERE:
        return f"{lead} pup{'' if one else 's'} here"
    if bonus.counted == BONE_HERE:
        return f"{lead} bone{'' if one else 's'} here"
    if bonus.counted == BREED_IN_YARD:
        return f"{lead} breed{'' if one else 's'} in my yard"
    if bonus.counted == POORER_GROUP:
        return f"{lead} other group{'' if one else 's'} with fewer bones"
    return f"{lead} {names[bonus.of]} I have" if one else f"{lead} {names[bonus.of]} pups I have"


def _number(value: int) -> str:
    return "N" if value == N else str(value)


def _up_to(value: int) -> str:
    return "one bone" if value == 1 else f"up to {_number(value)} bones"
