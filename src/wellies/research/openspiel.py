"""The games for OpenSpiel: `register()`, then `pyspiel.load_game("wellies_guppies(seats=2)")`.

Parameters are `seats` (0: as few as the game allows), every option of the game by its name, `rewards` (see `rewards`)
and `position`: where games begin, as the path of a JSON file, or as JSON in `pyspiel.load_game(name, {"position":
text})`. A list, such as the colours of Guppies, is written with plus signs: `colours=purple+green+orange`.

Chance is explicit: every draw is a chance node with its exact distribution. Seats that choose at once choose one after
the other; none sees what the others have chosen before all have. A seat that may act out of turn is not asked.

`information_state_string` has perfect recall (see `information`); there is no information state tensor. The observation
tensor has all fields as floats (see `tensors`), the board as planes, and `observer.dict` has them by name.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, ClassVar, Final

from wellies.core.extras import require

require("research", "pyspiel", "numpy", needs="wellies.research.openspiel")

import numpy as np
import pyspiel

from wellies.core.dice import Stream
from wellies.core.encoding import Encoding
from wellies.core.errors import BadOption, BadPosition, IllegalMove
from wellies.core.events import Json
from wellies.core.options import Option
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.games import game, list_games
from wellies.research.episode import encoding_of, starting_state
from wellies.research.information import History, information_text, table_text
from wellies.research.rewards import AT_THE_END, Scorer, check_rewards
from wellies.research.tensors import Expansion

PREFIX: Final = "wellies_"
CODED: Final = "base64."
"""What a position begins with in the name of a game, where JSON cannot stand."""

MOST_POINTS: Final = 100_000.0
MOST_DRAWS: Final = 100_000
"""A tile of Guppies that fits nowhere goes back, so there is no true limit."""

SEEDS: Final = 1 << 53
"""A random number of OpenSpiel, from 0 to 1, becomes a seed below this."""

_registered: set[str] = set()


def register() -> list[str]:
    """Make all games on the shelf that have an encoding known to OpenSpiel. Returns their names there. It may be called
    again: games that came since are added."""
    names: list[str] = []
    for name in list_games():
        spec = game(name)
        if spec.encoding() is None:
            continue
        names.append(PREFIX + name.replace("-", "_"))
        if name not in _registered:
            _registered.add(name)
            # A class of its own for each game: OpenSpiel keeps it to the end of the process, when no object may die.
            pyspiel.register_game(game_type(spec), type(f"Wellies{spec.name.title()}", (WelliesGame,), {"spec": spec}))
    return names


def game_type(spec: GameSpec, rewards: str = "win") -> Any:
    """What OpenSpiel wants to know of a game before it is loaded."""
    defaults: dict[str, Any] = {"seats": 0, "rewards": "win", "position": ""}
    for option in spec.options:
        defaults[option.name] = _default(option)
    kinds = pyspiel.GameType
    hides = type(spec.start()).resample is not GameState.resample
    information = kinds.Information
    return kinds(
        short_name=PREFIX + spec.name.replace("-", "_"),
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if rewards == "points" else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL if rewards in AT_THE_END else kinds.RewardModel.REWARDS,
        max_num_players=spec.max_seats,
        min_num_players=spec.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )


def _default(option: Option) -> Any:
    """The default of an option as a parameter: an empty text stands for one that is not a plain value."""
    return option.default if isinstance(option.default, str | int | bool) else ""


def read_parameters(spec: GameSpec, given: dict[str, Any]) -> tuple[GameState, str]:
    """The start of a game with these parameters, and its kind of rewards."""
    rewards = check_rewards(given.get("rewards", "win"))
    options: Json = {}
    for option in spec.options:
        value = given.get(option.name, _default(option))
        if value != _default(option):
            options[option.name] = value.replace("+", ",") if isinstance(value, str) else value
    text = given.get("position", "")
    position = read_position(text) if text else None
    return starting_state(spec, given.get("seats") or None, options or None, position), rewards


def read_position(text: str) -> Json:
    """A position as a parameter gives it: coded, as JSON, or as the path of a file."""
    try:
        if text.startswith(CODED):
            padded = text[len(CODED) :] + "=" * (-(len(text) - len(CODED)) % 4)
            found = json.loads(base64.urlsafe_b64decode(padded))
        elif text.lstrip().startswith("{"):
            found = json.loads(text)
        else:
            found = json.loads(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption(f"position: the file {text!r} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadPosition(f"position: {text[:40]!r} is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise BadPosition("position: a position is a JSON object.")
    return found


def coded_position(position: Json) -> str:
    """A position as a text that may stand in the name of a game."""
    data = json.dumps(position, sort_keys=True, separators=(",", ":")).encode()
    return CODED + base64.urlsafe_b64encode(data).decode().rstrip("=")


class Shared:
    """What all states of a game share. A copy of a state does not copy it."""

    def __init__(self, start: GameState, rewards: str) -> None:
        self.start = start
        self.rewards = rewards
        self.encoding: Encoding = encoding_of(start)

    def __deepcopy__(self, _memo: object) -> Shared:
        return self


class WelliesGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Wellies as OpenSpiel knows one."""

    spec: ClassVar[GameSpec]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        spec = self.spec
        given = dict(params or {})
        start, rewards = read_parameters(spec, given)
        if given.get("position"):
            given["position"] = coded_position(start.position())
        self.shared = Shared(start, rewards)
        encoding = self.shared.encoding
        best = 1.0 if rewards in ("win", "rank") else MOST_POINTS
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.actions,
            max_chance_outcomes=max(encoding.outcomes, 1),
            num_players=start.seats,
            min_utility=-best if rewards != "points" else 0.0,
            max_utility=best,
            utility_sum=None if rewards == "points" else 0.0,
            max_game_length=encoding.longest,
        )
        super().__init__(game_type(spec, rewards), info, given)

    def new_initial_state(self) -> WelliesState:
        return WelliesState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """The observer for a kind of observation."""
        if params:
            raise BadOption(f"observations have no parameters; leave {', '.join(params)} out.")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return WelliesObserver(self.shared, wanted)


class WelliesState(pyspiel.State):  # type: ignore[misc]
    """A game of Wellies in progress."""

    def __init__(self, game: WelliesGame) -> None:
        super().__init__(game)
        self.shared: Shared = game.shared
        self.table: GameState = game.shared.start.clone()
        """The state of the game itself."""
        self.history_of_table = History(game.shared.start)
        self._scorer = Scorer(game.shared.rewards)
        self._scorer.begin(self.table.scores())
        self._rewards = [0.0] * self.table.seats
        self._returns = [0.0] * self.table.seats

    def current_player(self) -> Any:
        due = self.table.due()
        if not due:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if due[0] == CHANCE else due[0]

    def is_terminal(self) -> bool:
        return not self.table.due()

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.shared.encoding.legal_actions(self.table, player)) if player in self.table.due() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        table, encoding = self.table, self.shared.encoding
        moves = table.legal(CHANCE)
        weights = [table.weight(move) for move in moves]
        total = sum(weights)
        return sorted(
            (encoding.outcome_of(table, move), weight / total) for move, weight in zip(moves, weights, strict=True)
        )

    def _move_of(self, player: int, action: int) -> int:
        if player == CHANCE:
            return self.shared.encoding.chance_of(self.table, action)
        return self.shared.encoding.move_of(self.table, player, action)

    def _legal_move_of(self, player: int, action: int) -> int:
        """The move of an action; IllegalMove if it is not one of the legal ones."""
        try:
            move = self._move_of(player, action) if action >= 0 else None
        except (IndexError, KeyError, ValueError):
            move = None
        if move is None:
            raise IllegalMove(f"There is no action {action} here; legal_actions() lists those that there are.")
        self.table.check_move(player, move)
        return move

    def _apply_action(self, action: int) -> None:
        seat = self.table.due()[0]
        move = self._legal_move_of(seat, action)
        self.history_of_table.note(seat, move)
        self.table.step(seat, move)
        self._rewards = self._scorer.rewards(self.table.scores(), self.table.outcome())
        self._returns = [before + now for before, now in zip(self._returns, self._rewards, strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.move_text(player, self._move_of(player, action))

    def rewards(self) -> list[float]:
        return self._rewards

    def returns(self) -> list[float]:
        return self._returns

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return information_text(self.table, seat, self.history_of_table)

    def observation_string(self, player: int | None = None) -> str:
        return table_text(self.table, self.current_player() if player is None else player)

    def resample_from_infostate(self, player: int, sampler: Any) -> WelliesState:
        """A state that this player cannot tell from this one. `sampler` returns random numbers from 0 to 1.

        What only the others were told is not known in it. Its `history` is still that of this state."""
        other: WelliesState = self.clone()
        other.table = self.table.resample(player, Stream(int(sampler() * SEEDS)))
        other.history_of_table = self.history_of_table.resampled(player, other.table)
        return other

    def __str__(self) -> str:
        return json.dumps(self.table.position(), sort_keys=True, separators=(",", ":"))


class WelliesObserver:
    """What a player observes: tensors of the present, or texts, also of the past."""

    def __init__(self, shared: Shared, wanted: Any) -> None:
        self.shared = shared
        self.wanted = wanted
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        both = wanted.public_info and wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if both and not wanted.perfect_recall:
            self._expansion = Expansion(shared.encoding.fields, as_planes=True)
            self._cells = bytearray(shared.encoding.size)
            self.tensor = np.zeros(self._expansion.size, np.float32)
            for name, (start, shape) in self._expansion.spans.items():
                self.dict[name] = self.tensor[start : start + int(np.prod(shape))].reshape(shape)

    def set_from(self, state: WelliesState, player: int) -> None:
        """Fill `tensor`, and with it `dict`."""
        if self.tensor is not None:
            self.shared.encoding.observe(state.table, player, self._cells)
            self.tensor[:] = self._expansion(np.frombuffer(self._cells, dtype=np.uint8))

    def string_from(self, state: WelliesState, player: int) -> str | None:
        """The observation as a text; None for private information without the public one."""
        if not self.wanted.public_info:
            return None
        if self.wanted.private_info == pyspiel.PrivateInfoType.NONE:
            return json.dumps(state.table.position(None), sort_keys=True, separators=(",", ":"))
        return (
            state.information_state_string(player) if self.wanted.perfect_recall else state.observation_string(player)
        )
