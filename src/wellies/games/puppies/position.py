"""Positions as JSON: complete, or as one seat sees them. `position_reader.py` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellies.core.events import Json
from wellies.core.state import ALL_SEEING
from wellies.games.puppies.material import GROUPS, VALUES, Cards
from wellies.games.puppies.phases import PHASES, UNKNOWN
from wellies.games.puppies.tricks import Frame
from wellies.games.puppies.yard import Yard

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState


def write_position(state: PuppiesState, viewer: int | None) -> Json:
    """What the viewer may see, listed. Which cards lie in deck and box or are buried follows: all the others."""
    result: Json = {
        "game": "puppies",
        "options": state.options,
        "round": state.round,
        "final": state.final,
        "phase": PHASES[state.phase],
        "park": state.park[:],
        "deck": state.deck,
        "box": state.box,
        "seats": [_seat(state, seat, viewer in (ALL_SEEING, seat)) for seat in range(state.seats)],
    }
    if state.turns:
        result["turns"] = [{"seat": turn & 7, "card": turn >> 3} for turn in state.turns]
    if state.frames:
        result["tricks"] = [_frame(state.cards, frame) for frame in state.frames]
    if state.pup >= 0:
        result["pup"] = state.pup
    if not state.checked:
        result["check"] = False
    return result


def _seat(state: PuppiesState, seat: int, sees: bool) -> Json:
    """A seat's hand and yard. Others know of the hand its size and what was taken from the park, and that is all:
    a chosen card is still one of the hand, and which one is hidden even if the card itself is known."""
    known = state.open[seat]
    hand = [card for card in (state.hands[seat] if sees else known) if card != UNKNOWN]
    shown: list[Any] = hand + ["?"] * (len(state.hands[seat]) - len(hand))
    return {
        "hand": shown,
        "open": known[:],
        "chosen": _chosen(state.chosen[seat], sees, state.picks),
        "groups": _groups(state.cards, state.yards[seat]),
    }


def _chosen(chosen: list[int], sees: bool, picks: int) -> Any:
    if not chosen:
        return None
    cards: list[Any] = [card if sees and card != UNKNOWN else "?" for card in chosen]
    return cards if picks > 1 else cards[0]


def _groups(cards: Cards, yard: Yard) -> list[Json]:
    return [
        {"breed": cards.keys[group], "pups": yard.pups_of(group), "bones": yard.bone_values(group)}
        for group in yard.groups_by_age()
    ]


def _frame(cards: Cards, frame: Frame) -> Json:
    """A trick under way; what has nothing to tell is left out."""
    result: Json = {
        "card": frame.card,
        "here": cards.keys[frame.here],
        "n": frame.pups,
        "part": frame.part,
        "done": frame.done,
    }
    if frame.served:
        result["served"] = [cards.keys[group] for group in range(GROUPS) if frame.served >> group & 1]
    if frame.touched:
        result["touched"] = [bone_json(cards, bone) for bone in frame.touched]
    if frame.bone >= 0:
        result["bone"] = bone_json(cards, frame.bone)
        result["turned"] = frame.turned
    if frame.source >= 0:
        result["from"] = cards.keys[frame.source]
    return result


def bone_json(cards: Cards, bone: int) -> Json:
    return {"group": cards.keys[bone >> 2], "value": VALUES[bone & 3]}
