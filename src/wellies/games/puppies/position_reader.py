"""Reading a position from JSON. BadPosition names every mistake with its cure."""

from __future__ import annotations

from typing import Any, Final

from wellies.core.errors import BadPosition
from wellies.core.events import Json
from wellies.core.fields import Fields, integer, word
from wellies.core.options import check_options
from wellies.core.spec import GameSpec
from wellies.games.puppies.material import (
    BURY,
    CARDS,
    DOGGOS,
    DRAW,
    FIRST_DOGGO,
    TOP,
    UPGRADE,
    VALUES,
    Cards,
)
from wellies.games.puppies.material_file import load_material
from wellies.games.puppies.moves import JOIN, TAKE
from wellies.games.puppies.phases import (
    CHOOSING,
    DEAL,
    DRAWING,
    JOINING,
    LEFTOVER,
    OVER,
    PARK,
    PHASES,
    SHOWING,
    TAKING,
    TRICK,
    UNKNOWN,
)
from wellies.games.puppies.state import PuppiesState
from wellies.games.puppies.tricks import Frame, options
from wellies.games.puppies.yard import Yard

_KNOWN: Final = (
    *("game", "options", "check", "round", "final", "phase", "park", "deck", "box", "seats"),
    *("turns", "tricks", "pup"),
)
_FRAME: Final = ("card", "here", "n", "part", "done", "served", "touched", "bone", "turned", "from")
_TURN: Final = "turn"
"""A phase for people only: the first of `turns` is about to play its pup. The game goes on from there at once."""
_MOST_BONES: Final = 1000


def read_position(spec: GameSpec, position: Json) -> PuppiesState:
    """Set a position up."""
    top = Fields(position, "", _KNOWN)
    seats = top.items("seats")
    if not seats:
        seats = [{}, {}]
    if not spec.min_seats <= len(seats) <= spec.max_seats:
        raise BadPosition(f"seats must have {spec.min_seats} to {spec.max_seats} entries, not {len(seats)}.")
    checked = check_options(spec.options, top.get("options"), len(seats), spec.title)
    cards = load_material(checked["cards"])
    state = PuppiesState(spec, len(seats), checked, cards)
    state.checked = top.boolean("check", True)
    state.round = top.integer("round", 1, 1, 1000)
    state.final = top.boolean("final", False)
    state.park = sorted(_card_list(top.items("park"), "park"))
    for index, entry in enumerate(seats):
        _read_seat(state, entry, f"seats[{index}]")
    state.turns = _read_turns(state, top.items("turns"))
    phase = _read_phase(state, top)
    state.phase = JOINING if phase == _TURN else PHASES.index(phase)
    for index, entry in enumerate(top.items("tricks")):
        state.frames.append(_read_frame(state, entry, f"tricks[{index}]"))
    if top.get("pup") is not None:
        state.pup = integer(top.get("pup"), "pup", 0, CARDS - 1)
    elif state.phase in (JOINING, LEFTOVER) and phase != _TURN:
        raise BadPosition(f"phase {phase!r} needs pup: the Doggo that is to be placed.")
    _count_cards(state, top, phase == _TURN)
    _check_phase(state, phase)
    _set_choices(state, phase)
    return state


# --- seats ------------------------------------------------------------------------------------------------------------


def _card_list(values: list[Any], path: str) -> list[int]:
    return [integer(value, f"{path}[{index}]", 0, CARDS - 1) for index, value in enumerate(values)]


def _hidden_list(values: list[Any], path: str) -> list[int]:
    """Cards in order, of which some may be "?"; those come first."""
    known: list[int] = []
    hidden = 0
    for index, value in enumerate(values):
        if value == "?":
            hidden += 1
        else:
            known.append(integer(value, f"{path}[{index}]", 0, CARDS - 1))
    return [UNKNOWN] * hidden + sorted(known)


def _read_seat(state: PuppiesState, entry: Any, path: str) -> None:
    fields = Fields(entry, path, ("hand", "open", "chosen", "groups"))
    hand = _hidden_list(fields.items("hand"), f"{path}.hand")
    if len(hand) > state.hand_size:
        raise BadPosition(f"{path}.hand has {len(hand)} cards; a hand has at most {state.hand_size}.")
    known = sorted(_card_list(fields.items("open"), f"{path}.open"))
    for card in known:
        if card not in hand:
            raise BadPosition(f"{path}.open names {card}, which is not in the hand; add it to hand or leave it out.")
        if known.count(card) > 1:
            raise BadPosition(f"{path}.open names {card} twice; there is one of each card.")
    state.hands.append(hand)
    state.open.append(known)
    state.chosen.append(_read_chosen(state, fields.get("chosen"), hand, f"{path}.chosen"))
    yard = Yard()
    for index, group in enumerate(fields.items("groups")):
        _read_group(state, yard, group, f"{path}.groups[{index}]")
    state.yards.append(yard)


def _read_chosen(state: PuppiesState, value: Any, hand: list[int], path: str) -> list[int]:
    if value is None:
        return []
    chosen = _hidden_list(value if isinstance(value, list) else [value], path)
    if len(chosen) > state.picks:
        raise BadPosition(f"{path} has {len(chosen)} cards; a seat chooses {state.picks}.")
    left = hand[:]
    for card in chosen:
        if card == UNKNOWN:
            continue
        if card not in left:
            raise BadPosition(f"{path} names {card}, which is not in the hand; a chosen card stays in hand till shown.")
        left.remove(card)
    # What is hidden of a choice may be any card of the hand, so only their number has to fit.
    if len(chosen) > len(hand):
        raise BadPosition(f"{path} has more cards than the hand; a chosen card stays in hand till shown.")
    return chosen


def _read_group(state: PuppiesState, yard: Yard, entry: Any, path: str) -> None:
    fields = Fields(entry, path, ("breed", "pups", "bones"))
    keys = state.cards.keys
    group = keys.index(fields.word("breed", None, keys))
    if yard.size[group]:
        raise BadPosition(f"{path}.breed: the group {keys[group]} is given twice; all pups of a breed are one group.")
    pups = _card_list(fields.items("pups"), f"{path}.pups")
    if not pups:
        raise BadPosition(f"{path}.pups is empty; a group has at least one pup.")
    if state.checked:
        _check_group(state.cards, group, pups, path)
        if yard.pups and (group == DOGGOS or yard.size[DOGGOS]):
            raise BadPosition(f"{path}.breed: a group of doggos without a breed is the only group of its yard.")
    for pup in pups:
        yard.pups.append(group * CARDS + pup)
    yard.size[group] = len(pups)
    for index, value in enumerate(fields.items("bones")):
        if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
            raise BadPosition(f"{path}.bones[{index}] is {value!r}; a bone is worth 1, 2, 5 or 10.")
        yard.bones[group * 4 + VALUES.index(value)] += 1
        yard.value += value


def _check_group(cards: Cards, group: int, pups: list[int], path: str) -> None:
    ordinary = [pup for pup in pups if pup < FIRST_DOGGO]
    for pup in ordinary:
        if pup // 10 != group:
            kind = "has Doggos only" if group == DOGGOS else f"takes cards {group}0 to {group}9 and Doggos"
            raise BadPosition(f"{path}.pups: {cards.titles[pup]} is not of this group; {cards.keys[group]} {kind}.")
    if group != DOGGOS and not ordinary:
        raise BadPosition(
            f"{path}.pups has Doggos only; without a pup of the breed the group is "
            '"doggos", not ' + f'"{cards.keys[group]}".'
        )


# --- turns, phases and tricks -----------------------------------------------------------------------------------------


def _read_turns(state: PuppiesState, entries: list[Any]) -> list[int]:
    turns: list[int] = []
    for index, entry in enumerate(entries):
        path = f"turns[{index}]"
        fields = Fields(entry, path, ("seat", "card"))
        seat = fields.integer("seat", None, 0, state.seats - 1)
        turns.append(fields.integer("card", None, 0, CARDS - 1) * 8 + seat)
    if turns != sorted(turns, reverse=True):
        raise BadPosition("turns must run from the highest card to the lowest.")
    return turns


def _read_phase(state: PuppiesState, top: Fields) -> str:
    """The phase, or the one that fits when it is left out."""
    if top.has("phase"):
        return top.word("phase", "", [*PHASES, _TURN])
    if state.turns:
        return _TURN
    if not all(state.hands):
        return PHASES[DEAL]
    return PHASES[CHOOSING] if state.park or state.final else PHASES[PARK]


def _read_group_name(state: PuppiesState, yard: Yard, value: Any, path: str) -> int:
    group = state.cards.keys.index(word(value, path, state.cards.keys))
    if not yard.size[group]:
        raise BadPosition(f"{path}: seat {state.turns[0] & 7} has no group {value!r} in its yard.")
    return group


def _read_bone(state: PuppiesState, yard: Yard, value: Any, path: str) -> int:
    fields = Fields(value, path, ("group", "value"))
    group = _read_group_name(state, yard, fields.get("group"), f"{path}.group")
    points = fields.get("value")
    if isinstance(points, bool) or not isinstance(points, int) or points not in VALUES:
        raise BadPosition(f"{path}.value is {points!r}; a bone is worth 1, 2, 5 or 10.")
    bone = group * 4 + VALUES.index(points)
    if not yard.bones[bone]:
        raise BadPosition(f"{path}: there is no bone worth {points} in that group.")
    return bone


def _read_frame(state: PuppiesState, entry: Any, path: str) -> Frame:
    if not state.turns:
        raise BadPosition("tricks need turns: whose turn is it?")
    yard = state.yards[state.turns[0] & 7]
    fields = Fields(entry, path, _FRAME)
    if not fields.has("here"):
        raise fields.missing("here", "name the group that the pup of this trick joined")
    here = _read_group_name(state, yard, fields.get("here"), f"{path}.here")
    most = yard.size[here] if state.checked else CARDS  # groups only grow, so N is never more than the pups there now
    frame = Frame(fields.integer("card", None, 0, CARDS - 1), here, fields.integer("n", yard.size[here], 1, most))
    steps = state.cards.tricks[frame.card].steps
    frame.part = fields.integer("part", 0, 0, len(steps) - 1)
    frame.done = fields.integer("done", 0, 0, _MOST_BONES)
    for index, value in enumerate(fields.items("served")):
        frame.served |= 1 << _read_group_name(state, yard, value, f"{path}.served[{index}]")
    for index, value in enumerate(fields.items("touched")):
        frame.touched.append(_read_bone(state, yard, value, f"{path}.touched[{index}]"))
    frame.touched.sort()
    if fields.get("bone") is not None:
        frame.bone = _read_bone(state, yard, fields.get("bone"), f"{path}.bone")
        if steps[frame.part].verb != UPGRADE or frame.bone & 3 == TOP:
            raise BadPosition(f"{path}.bone: this part of the trick has no bone that can be turned again.")
        frame.turned = fields.integer("turned", 1, 1, TOP)
    if fields.get("from") is not None:
        frame.source = _read_group_name(state, yard, fields.get("from"), f"{path}.from")
    return frame


# --- checks -----------------------------------------------------------------------------------------------------------


def _count_cards(state: PuppiesState, top: Fields, turn_begins: bool) -> None:
    """Where the hundred cards are. Deck and box, where left out, are what the others leave; cards may be missing."""
    seen: list[int] = state.park[:]
    hidden = 0
    bones = 0
    for seat in range(state.seats):
        seen += [card for card in state.hands[seat] if card != UNKNOWN]
        hidden += state.hands[seat].count(UNKNOWN)
        seen += [pup % CARDS for pup in state.yards[seat].pups]
        bones += sum(state.yards[seat].bones)
    waiting = turn_begins or (state.phase == JOINING and not state.frames)
    seen += [turn >> 3 for turn in state.turns[0 if waiting else 1 :]]
    if state.pup >= 0 and not waiting:
        seen.append(state.pup)
    if state.checked:
        for card in seen:
            if seen.count(card) > 1:
                raise BadPosition(f"card {state.cards.titles[card]} is in two places; there is one of each card.")
    state.unseen = [card for card in range(CARDS) if card not in seen]
    left = len(state.unseen) - hidden - bones
    if left < 0 and state.checked:
        raise BadPosition(f"{bones} bones and {hidden} hidden cards are more than the {len(state.unseen)} cards left.")
    start = min(state.box, left)
    if top.has("deck") and not top.has("box"):
        state.deck = top.integer("deck", 0, 0, CARDS)
        state.box = max(0, min(start, left - state.deck))
    else:
        state.box = top.integer("box", max(0, start), 0, CARDS)
        state.deck = top.integer("deck", max(0, left - state.box), 0, CARDS)
    if state.checked and state.deck + state.box > left:
        raise BadPosition(
            f"deck {state.deck} and box {state.box} are more than the {left} cards left: 100 cards, {len(seen)} seen, "
            f"{hidden} hidden in hands, {bones} bones. Leave deck out to have it counted."
        )
    if state.deck + state.box + hidden > len(state.unseen):
        raise BadPosition(
            f"deck, box and hidden hands need {state.deck + state.box + hidden} cards, and only "
            f"{len(state.unseen)} are not in sight."
        )


def _check_phase(state: PuppiesState, phase: str) -> None:
    """Each phase needs what it is about."""
    number = state.phase
    in_turn = number in (JOINING, TRICK, DRAWING, TAKING, LEFTOVER)
    if in_turn and not state.turns:
        raise BadPosition(f"phase {phase!r} needs turns: the seat that acts with its card, and those to follow.")
    if not in_turn and state.turns:
        raise BadPosition(f"phase {phase!r} has no turns; leave turns out.")
    if number in (TRICK, DRAWING) and not state.frames:
        raise BadPosition(f"phase {phase!r} needs tricks: the trick under way.")
    if state.frames and number not in (TRICK, DRAWING, JOINING):
        raise BadPosition(f"phase {phase!r} has no trick under way; leave tricks out.")
    if phase == _TURN and (state.frames or state.pup >= 0):
        raise BadPosition('phase "turn" begins a turn; leave tricks and pup out.')
    if number not in (CHOOSING, SHOWING) and any(state.chosen):
        raise BadPosition(f'chosen goes with the phase "choose" only, not {phase!r}; later the cards are in turns.')
    if number in (CHOOSING, SHOWING):
        _check_choosing(state)
    if number == TAKING and len(state.park) < 2:
        raise BadPosition('phase "take" needs two cards or more in the park.')
    if number in (DRAWING, PARK, DEAL) and state.deck + state.box < 1:
        raise BadPosition(f"phase {phase!r} draws a card, but deck and box are empty.")
    if number == DEAL and all(len(hand) >= state.hand_size for hand in state.hands):
        raise BadPosition('phase "deal" is over when all hands are full; leave phase out.')
    if number == PARK:
        if state.final:
            raise BadPosition("the park is not filled in the final round; set final to false or leave phase out.")
        missing = state.park_size - len(state.park)
        if missing < 1:
            raise BadPosition(f'phase "park" is over with {len(state.park)} cards in the park; leave phase out.')
        if state.deck < missing:
            raise BadPosition(f"the deck has {state.deck} cards and cannot fill the park; set final to true.")
    if state.pup >= 0:
        _check_pup(state, phase)
    if not state.final and number not in (DEAL, OVER):
        _check_enough_cards(state)
    if state.checked:
        _check_table(state)


def _check_choosing(state: PuppiesState) -> None:
    for seat in range(state.seats):
        if len(state.hands[seat]) < state.picks:
            raise BadPosition(
                f"seats[{seat}].hand has {len(state.hands[seat])} cards, too few to choose {state.picks}."
            )
    done = all(len(chosen) == state.picks for chosen in state.chosen)
    if state.phase == SHOWING:
        if not done or all(UNKNOWN not in chosen for chosen in state.chosen):
            raise BadPosition('phase "reveal" is for choices that are all made and of which some are "?".')
    elif done:
        raise BadPosition('everyone has chosen: give the cards as turns, highest first, with the phase "turn".')


def _check_enough_cards(state: PuppiesState) -> None:
    """Each seat must have a card to choose in the next round: in its hand, or to be taken from the park before then."""
    takers = [turn & 7 for turn in state.turns[1 if state.phase == LEFTOVER else 0 :]]
    if len(state.park) < len(takers):
        raise BadPosition(
            f"park has {len(state.park)} cards, and {len(takers)} are still to be taken this round; "
            "add cards, or set final to true."
        )
    for seat in range(state.seats):
        if len(state.hands[seat]) + takers.count(seat) < state.picks:
            raise BadPosition(
                f"seats[{seat}].hand has too few cards for the next choice; add cards, or set final to true."
            )


def _check_pup(state: PuppiesState, phase: str) -> None:
    if state.phase not in (JOINING, LEFTOVER):
        raise BadPosition(f"phase {phase!r} has no pup to be placed; leave pup out.")
    yard = state.yards[state.turns[0] & 7]
    if state.pup < FIRST_DOGGO or len(yard.groups()) < 2:
        raise BadPosition(f"pup {state.pup} has no choice of groups; only a Doggo with several groups is asked.")
    if state.phase == JOINING and not state.frames and state.pup != state.turns[0] >> 3:
        raise BadPosition(f"pup {state.pup} is not the card of the turn, {state.turns[0] >> 3}.")
    if state.phase == JOINING and state.frames and _verb(state) != DRAW:
        raise BadPosition("pup was drawn by no trick: the part of the trick under way draws nothing.")


def _verb(state: PuppiesState) -> int:
    frame = state.frames[-1]
    return state.cards.tricks[frame.card].steps[frame.part].verb


def _check_table(state: PuppiesState) -> None:
    """Refuse what no game leads to, though the game could go on from it."""
    if state.final and state.park:
        raise BadPosition("the park is empty in the final round; leave park out or set final to false.")
    if len(state.park) > state.park_size:
        raise BadPosition(f"park has {len(state.park)} cards; it holds {state.park_size}.")
    if state.phase in (CHOOSING, SHOWING) and not state.final and len(state.park) != state.park_size:
        raise BadPosition(
            f"park has {len(state.park)} cards; when all choose it has {state.park_size}, or none in the final round."
        )
    if state.phase == OVER and not state.final:
        raise BadPosition("the game is over after the final round; set final to true.")
    for seat in range(state.seats):
        if sum(1 for turn in state.turns if turn & 7 == seat) > state.picks:
            raise BadPosition(f"turns: seat {seat} has more than {state.picks} in a round.")
    if state.phase in (TRICK, DRAWING, TAKING, LEFTOVER):
        turn = state.turns[0]
        if all(pup % CARDS != turn >> 3 for pup in state.yards[turn & 7].pups):
            raise BadPosition(f"turns[0]: card {turn >> 3} is played, so it must be in the yard of seat {turn & 7}.")
    for index, frame in enumerate(state.frames):
        yard = state.yards[state.turns[0] & 7]
        if frame.here * CARDS + frame.card not in yard.pups:
            raise BadPosition(f"tricks[{index}]: card {frame.card} is not in that group.")
        if state.frames[index + 1 :] and state.cards.tricks[frame.card].steps[frame.part].verb != DRAW:
            raise BadPosition(f"tricks[{index}] draws nothing at this part, so no other trick can be within it.")


# --- what may be done -------------------------------------------------------------------------------------------------


def _set_choices(state: PuppiesState, phase: str) -> None:
    if phase == _TURN:
        state.begin_turn(None)
    elif state.phase == TAKING:
        state.choices = [TAKE + card for card in state.park]
    elif state.phase in (JOINING, LEFTOVER):
        state.choices = [JOIN + group for group in state.yards[state.turns[0] & 7].groups()]
    elif state.phase == DRAWING:
        if _verb(state) != DRAW:
            raise BadPosition('phase "draw" needs a trick whose present part draws pups.')
    elif state.phase == TRICK:
        frame = state.frames[-1]
        step = state.cards.tricks[frame.card].steps[frame.part]
        if not options(state.yards[state.turns[0] & 7], step, frame):
            raise BadPosition("tricks: this part of the trick has nothing to decide; go on to the next part or phase.")
        if step.verb in (BURY, DRAW) and state.deck + state.box == 0:
            raise BadPosition("tricks: deck and box are empty, so the rest of this trick is lost; leave it out.")
        state.go_on(None)
