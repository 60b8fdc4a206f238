"""Thousands of games at once, with NumPy arrays in and out, on one processor or several.

    from wellies.research.vector import VectorEnv

    with VectorEnv("puppies", num_envs=1024, seats=2, processes=2, seed=1) as env:
        env.reset()
        for _ in range(1000):
            observations, masks, rewards, dones, infos = env.step(env.sample_actions())

Each row of the arrays is a game. One seat decides at a time: `infos["seat"]`. The observation and the mask are that
seat's. Where several seats choose at once, they decide one after the other, and none sees the others' choices. Dice
are rolled inside. A game that ends is followed by a new one in the same row: `dones` is 1 in that step, `rewards`
belongs to the game that ended, and observation and mask belong to the new one.

The same seed gives the same games, whatever the number of processes: each row has dice of its own.

Rewards have a column for each seat. Their kinds are those of `wellies.research.rewards`.

All arrays are made once and overwritten by each step: copy what must last. They cannot be written to.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import multiprocessing
import secrets
import traceback
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, cast

from wellies.bots.process_pool import WorkerLost, init_worker, signals_blocked
from wellies.core.batch import Batch
from wellies.core.dice import Stream
from wellies.core.encoding import Encoding
from wellies.core.errors import BadOption, IllegalMove, WelliesError, nearest
from wellies.core.events import Json
from wellies.core.extras import require
from wellies.core.outcome import Outcome
from wellies.core.state import GameState
from wellies.games import game as game_named
from wellies.research.episode import encoding_of
from wellies.research.rewards import BY_THE_MOVE, check_rewards, differences, rank_rewards, win_rewards

require("research", "numpy", needs="wellies.research.vector")

import numpy as np
from numpy.typing import NDArray

OBSERVATIONS: Final = ("flat", "none")
MOST_GAMES: Final = 1_000_000
MOST_PROCESSES: Final = 256
SHOWN_ACTIONS: Final = 20
"""So many legal actions are named in an error."""

ORDER_RESET: Final = b"r"
ORDER_STEP: Final = b"s"
DONE: Final = b""
"""A worker's answer when all went well; otherwise the answer is the error in words."""

# Looked for in the bytes of an array: much quicker than NumPy's `any` where there are few.
ENDED: Final = b"\1"
NOT_LEGAL: Final = b"\0"

Bytes = NDArray[np.uint8]
Step = tuple[Bytes, Bytes, NDArray[np.float32], Bytes, dict[str, NDArray[np.int32]]]


class Layout:
    """Where each array lies in the one piece of memory that all processes share. Rows of a process are consecutive."""

    def __init__(self, rows: int, seats: int, cells: int, masks: int) -> None:
        self.size = 0
        self.actions = self._place(4 * rows)
        self.seats = self._place(4 * rows)
        self.rewards = self._place(4 * rows * seats)
        self.finals = self._place(4 * rows * seats)
        self.lengths = self._place(4 * rows)
        self.dones = self._place(rows)
        self.masks = self._place(masks)
        self.observations = self._place(cells)

    def _place(self, size: int) -> slice:
        """The next part, from a multiple of 64 bytes on."""
        start = -(-self.size // 64) * 64
        self.size = start + size
        return slice(start, start + size)


class Rows:
    """The rows that one process works on: its games, and its share of the arrays as memoryviews."""

    def __init__(
        self, setting: Setting, memory: Any, first: int, last: int, own: tuple[Any, Any] | None = None
    ) -> None:
        """`own` are masks and observations of this process alone, in place of those in the memory."""
        layout = setting.layout
        seats, count = setting.seats, last - first
        spec = game_named(setting.game)
        start: GameState = spec.start(seats, setting.options)
        encoding = encoding_of(start)
        streams = [Stream(f"vector {setting.seed} {row}") for row in range(first, last)]
        self.batch = Batch(start, encoding, streams, setting.count_gains)
        view = memoryview(memory).cast("B")
        self._actions = _part(view, layout.actions, first, count, 4, "i")
        self._seats = _part(view, layout.seats, first, count, 4, "i")
        self._rewards = _part(view, layout.rewards, first, count, 4 * seats, "f")
        self._finals = _part(view, layout.finals, first, count, 4 * seats, "i")
        self._lengths = _part(view, layout.lengths, first, count, 4, "i")
        self._dones = _part(view, layout.dones, first, count, 1, "B")
        self._masks: Any
        self._observations: Any
        if own is not None:
            self._masks, self._observations = own
        else:
            self._masks = _part(view, layout.masks, first, count, encoding.actions, "B")
            self._observations = _part(view, layout.observations, first, count, encoding.size, "B")
        if not setting.observe:
            self._observations = None

    def reset(self) -> None:
        self.batch.reset(self._observations, self._masks, self._seats)

    def step(self) -> None:
        self.batch.step(
            self._actions,
            self._observations,
            self._masks,
            self._seats,
            self._rewards,
            self._dones,
            self._finals,
            self._lengths,
        )


class Setting:
    """What all processes must know."""

    def __init__(
        self, game: str, seats: int, options: Json, seed: int, count_gains: bool, observe: bool, layout: Layout
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.count_gains = count_gains
        self.observe = observe
        self.layout = layout


class VectorEnv:
    """`num_envs` games of one kind, stepped together. See the module for what the arrays hold.

    With `processes=1` all happens in this process. With more, so many workers are started, and each has its share of
    the rows; `method` is how (`fork`, `spawn` or `forkserver`; None for the system's default). Close it when you are
    done, or use `with`: that ends the workers. Their memory has no name in the system, so nothing of it can be left
    behind, however this process ends.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seats: int | None = None,
        options: Json | None = None,
        processes: int = 1,
        seed: int | None = None,
        observations: str = "flat",
        rewards: str = "win",
        method: str | None = None,
    ) -> None:
        spec = game_named(game)
        self.game = spec.name
        self.num_envs = _whole("num_envs", num_envs, 1, MOST_GAMES)
        self.processes = min(_whole("processes", processes, 1, MOST_PROCESSES), self.num_envs)
        _one_of("observations", observations, OBSERVATIONS)
        self._kind = check_rewards(rewards)
        start = spec.start(seats, options)
        self.seats = start.seats
        if self.seats == 1 and self._kind != "points":
            raise BadOption(f"rewards={rewards!r} needs a rival, and one seat has none; use rewards='points'.")
        self.seed = secrets.randbelow(1 << 31) if seed is None else _whole("seed", seed, 0, (1 << 63) - 1)
        self.encoding: Encoding = encoding_of(start)
        """The meaning of all actions and of all cells of an observation."""
        observe = observations == "flat"
        cells = self.encoding.size if observe else 0
        alone = self.processes == 1
        shared_rows = 0 if alone else self.num_envs
        layout = Layout(self.num_envs, self.seats, shared_rows * cells, shared_rows * self.encoding.actions)
        setting = Setting(self.game, self.seats, options or {}, self.seed, self._kind in BY_THE_MOVE, observe, layout)
        context: Any = multiprocessing.get_context(method)
        # The memory of a RawArray is a file that is deleted as soon as it is made (on Windows it has no file).
        memory = context.RawArray(ctypes.c_uint8, layout.size)
        view = np.frombuffer(memory, np.uint8)
        # Where nobody shares them, the large arrays are the memory of bytearrays: rows are copied into these sooner.
        own = (bytearray(self.num_envs * self.encoding.actions), bytearray(self.num_envs * cells)) if alone else None
        masks, seen = (view[layout.masks], view[layout.observations]) if own is None else map(_as_array, own)
        self._arrays(view, layout, masks.reshape(self.num_envs, -1), seen.reshape(self.num_envs, cells))
        self._random = np.random.default_rng(self.seed)
        self._all = np.arange(self.num_envs)
        self._by_the_move = self._kind in BY_THE_MOVE
        self._ended = False
        """Whether a game ended in the last step."""
        self._started = False
        self._closed = False
        self._broken = ""
        """Why no more steps can be made."""
        self._rows: Rows | None = None
        self._workers: list[tuple[BaseProcess, Connection[Any, Any]]] = []
        if alone:
            self._rows = Rows(setting, memory, 0, self.num_envs, own)
        else:
            self._start_workers(context, setting, memory)

    def _arrays(self, memory: Bytes, layout: Layout, masks: Bytes, observations: Bytes) -> None:
        rows, seats = self.num_envs, self.seats
        self._actions = memory[layout.actions].view(np.int32)
        self._rewards = memory[layout.rewards].view(np.float32).reshape(rows, seats)
        self._dones = memory[layout.dones]
        self.observations: Bytes = _closed(observations)
        """[game, cell]: what the seat to act sees. `encoding.fields` describes the cells."""
        self.masks: Bytes = _closed(masks)
        """[game, action]: 1 for the legal actions of the seat to act. `encoding.action_groups` describes them."""
        self.rewards: NDArray[np.float32] = _closed(self._rewards)
        """[game, seat]."""
        self.dones: Bytes = _closed(self._dones)
        """[game]: 1 if a game ended in the last step."""
        self.infos: dict[str, NDArray[np.int32]] = {
            "seat": _closed(memory[layout.seats].view(np.int32)),
            "final_scores": _closed(memory[layout.finals].view(np.int32).reshape(rows, seats)),
            "length": _closed(memory[layout.lengths].view(np.int32)),
        }
        """`seat` [game]: who is to act. `final_scores` [game, seat] and `length` [game], in decisions, are those of the
        last game that ended in this row; zeros before."""

    # --- playing ------------------------------------------------------------------------------------------------------

    def reset(self) -> tuple[Bytes, Bytes, dict[str, NDArray[np.int32]]]:
        """Begin all games anew. The dice go on: two resets give different games."""
        self._check_open()
        self._clear()
        self._order(ORDER_RESET)
        self._started = True
        return self.observations, self.masks, self.infos

    def step(self, actions: Any) -> Step:
        """Carry out one action in each game: a whole number for each, as an array or a list.

        If one of them is not legal, IllegalMove names the game, the action and the legal ones, and nothing has changed.
        """
        self._check_open()
        if not self._started:
            raise BadOption("step() comes after reset(); call reset() once first.")
        self._actions[:] = self._checked(actions)
        self._clear()
        self._order(ORDER_STEP)
        self._ended = ENDED in self._dones.tobytes()
        if self._ended or self._by_the_move:
            self._reward()
        return self.observations, self.masks, self.rewards, self.dones, self.infos

    def _clear(self) -> None:
        """Set what the last step has written of rewards and of games that ended to 0."""
        if self._ended or self._by_the_move:
            self._rewards.fill(0)
            self._dones.fill(0)
            self._ended = False

    def _reward(self) -> None:
        """Turn the gains of this step, or the scores of the games that have ended, into rewards."""
        if self._kind == "moves":
            gains = self._rewards
            rivals = (gains.sum(axis=1, keepdims=True) - gains) / (self.seats - 1)
            np.subtract(gains, rivals, out=gains)
        elif self._kind != "points":
            for row in np.flatnonzero(self._dones):
                outcome = Outcome(self.infos["final_scores"][row].tolist(), "")
                if self._kind == "win":
                    self._rewards[row] = win_rewards(outcome)
                else:
                    self._rewards[row] = rank_rewards(outcome) if self._kind == "rank" else differences(outcome.scores)

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, all as likely. Its randomness comes from the seed too."""
        flat = np.flatnonzero(self.masks.view(np.bool_))
        ends = np.searchsorted(flat, (self._all + 1) * self.encoding.actions)
        starts = np.concatenate(([0], ends[:-1]))
        picked = starts + (self._random.random(self.num_envs) * (ends - starts)).astype(np.int64)
        return cast("NDArray[np.int64]", flat[picked] % self.encoding.actions)

    def _checked(self, actions: Any) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise BadOption(
                f"step() takes {self.num_envs} whole numbers, one action for each game; this is an array of shape "
                f"{given.shape} and type {given.dtype}."
            )
        if np.maximum.reduce(given) >= self.encoding.actions or np.minimum.reduce(given) < 0:
            row = int(np.argmax((given < 0) | (given >= self.encoding.actions)))
            raise IllegalMove(
                f"game {row}: there is no action {given[row]}; {self.game} has the actions 0 to "
                f"{self.encoding.actions - 1}. {self._legal_words(row)}"
            )
        legal = self.masks[self._all, given]
        if NOT_LEGAL in legal.tobytes():
            row = int(np.argmin(legal))
            words = self.encoding.action_text(int(given[row]))
            seat = int(self.infos["seat"][row])
            raise IllegalMove(
                f"game {row}: action {given[row]} ({words}) is not legal for seat {seat}. {self._legal_words(row)}"
            )
        return given

    def _legal_words(self, row: int) -> str:
        legal = np.flatnonzero(self.masks[row])
        shown = ", ".join(map(str, legal[:SHOWN_ACTIONS]))
        more = f" and {len(legal) - SHOWN_ACTIONS} more (masks[{row}])" if len(legal) > SHOWN_ACTIONS else ""
        return f"Legal are: {shown}{more}."

    def states(self) -> list[GameState]:
        """The games as they are, with all that is hidden. For tests and for looking; only with one process, and never
        change one."""
        if self._rows is None:
            raise BadOption("states() works with processes=1 only: the states of workers are not here.")
        return self._rows.batch.states()

    # --- processes ----------------------------------------------------------------------------------------------------

    def _start_workers(self, context: Any, setting: Setting, memory: Any) -> None:
        bounds = [self.num_envs * index // self.processes for index in range(self.processes + 1)]
        try:
            for first, last in itertools.pairwise(bounds):
                ours, theirs = context.Pipe()
                worker = context.Process(
                    target=_work, args=(theirs, setting, memory, first, last), name="wellies games", daemon=True
                )
                with signals_blocked():
                    worker.start()
                theirs.close()  # so that its end is noticed
                self._workers.append((worker, ours))
            self._collect()
        except BaseException:
            self.close()
            raise

    def _order(self, order: bytes) -> None:
        if self._rows is not None:
            try:
                if order == ORDER_STEP:
                    self._rows.step()
                else:
                    self._rows.reset()
            except BaseException as error:
                self._broken = f"an earlier step failed: {error}"
                raise
            return
        try:
            for _worker, link in self._workers:
                with contextlib.suppress(OSError):  # a worker that is gone is noticed when its answer is read
                    link.send_bytes(order)
            self._collect()
        except BaseException as error:  # also Ctrl-C: some rows have made the step and others have not
            self._broken = self._broken or f"an earlier step failed: {error or type(error).__name__}"
            self.close()
            raise

    def _collect(self) -> None:
        """Wait for all workers. WorkerLost if one has ended, WelliesError with its words if one failed."""
        for index, (worker, link) in enumerate(self._workers):
            try:
                answer = link.recv_bytes()
            except (EOFError, OSError):
                worker.join()
                self._broken = (
                    f"worker process {index} of {self.processes} has ended by itself (exit code {worker.exitcode}); "
                    "make a new VectorEnv."
                )
                raise WorkerLost(self._broken) from None
            if answer != DONE:
                self._broken = f"worker process {index} of {self.processes} failed: {answer.decode()}"
                raise WelliesError(self._broken)

    def _check_open(self) -> None:
        if self._broken:
            raise WelliesError(f"this VectorEnv is closed: {self._broken}")
        if self._closed:
            raise WelliesError("this VectorEnv is closed; make a new one.")

    def close(self) -> None:
        """End the workers. The arrays can still be read. Closing twice does no harm."""
        self._closed = True
        for worker, link in self._workers:
            worker.kill()
            worker.join()
            link.close()
        self._workers = []
        self._rows = None

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __del__(self) -> None:
        for worker, _link in getattr(self, "_workers", []):
            worker.kill()

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game}, {self.num_envs} games, {self.seats} seats, {self.processes} processes>"


def _work(link: Connection[Any, Any], setting: Setting, memory: Any, first: int, last: int) -> None:
    """In a worker: carry out orders until the parent is gone."""
    init_worker()
    try:
        rows = Rows(setting, memory, first, last)
        link.send_bytes(DONE)
        while True:
            order = link.recv_bytes()
            if order == ORDER_STEP:
                rows.step()
            else:
                rows.reset()
            link.send_bytes(DONE)
    except (EOFError, OSError):
        return
    except WelliesError as error:
        link.send_bytes(str(error).encode())
    except Exception:
        link.send_bytes(traceback.format_exc().encode())


def _part(view: memoryview, whole: slice, first: int, count: int, width: int, kind: str) -> memoryview:
    """Rows `first` to `first + count` of an array, as numbers of this kind."""
    start: int = whole.start + first * width
    part = view[start : start + count * width]
    return part if kind == "B" else cast("memoryview", part.cast(cast("Any", kind)))


def _as_array(memory: bytearray) -> Bytes:
    return np.frombuffer(memory, np.uint8)


def _closed(array: NDArray[Any]) -> Any:
    """A view of an array through which it cannot be changed."""
    view = array.view()
    view.flags.writeable = False
    return view


def _whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise BadOption(f"{name}={value!r}: give a whole number from {least} to {most}.")
    return int(value)


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadOption(f"{name}={value!r}: give one of {', '.join(known)}.{nearest(str(value), list(known))}")
