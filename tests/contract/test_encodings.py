"""The laws of actions and observations, for every game that brings an encoding.

Each law is tried on random games at every number of seats and with every value of every option."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from helpers import SOAK, THINNING, Case, cases, damage, random_play, some_states

import wellies
from wellies import CHANCE, GameSpec, GameState, Stream
from wellies.core.encoding import NO_MOVE, Encoding, Field, Part
from wellies.core.window import Window

ENCODINGS: dict[str, Encoding] = {}


def encoding_of(case: Case) -> Encoding:
    """The encoding of a case, made once."""
    found = ENCODINGS.get(repr(case))
    if found is None:
        made = case.spec.encoding(case.seats, case.options)
        assert made is not None
        found = ENCODINGS[repr(case)] = made
    return found


CASES = [case for case in cases() if case.spec.encoding(case.seats, case.options) is not None]
every_case = pytest.mark.parametrize("case", CASES, ids=repr)


def observed(encoding: Encoding, state: GameState, seat: int) -> bytes:
    cells = bytearray(b"\xff" * encoding.size)
    encoding.observe(state, seat, cells)
    assert len(cells) == encoding.size
    return bytes(cells)


def masked(encoding: Encoding, state: GameState, seat: int) -> bytes:
    mask = bytearray(b"\xff" * encoding.actions)
    encoding.write_mask(state, seat, mask)
    assert len(mask) == encoding.actions
    return bytes(mask)


def check_actions(encoding: Encoding, state: GameState, rng: Stream) -> None:
    """Every legal move has an action of its own, and no other action stands for a legal move."""
    for seat in range(state.seats):
        legal = state.legal(seat)
        actions = encoding.legal_actions(state, seat)
        assert actions == [encoding.action_of(state, seat, move) for move in legal]
        assert [encoding.move_of(state, seat, action) for action in actions] == legal
        mask = masked(encoding, state, seat)
        assert sorted(actions) == [action for action, bit in enumerate(mask) if bit]
        assert set(mask) <= {0, 1}
        near = [(action + rng.randrange(25) - 12) % encoding.actions for action in actions[:20]]
        for action in [*near, *(rng.randrange(encoding.actions) for _ in range(20))]:
            assert (encoding.move_of(state, seat, action) in legal) == bool(mask[action])
    if state.active() == [CHANCE]:
        draws = state.legal(CHANCE)
        outcomes = [encoding.outcome_of(state, draw) for draw in draws]
        assert len(set(outcomes)) == len(draws)
        assert min(outcomes) >= 0
        assert max(outcomes) < encoding.outcomes
        assert [encoding.chance_of(state, outcome) for outcome in outcomes] == draws


@every_case
def test_every_legal_move_has_one_action_and_the_mask_marks_these_alone(case: Case) -> None:
    rng = Stream(f"{case} actions")
    for state in some_states(case, "actions", 3 * THINNING):
        check_actions(encoding_of(case), state, rng)


@every_case
def test_an_observation_holds_what_its_fields_say(case: Case) -> None:
    encoding = encoding_of(case)
    tops = [field.channel(index).top for field in encoding.fields for index in cells_of(field)]
    for state in some_states(case, "fields", 3 * THINNING):
        for seat in range(case.seats):
            cells = observed(encoding, state, seat)
            assert all(value <= top for value, top in zip(cells, tops, strict=True))


@every_case
def test_observing_again_gives_the_same_as_observing_anew(case: Case) -> None:
    """In whole games, after one move or several, by any seat; also of a copy, and of a state that was read again. The
    memory of one game serves for the next."""
    encoding = encoding_of(case)
    rng = Stream(f"{case} again")
    memory = encoding.new_memory()
    memory.cells[:] = b"\xff" * encoding.size
    for _game in range(2):
        state = case.start()
        for _ in random_play(state, rng):
            if rng.randrange(3) == 0:
                seat = rng.randrange(case.seats)
                shown = state
                if rng.randrange(6) == 0:
                    shown = state.clone() if rng.randrange(2) else case.spec.deserialize(state.serialize())
                encoding.observe_again(shown, seat, memory)
                assert memory.cells == observed(encoding, state, seat)
        encoding.observe_again(state, 0, memory)
        assert memory.cells == observed(encoding, state, 0)


@every_case
def test_observation_and_mask_depend_on_nothing_that_the_seat_may_not_see(case: Case) -> None:
    encoding = encoding_of(case)
    rng = Stream(f"{case} resample")
    for state in some_states(case, "hidden", 6 * THINNING):
        for seat in range(case.seats):
            cells, mask = observed(encoding, state, seat), masked(encoding, state, seat)
            dealt = state.resample(seat, rng)
            assert observed(encoding, dealt, seat) == cells
            assert masked(encoding, dealt, seat) == mask
            seen = case.spec.from_position(state.view(seat)["position"])
            assert observed(encoding, seen, seat) == cells
            assert masked(encoding, seen, seat) == mask


@every_case
def test_what_the_seat_can_tell_apart_is_observed_differently(case: Case) -> None:
    """All that may happen next is tried: two tables that look different to a seat have different observations."""
    encoding = encoding_of(case)
    rng = Stream(f"{case} apart")
    compared = 0
    for state in some_states(case, "apart", 20 * THINNING):
        actor = ([*state.active(), CHANCE])[0]
        moves = state.legal(actor)
        picked = {moves[rng.randrange(len(moves))] for _ in range(12 if moves else 0)}
        for seat in range(case.seats):
            looks: dict[bytes, str] = {}
            for move in sorted(picked):
                after = state.clone()
                after.step(actor, move)
                seen = visible(after, seat)
                assert looks.setdefault(observed(encoding, after, seat), seen) == seen
                compared += 1
    assert compared


def visible(state: GameState, seat: int) -> str:
    """What a seat sees, without what an observation leaves out: the order of tiles in a market, store or hand, and what
    follows from the rest."""
    position = dict(state.view(seat)["position"])
    for name in ("store", "market"):
        if name in position:
            position[name] = sorted(position[name])
    for name in ("discards", "discarded", "out"):
        position.pop(name, None)
    if state.spec.name == "marram":
        position["seats"] = [{**each, "hand": sorted(each["hand"])} for each in position["seats"]]
    return json.dumps([position, state.active(), state.scores()], sort_keys=True)


def cells_of(part: Part) -> range:
    return range(part.offset, part.offset + part.size)


@every_case
def test_the_parts_follow_one_another_and_every_cell_and_action_has_a_name(case: Case) -> None:
    encoding = encoding_of(case)
    for parts, size in ((encoding.fields, encoding.size), (encoding.action_groups, encoding.actions)):
        at = 0
        for part in parts:
            assert part.offset == at
            assert part.words.endswith(".")
            at += part.size
        assert at == size
        assert len({part.name for part in parts}) == len(parts)
    assert len({encoding.cell_text(index) for index in range(encoding.size)}) == encoding.size
    assert len({encoding.action_text(action) for action in range(encoding.actions)}) == encoding.actions
    for field in encoding.fields:
        assert field.name.isidentifier()
        if field.is_board:
            check_board(field)
    with pytest.raises(IndexError):
        encoding.cell_text(encoding.size)
    with pytest.raises(IndexError):
        encoding.action_text(encoding.actions)


def check_board(field: Field) -> None:
    rows, columns = field.grid
    assert len(field.where) == field.shape[0]
    assert len(set(field.where)) == len(field.where)
    assert all(0 <= where < rows * columns for where in field.where)


@every_case
def test_a_damaged_position_is_encoded_or_refused_in_words(case: Case) -> None:
    encoding = encoding_of(case)
    rng = Stream(f"{case} damage")
    encoded = 0
    for state in some_states(case, "damage", 30 * THINNING):
        for _ in range(6):
            position = json.loads(json.dumps(state.position()))
            damage(position, rng)
            position["check"] = False
            try:
                again = case.spec.from_position(position)
                if again.seats == case.seats and again.options == state.options:
                    observed(encoding, again, 0)
                    check_actions(encoding, again, rng)
                    encoded += 1
            except wellies.BadPosition:
                continue
    assert encoded


# --- endless tables ---------------------------------------------------------------------------------------------------


def longest_game(spec: GameSpec, options: dict[str, object], seed: int) -> Iterator[GameState]:
    """A game in which each tile is laid as near as possible to one line, and there as far away as possible."""
    state = spec.start(2, options)
    rng = Stream(seed)
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        yield state
        state.step(seat, max(state.legal(seat), key=lambda move: _distance(spec, state, seat, move, seed)))


def _distance(spec: GameSpec, state: GameState, seat: int, move: int, seed: int) -> tuple[int, int]:
    at = spec.move_fields(state, seat, move).get("at", [0, 0])
    assert isinstance(at, list)
    return -abs(at[1 - seed % 2]), at[seed % 2]


@pytest.mark.parametrize(
    ("name", "options"),
    [("guppies", {}), ("guppies", {"tiles": 64}), ("marram", {}), ("marram", {"variant": "animals"})],
)
@pytest.mark.parametrize("seed", range(6 if SOAK else 2))
def test_a_table_that_outgrows_the_window_has_an_action_for_every_move(
    name: str, options: dict[str, object], seed: int
) -> None:
    spec = wellies.game(name)
    encoding = spec.encoding(2, options)
    assert encoding is not None
    beyond = encoding.field("beyond").offset
    rng = Stream(seed)
    outgrown = 0
    for number, state in enumerate(longest_game(spec, options, seed)):
        if number % 5 == 0:
            check_actions(encoding, state, rng)
            outgrown += observed(encoding, state, 0)[beyond] > 0
    assert outgrown, "the window is larger than this game"


def test_a_window_gives_each_place_its_cell_and_shares_none() -> None:
    window = Window(4, 3, 2)
    assert window.cell(0, 0) == 1 * 4 + 2
    assert (window.nearest_x(6), window.nearest_y(6)) == (0, 0)
    assert len({window.cell(x, y) for x in range(-7, -3) for y in range(5, 8)}) == window.size
    assert window.cell(3, 1) == window.cell(-1, 1) == window.cell(3, -2)
    assert window.spread([5, 6, 5, 7, 6]) == [5, 6, 12, 7, 13]
    with pytest.raises(wellies.BadPosition, match="spread too far"):
        window.spread([1, 1, 1, 1])


def test_an_action_that_names_nothing_stands_for_no_move() -> None:
    spec = wellies.game("guppies")
    encoding = spec.encoding(2)
    assert encoding is not None
    assert encoding.move_of(spec.start(2), 0, encoding.actions - 1) == NO_MOVE


def test_a_game_from_outside_needs_no_encoding() -> None:
    from toy import ToySpec

    assert ToySpec().encoding(2) is None


def test_encodings_are_loaded_only_when_asked_for() -> None:
    import subprocess
    import sys

    code = "import sys, wellies; wellies.game('marram').start(2); print('wellies.games.marram.encoding' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize("name", sorted({case.game for case in CASES}))
def test_random_play_uses_every_group_of_actions_and_every_field(name: str) -> None:
    """But for those beyond the window, which only games that outgrow it use. In each game another group of actions is
    disliked: else nets, for example, would never be kept to the end."""
    acted: set[str] = set()
    seen: set[str] = set()
    groups: set[str] = set()
    fields: set[str] = set()
    mine = [case for case in CASES if case.game == name]
    for number, case in enumerate(40 * mine):
        encoding = encoding_of(case)
        if number < len(mine):
            groups |= {group.name for group in encoding.action_groups if not group.name.endswith("beyond")}
            fields |= {field.name for field in encoding.fields if field.name != "beyond"}
        elif acted >= groups and seen == fields:
            break
        state = case.start()
        rng = Stream(f"{case} groups {number}")
        disliked = encoding.action_groups[number % len(encoding.action_groups)]
        while due := state.due():
            seat = due[rng.randrange(len(due))]
            missing = [field for field in encoding.fields if field.name in fields - seen]
            if missing:
                for observer in range(case.seats):
                    cells = observed(encoding, state, observer)
                    seen |= {field.name for field in missing if any(cells[at] for at in cells_of(field))}
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            actions = encoding.legal_actions(state, seat)
            liked = [action for action in actions if action not in cells_of(disliked)] or actions
            action = liked[rng.randrange(len(liked))]
            acted.add(encoding.action_text(action).partition(":")[0])
            state.step(seat, encoding.move_of(state, seat, action))
    assert acted - {"lay beyond", "flip beyond"} == groups
    assert seen == fields


@pytest.mark.parametrize("name", ["guppies", "marram"])
def test_a_table_far_from_the_middle_has_actions_too(name: str) -> None:
    spec = wellies.game(name)
    encoding = spec.encoding(2)
    assert encoding is not None
    state = spec.start(2)
    for number, _ in enumerate(random_play(state, Stream(3))):
        if number == 60:
            break
    position = json.loads(json.dumps(state.position()))
    for tile in position["laid"]:
        tile["at"] = [tile["at"][0] + 100, tile["at"][1] - 80]
    for key in ("played", "flipped"):
        position.pop(key, None)
    check_actions(encoding, spec.from_position(position), Stream(4))
