"""The games as environments of Gymnasium: one seat is the agent, and bots play the others.

`gymnasium.make("wellies/Guppies-v0", seats=2, opponents="greedy")`, after `import wellies.research`.

A step takes the agent's action; then chance and the bots go on until the agent has to decide again or the game is over.
The mask of legal actions is in the info as `action_mask`, and `action_masks()` returns it too, as libraries for masked
learning ask for it. An illegal action changes nothing; the info has the rule that it breaks under `refused`, and the
reward is `illegal_reward`. With `illegal="error"` it raises IllegalMove.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wellies.core.extras import require

require("research", "gymnasium", "numpy", needs="wellies.research.gymnasium")

import gymnasium
import numpy as np
import numpy.typing as npt

from wellies.bots import make_bot
from wellies.bots.base import Bot, BotSession
from wellies.core.dice import Stream
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.types import Seat
from wellies.research.episode import Episode, check_illegal, refuse
from wellies.research.rendering import RENDER_MODES, Renderer
from wellies.research.rewards import Scorer
from wellies.research.spaces import observation_space
from wellies.research.tensors import Observer

RANDOM_SEAT = "random"


class GameEnv(gymnasium.Env[Any, Any]):
    """One seat of a game against bots.

    `opponents` is a bot for all other seats, or a list with one for each of them in turn order: texts such as `greedy`
    or `storm:ms=50`, or bots. `seat` is the agent's: a number, or "random" for another one in each game. The other
    settings are those of `pettingzoo.SeatsEnv`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | GameSpec,
        seats: int | None = None,
        options: Json | None = None,
        *,
        opponents: str | Bot | Sequence[str | Bot] = "greedy",
        seat: int | str = 0,
        position: Json | None = None,
        rewards: str = "win",
        observations: str = "flat",
        illegal: str = "refuse",
        illegal_reward: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.episode = Episode(game, seats, options, position)
        self.observer = Observer(self.episode.encoding, observations)
        self.scorer = Scorer(rewards)
        self.illegal = check_illegal(illegal)
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.renderer = Renderer(render_mode)
        self.wanted_seat = _checked_seat(seat, self.episode.seats)
        self.opponents = _checked_bots(opponents, self.episode.seats - 1)
        self.seat: Seat = 0
        """The agent's seat in this game."""
        self._begun = False
        self._players: dict[Seat, BotSession] = {}
        self._streams: dict[Seat, Stream] = {}
        self.observation_space = observation_space(self.observer)
        self.action_space = gymnasium.spaces.Discrete(self.episode.encoding.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, played on until the agent has to decide. Options of a reset are not used."""
        super().reset(seed=seed)
        stream = Stream(self.np_random.bytes(16))
        seats = self.episode.seats
        self.seat = stream.fork("seat").randrange(seats) if self.wanted_seat is None else self.wanted_seat
        self._players = {}
        self._streams = {}
        for index, bot in enumerate(self.opponents):
            other = (self.seat + 1 + index) % seats
            self._players[other] = bot.session()
            self._streams[other] = stream.fork(f"bot {index}")
        self.episode.reset(stream.fork("dice").word())
        self._begun = True
        self.scorer.begin(self.episode.state.scores())
        self._let_bots_play()
        self._reward()
        self.renderer.show(self.episode.state)
        return self.observer.observe(self.episode.state, self.seat), self._info()

    def _let_bots_play(self) -> None:
        """The bots make their moves until the agent is asked. Of those who choose at once, bots choose first; they see
        nothing of what the agent will choose, nor it of theirs."""
        state = self.episode.state
        while True:
            waiting = [seat for seat in state.due() if seat != self.seat]
            if not waiting:
                return
            seat = waiting[0]
            state.step(seat, self._players[seat].choose(state, seat, self._streams[seat]))
            self.episode.roll()

    def _reward(self) -> float:
        state = self.episode.state
        return self.scorer.rewards(state.scores(), state.outcome())[self.seat]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.observer.mask(self.episode.state, self.seat)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """True for each legal action."""
        return self.observer.mask(self.episode.state, self.seat).astype(np.bool_)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self._begun:
            raise BadOption("step() comes after reset(); call reset() once first.")
        state = self.episode.state
        why = self.episode.refusal(self.seat, action)
        if why is not None:
            info = {**self._info(), **refuse(why, self.illegal)}
            over = not state.due()
            return self.observer.observe(state, self.seat), self.illegal_reward, over, False, info
        self.episode.play(self.seat, action)
        self._let_bots_play()
        reward = self._reward()
        self.renderer.show(state)
        return self.observer.observe(state, self.seat), reward, not state.due(), False, self._info()

    def render(self) -> Any:
        return self.renderer.render(self.episode.state)


def _checked_seat(seat: int | str, seats: int) -> Seat | None:
    """The agent's seat; None for another one in each game."""
    if seat == RANDOM_SEAT:
        return None
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats:
        raise BadOption(f"seat: {seat!r} is not a seat; give a number from 0 to {seats - 1}, or {RANDOM_SEAT!r}.")
    return seat


def _checked_bots(opponents: str | Bot | Sequence[str | Bot], count: int) -> list[Bot]:
    """A bot for each of the other seats."""
    if not isinstance(opponents, str | Bot | Sequence):
        raise BadOption(f"opponents: {opponents!r} is no bot; give the name of one, or a list with one for each seat.")
    listed = [opponents] * count if isinstance(opponents, str | Bot) else list(opponents)
    for each in listed:
        if not isinstance(each, str | Bot):
            raise BadOption(
                f"opponents: {each!r} is no bot; give a name such as 'greedy', or an object of the class Bot."
            )
    if len(listed) != count:
        raise BadOption(f"opponents: {len(listed)} bots for {count} other seats; name one for all, or one for each.")
    return [make_bot(each) if isinstance(each, str) else each for each in listed]
