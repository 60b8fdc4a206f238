"""The games as environments of PettingZoo: every seat is an agent.

`env` is turn by turn (AEC). The agent that is asked is a seat that the game waits for. Where several choose at once,
they are asked one after the other, and none sees what the others have chosen. A seat that may act out of turn, such as
one with a net in Ultimate Aquarium, is not asked.

`parallel_env` steps all seats together. The last action, `wait`, is for seats that the game does not wait for; it is
legal for them alone. A seat that may act out of turn can take its action in place of waiting.

An observation is a dictionary: `observation`, in one of the forms of `tensors`, and `action_mask`. An illegal action
changes nothing, and the agent's info has the rule that it breaks under `refused`; with `illegal="error"` it raises
IllegalMove.
"""

from __future__ import annotations

from typing import Any

from wellies.core.extras import require

require("research", "pettingzoo", "gymnasium", "numpy", needs="wellies.research.pettingzoo")

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.types import Seat
from wellies.research.episode import Episode, Seeds, check_illegal, refuse
from wellies.research.rendering import RENDER_MODES, Renderer
from wellies.research.rewards import Scorer
from wellies.research.spaces import observation_space, with_mask
from wellies.research.tensors import Observer


def env(
    game: str | GameSpec, seats: int | None = None, options: Json | None = None, **settings: Any
) -> AECEnv[Any, Any, Any]:
    """A game turn by turn. The settings are those of `SeatsEnv`.

    With `max_cycles`, a game is cut off after so many cycles, in each of which every seat is asked once, and those that
    the game does not wait for wait: it is then `parallel_env` turn by turn.
    """
    if settings.get("max_cycles") is not None:
        cycles: AECEnv[Any, Any, Any] = parallel_to_aec(parallel_env(game, seats, options, **settings))
        return cycles
    settings.pop("max_cycles", None)
    return OrderEnforcingWrapper(SeatsEnv(game, seats, options, **settings))


def raw_env(
    game: str | GameSpec, seats: int | None = None, options: Json | None = None, **settings: Any
) -> AECEnv[Any, Any, Any]:
    """`env` without the wrapper that watches the order of calls: a little faster."""
    return SeatsEnv(game, seats, options, **settings)


def parallel_env(
    game: str | GameSpec, seats: int | None = None, options: Json | None = None, **settings: Any
) -> ParallelEnv[Any, Any, Any]:
    """A game in which all seats step together. The settings are those of `ParallelSeatsEnv`."""
    return ParallelSeatsEnv(game, seats, options, **settings)


class Table:
    """What both kinds of environments have: a game, its agents, observations and rewards."""

    def __init__(
        self,
        game: str | GameSpec,
        seats: int | None,
        options: Json | None,
        *,
        position: Json | None,
        rewards: str,
        observations: str,
        illegal: str,
        render_mode: str | None,
        waiting: bool,
    ) -> None:
        self.episode = Episode(game, seats, options, position)
        self.observer = Observer(self.episode.encoding, observations)
        self.scorer = Scorer(rewards)
        self.illegal = check_illegal(illegal)
        self.renderer = Renderer(render_mode)
        self.seeds = Seeds()
        self.agents = [f"seat_{seat}" for seat in range(self.episode.seats)]
        self.seat_of: dict[str, Seat] = {agent: seat for seat, agent in enumerate(self.agents)}
        actions = self.episode.encoding.actions
        self.wait = actions if waiting else -1
        """The action of seats that the game does not wait for; -1 if there is none."""
        self.actions = actions + 1 if waiting else actions
        seen = observation_space(self.observer)
        self.observation_spaces = {agent: with_mask(seen, self.actions) for agent in self.agents}
        self.action_spaces = {agent: spaces.Discrete(self.actions) for agent in self.agents}
        self.state_space = spaces.Box(0, 255, (self.episode.encoding.size * self.episode.seats,), dtype=np.uint8)

    def reset(self, seed: int | None) -> None:
        self.episode.reset(self.seeds.next(seed))
        self.scorer.begin(self.episode.state.scores())

    def observe(self, agent: str) -> dict[str, Any]:
        state, seat = self.episode.state, self.seat_of[agent]
        mask = self.observer.mask(state, seat)
        if self.wait >= 0:
            mask = np.append(mask, np.int8(seat not in state.due()))
        return {"observation": self.observer.observe(state, seat), "action_mask": mask}

    def rewards(self) -> dict[str, float]:
        """What each agent gets for what has happened since the last call."""
        state = self.episode.state
        return dict(zip(self.agents, self.scorer.rewards(state.scores(), state.outcome()), strict=True))

    def state(self) -> npt.NDArray[np.uint8]:
        """The flat observations of all seats, one after the other: together they hold all but the order of a deck."""
        return np.concatenate([self.observer.cells(self.episode.state, seat) for seat in range(self.episode.seats)])

    def metadata(self) -> dict[str, Any]:
        name = self.episode.spec.name
        return {"name": f"{name}_v0", "render_modes": list(RENDER_MODES), "render_fps": 2, "is_parallelizable": False}


class SeatsEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game turn by turn.

    `position` begins each game there (see docs/positions.md); `rewards` is one of `rewards`, `observations` one of the
    forms of `tensors`; `illegal` is "refuse" or "error"; `render_mode` is "ansi", "human" or "rgb_array".
    """

    def __init__(
        self,
        game: str | GameSpec,
        seats: int | None = None,
        options: Json | None = None,
        *,
        position: Json | None = None,
        rewards: str = "win",
        observations: str = "flat",
        illegal: str = "refuse",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(
            game,
            seats,
            options,
            position=position,
            rewards=rewards,
            observations=observations,
            illegal=illegal,
            render_mode=render_mode,
            waiting=False,
        )
        self.metadata = self.table.metadata()
        self.render_mode = render_mode
        self.possible_agents = self.table.agents.copy()
        self.state_space = self.table.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Options of a reset are not used: the game's options are given when the environment is made."""
        self.table.reset(seed)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._ask()
        self.table.renderer.show(self.table.episode.state)

    def _ask(self) -> None:
        """Ask the next seat that the game waits for; when there is none, the game is over for all."""
        due = self.table.episode.state.due()
        self.terminations = dict.fromkeys(self.agents, not due)
        if due:
            self.agent_selection = self.possible_agents[due[0]]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        episode = self.table.episode
        seat = self.table.seat_of[agent]
        self._cumulative_rewards[agent] = 0.0
        self.infos = {each: {} for each in self.agents}
        why = episode.refusal(seat, action)
        if why is None:
            episode.play(seat, action)
            self.rewards = self.table.rewards()
        else:
            self.infos[agent] = refuse(why, self.table.illegal)
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._accumulate_rewards()
        self._ask()
        self.table.renderer.show(episode.state)

    def observe(self, agent: str) -> dict[str, Any]:
        return self.table.observe(agent)

    def state(self) -> npt.NDArray[np.uint8]:
        return self.table.state()

    def render(self) -> Any:
        return self.table.renderer.render(self.table.episode.state)

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class ParallelSeatsEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which all seats step together. The settings are those of `SeatsEnv`; and a game is cut off after
    `max_cycles` steps, if that is given."""

    def __init__(
        self,
        game: str | GameSpec,
        seats: int | None = None,
        options: Json | None = None,
        *,
        position: Json | None = None,
        rewards: str = "win",
        observations: str = "flat",
        illegal: str = "refuse",
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        self.table = Table(
            game,
            seats,
            options,
            position=position,
            rewards=rewards,
            observations=observations,
            illegal=illegal,
            render_mode=render_mode,
            waiting=True,
        )
        self.metadata = self.table.metadata()
        self.render_mode = render_mode
        self.possible_agents = self.table.agents.copy()
        self.agents: list[str] = []
        self.state_space = self.table.state_space
        self.max_cycles = max_cycles
        self._cycles = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """A new game. Options of a reset are not used: the game's options are given when the environment is made."""
        self.table.reset(seed)
        self.agents = self.possible_agents.copy()
        self._cycles = 0
        self.table.renderer.show(self.table.episode.state)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Any]:
        return {agent: self.table.observe(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """All seats act: those out of turn first, then those that the game waits for. Chance follows."""
        if not isinstance(actions, dict) or not self.table.seat_of.keys() >= actions.keys():
            raise BadOption(
                f"step() takes a dictionary from agents to actions; the agents are {', '.join(self.agents)}."
            )
        episode = self.table.episode
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        due = episode.state.due()
        for agent in sorted(self.agents, key=lambda each: (self.table.seat_of[each] in due, self.table.seat_of[each])):
            why = self._act(agent, actions.get(agent, self.table.wait), due)
            if why is not None:
                infos[agent] = refuse(why, self.table.illegal)
        episode.roll()
        self._cycles += 1
        rewards = self.table.rewards()
        over = not episode.state.due()
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        observations = self._observations()
        terminations, truncations = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        self.table.renderer.show(episode.state)
        return observations, rewards, terminations, truncations, infos

    def _act(self, agent: str, action: Any, due: list[Seat]) -> str | None:
        """Take the action of one seat; returns why it may not, if so."""
        seat = self.table.seat_of[agent]
        if action == self.table.wait:
            return "The game waits for this seat, so it cannot wait." if seat in due else None
        why = self.table.episode.refusal(seat, action)
        if why is None:
            self.table.episode.step(seat, action)
        return why

    def state(self) -> npt.NDArray[np.uint8]:
        return self.table.state()

    def render(self) -> Any:
        return self.table.renderer.render(self.table.episode.state)

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
