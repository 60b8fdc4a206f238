"""Why a move is refused, in words that teach the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.state import CHANCE
from wellies.core.texts import some
from wellies.games.puppies.material import BURY, CARDS, DRAW, EACH, HERE, MOVE, NONE, OTHERS, TOP, VALUES, Step
from wellies.games.puppies.moves import BURY_AT, JOIN, kind_of, move_text, shift_bone, shift_to, up_bone
from wellies.games.puppies.phases import CHOOSING, JOINING, LEFTOVER, PHASES, TAKING, TRICK
from wellies.games.puppies.tricks import Frame

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState
    from wellies.games.puppies.yard import Yard

_DUE: Final = {
    CHOOSING: "choose a card from your hand first",
    JOINING: "say first which group the Doggo joins",
    LEFTOVER: "say first which group the leftover Doggo joins",
    TRICK: "the trick comes first",
    TAKING: "take a card from the park now",
}


CHOSEN: Final = "You have chosen already; wait for the others."


def rule_against(state: PuppiesState, seat: int, move: int) -> str | None:
    """None exactly when the move is one of `state.legal(seat)`."""
    if move in state.legal(seat):
        return None
    kind = kind_of(move)
    if not kind:
        return "That is not a move of Good Puppies."
    if seat == CHANCE:
        return _against_chance(state, kind, move)
    if kind == "draw":
        return "Which card is drawn is a matter of chance; nobody chooses it."
    phase = state.phase
    if phase == CHOOSING and kind == "choose":
        return _against_choosing(state, seat, move % CARDS)
    if phase == TAKING and kind == "take":
        return f"Card {state.cards.titles[move % CARDS]} is not in the park."
    if phase in (JOINING, LEFTOVER) and kind == "join":
        return f"You have no {_group(state, move - JOIN)}; a Doggo joins one of the groups in your yard."
    if phase == TRICK and kind in ("stop", "dig", "bury", "up", "move"):
        return _against_trick(state, seat, kind, move)
    return _too_early(state, seat, kind)


def _against_chance(state: PuppiesState, kind: str, move: int) -> str:
    if kind != "draw":
        return "Chance only draws cards."
    if state.legal(CHANCE):
        return f"Card {state.cards.titles[move]} has been seen already; it cannot be drawn."
    return f"No draw is due [the phase is {PHASES[state.phase]}]."


def _against_choosing(state: PuppiesState, seat: int, card: int) -> str:
    title = state.cards.titles[card]
    if not 0 <= seat < state.seats:
        return f"There is no seat {seat} at this table."
    if card in state.chosen[seat]:
        return f"You have chosen {title} already; choose another card as your second."
    if len(state.chosen[seat]) >= state.picks:
        return CHOSEN
    return f"Card {title} is not in your hand."


def _too_early(state: PuppiesState, seat: int, kind: str) -> str:
    """A move of another phase."""
    legal = state.legal(seat)
    if not legal:
        return "There is nothing for you to decide now."
    reason = {
        "choose": "Cards are chosen at the start of a round",
        "take": "A card is taken from the park at the end of your turn",
        "join": "No Doggo is waiting to be placed",
        "stop": "There is nothing to stop",
    }.get(kind, "The trick waits" if state.phase in (JOINING, LEFTOVER) else "No trick of yours is under way")
    return f"{reason}; {_DUE[state.phase]} {_offered(state, legal)}."


def _offered(state: PuppiesState, moves: list[int]) -> str:
    """The moves one could type instead."""
    texts = [move_text(state.cards, move) for move in moves[:6]]
    return f"[{', '.join(texts)}{' and more' if len(moves) > 6 else ''}]"


def _group(state: PuppiesState, group: int) -> str:
    return state.cards.names[group]


def _against_trick(state: PuppiesState, seat: int, kind: str, move: int) -> str:
    frame = state.frames[-1]
    trick = state.cards.tricks[frame.card]
    step = trick.steps[frame.part]
    yard = state.yards[seat]
    verb = {"bury": BURY, "dig": DRAW, "move": MOVE}.get(kind, 1)
    if step.verb != verb:
        return f"The trick is at another part {_offered(state, state.choices)}. {trick.text}"
    if kind == "bury":
        return _against_burying(state, yard, step, frame, move - BURY_AT)
    if kind == "up":
        return _against_upgrading(state, yard, step, frame, up_bone(move))
    return _against_moving(state, yard, step, frame, shift_bone(move), shift_to(move))


def _against_burying(state: PuppiesState, yard: Yard, step: Step, frame: Frame, group: int) -> str:
    name = _group(state, group)
    here = _group(state, frame.here)
    if not yard.size[group]:
        return f"You have no {name} to bury a bone with."
    if step.where == HERE:
        return f"This trick buries bones with its own group only, the {here}."
    if step.where == OTHERS:
        return f"This trick buries bones with your other groups, not with the {here}."
    if frame.served >> group & 1:
        return f"The {name} have had their bone; this trick gives each group one."
    limit = step.number(step.fewer_than, frame.pups)
    count = yard.bone_count(group)
    return f"The {name} have {some(count, 'bone')}, and only groups with fewer than {limit} get one."


def _against_upgrading(state: PuppiesState, yard: Yard, step: Step, frame: Frame, bone: int) -> str:
    group = bone >> 2
    value = VALUES[bone & 3]
    name = _group(state, group)
    if not yard.size[group]:
        return f"You have no {name}."
    if frame.bone >= 0:
        turning, mine = VALUES[frame.bone & 3], _group(state, frame.bone >> 2)
        return f"This trick goes on with the bone it began with, now a {turning} of the {mine}."
    if bone & 3 == TOP:
        return "A bone worth 10 cannot be upgraded any further."
    if step.where == HERE and group != frame.here:
        return f"This trick upgrades bones of its own group only, the {_group(state, frame.here)}."
    if step.where == OTHERS and group == frame.here:
        return "This trick upgrades bones of your other groups only."
    if not yard.bones[bone]:
        return f"The {name} have no bone worth {value}."
    if step.where == EACH and frame.served >> group & 1:
        return f"This trick upgrades one bone in a group, and the {name} have had theirs."
    if step.showing not in (NONE, bone & 3):
        return f"This trick upgrades bones that show {VALUES[step.showing]} only."
    return f"The bone worth {value} of the {name} was upgraded by this trick already; it takes different bones."


def _against_moving(state: PuppiesState, yard: Yard, step: Step, frame: Frame, bone: int, group: int) -> str:
    source = bone >> 2
    here = _group(state, frame.here)
    if group != frame.here:
        return f"This trick moves bones to its own group only, the {here}."
    if source == frame.here:
        return f"The bone lies with the {here} already; move one from another group."
    if not yard.size[source]:
        return f"You have no {_group(state, source)}."
    if step.where == EACH and frame.source not in (-1, source):
        return f"This trick moves bones from one group only, and you began with the {_group(state, frame.source)}."
    return f"The {_group(state, source)} have no bone worth {VALUES[bone & 3]}."
