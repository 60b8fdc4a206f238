"""Data sets of games between bots, as Parquet files: making them, and reading them as NumPy, Arrow or PyTorch.

    wellies dataset make puppies --bots storm,shower --games 1000 --out puppies.parquet

    from wellies.research.data import Dataset
    data = Dataset("puppies.parquet")
    data.numpy("observation", "action", "result")

A row is a decision. Rows are in the order of play, game after game:

| column | type | what |
|---|---|---|
| game | int32 | the number of the game |
| decision | int32 | the number of the decision in its game, from 0 |
| seat | int8 | who decides |
| bot | string | what plays that seat |
| observation | bytes | what the seat sees, as `Encoding.observe` writes it |
| legal | list of int32 | all legal actions |
| action | int32 | the action that the bot chose |
| move | string | the same in notation |
| value | float32 | what a bot that searches expects of its move, from 0 to 1: 0.5 for an equal end, more for a lead, the larger the more. Null for other bots, and where there was no choice |
| values | list of float32 | the same for each of the legal actions; null where it did not look |
| score | int32 | the final score of this seat |
| margin | int32 | its lead over the best other seat at the end; negative if it is behind |
| result | float32 | the reward `win` of this seat (see `rewards`) |

The file describes itself: `Dataset.card` says how it was made and what cells and actions mean, and beside `FILE.parquet`
there is a card for people, `FILE.md`. The same command with the same Wellies makes the same rows, whatever the number
of processes, as long as no bot has a time limit (`storm:ms=0`).
"""
# ruff: noqa: E501

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from wellies.bots import make_bot
from wellies.bots.process_pool import ProcessPool
from wellies.bots.search.session import SearchSession
from wellies.bots.simulate import RETRIES, Plan, make_plan, play_out
from wellies.core.dice import Stream
from wellies.core.encoding import Encoding
from wellies.core.errors import BadOption, WelliesError
from wellies.core.events import Json
from wellies.core.extras import require
from wellies.core.files import sync_folder
from wellies.core.outcome import Outcome
from wellies.core.state import GameState
from wellies.games import game
from wellies.research.episode import encoding_of
from wellies.research.rewards import win_rewards

FORMAT: Final = 1
"""The version of the columns."""

CARD_KEY: Final = b"wellies"
"""Where the card is in the file's metadata."""

GAMES_AT_ONCE: Final = 8
"""So many games are played and written together."""

Columns = dict[str, list[Any]]

COLUMNS: Final = (
    "game",
    "decision",
    "seat",
    "bot",
    "observation",
    "legal",
    "action",
    "move",
    "value",
    "values",
    "score",
    "margin",
    "result",
)


class BadDataset(WelliesError):
    """A file that is no data set of Wellies, or cannot be written."""


# --- making ---------------------------------------------------------------------------------------------------------


def make(
    path: Path | str,
    name: str,
    bots: list[str],
    games: int,
    seats: int | None = None,
    options: Json | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> Json:
    """Let bots play, changing seats from game to game, and write all their decisions. Returns the card.

    The files appear when they are complete: if anything goes wrong before, or the program is stopped, there is nothing
    of them, and files of the same name are as they were.
    """
    require("research", "pyarrow", needs="a data set")
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = Path(path)
    if target.suffix != ".parquet":
        raise BadDataset(f"{target} is not a name of a Parquet file; end it in .parquet.")
    if target.is_dir():
        raise BadDataset(f"{target} is a folder; name a file in it.")
    plan = make_plan(name, bots, seats, options, games, seed)
    encoding = encoding_of(game(plan.game).start(len(plan.bots), plan.options))
    schema = _schema(encoding)
    counts = {"games": 0, "decisions": 0}
    with _whole_file(target) as parts:
        data_part, card_part = parts
        with pq.ParquetWriter(data_part, schema, compression="zstd") as writer:
            for columns in _in_order(plan, jobs):
                writer.write_table(pa.table(columns, schema=schema))
                counts["games"] += len(set(columns["game"]))
                counts["decisions"] += len(columns["game"])
                if on_progress is not None:
                    on_progress(len(set(columns["game"])))
            card = make_card(plan, encoding, counts)
            writer.add_key_value_metadata({CARD_KEY.decode(): json.dumps(card)})
        Path(card_part).write_text(card_text(target.name, card), encoding="utf-8")
    return card


@contextlib.contextmanager
def _whole_file(target: Path) -> Iterator[tuple[str, str]]:
    """Names for the file and its card while they are written; they get their own names if all went well."""
    made: list[str] = []
    try:
        try:
            for _ in range(2):
                handle, part = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.absolute().parent)
                os.close(handle)
                made.append(part)
        except FileNotFoundError as error:
            raise BadDataset(f"there is no folder {target.parent}; make it first, or name another.") from error
        except OSError as error:
            raise BadDataset(f"nothing can be written in {target.parent} ({error.strerror}); name another.") from error
        try:
            yield made[0], made[1]
            for part, final in zip(made, (target, target.with_suffix(".md")), strict=True):
                with open(part, "rb+") as file:
                    os.fsync(file.fileno())
                os.chmod(part, 0o666 & ~_umask())
                os.replace(part, final)
        except OSError as error:
            raise BadDataset(f"cannot write {target} ({error.strerror or error}).") from error
        sync_folder(target.absolute().parent)
    finally:
        for part in made:
            with contextlib.suppress(OSError):
                os.unlink(part)


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now


def _in_order(plan: Plan, jobs: int) -> Iterator[Columns]:
    """The rows of all games, some games at a time, in the order of their numbers."""
    pieces = [(start, min(start + GAMES_AT_ONCE, plan.games)) for start in range(0, plan.games, GAMES_AT_ONCE)]
    if jobs <= 1:
        for start, stop in pieces:
            yield play_games(plan, start, stop)
        return
    with ProcessPool(min(jobs, len(pieces))) as pool:
        waiting: dict[int, Future[Columns]] = {}
        sent = 0
        for wanted in range(len(pieces)):
            # A few pieces ahead keep all workers busy, and memory small.
            while sent < len(pieces) and sent < wanted + 3 * jobs:
                waiting[sent] = pool.submit(play_games, plan, *pieces[sent], retries=RETRIES)
                sent += 1
            task = waiting.pop(wanted)
            yield task.result()


def play_games(plan: Plan, start: int, stop: int) -> Columns:
    """The rows of some games of a plan. They are the games that `wellies simulate` plays."""
    columns: Columns = {name: [] for name in COLUMNS}
    beginning = game(plan.game).start(len(plan.bots), plan.options)
    encoding = encoding_of(beginning)
    for number in range(start, stop):
        _play_game(plan, number, beginning.clone(), encoding, columns)
    return columns


def _play_game(plan: Plan, number: int, state: GameState, encoding: Encoding, columns: Columns) -> None:
    stream = Stream(f"simulate {plan.seed} {number}")
    seated = plan.seated(number)
    players = [make_bot(plan.bots[index]).session() for index in seated]
    streams = [stream.fork(f"bot {index}") for index in seated]
    cells = bytearray(encoding.size)
    first = len(columns["game"])

    def choose(seat: int, decision: int) -> int:
        player = players[seat]
        moves = state.legal(seat)
        legal = encoding.legal_actions(state, seat)
        encoding.observe(state, seat, cells)
        move = player.choose(state, seat, streams[seat])
        found: dict[int, float] = {}
        if isinstance(player, SearchSession) and len(moves) > 1 and player.result is not None:
            found = {each.move: each.mean() for each in player.result.evaluations}
        row = {
            "game": number,
            "decision": decision,
            "seat": seat,
            "bot": plan.bots[seated[seat]],
            "observation": bytes(cells),
            "legal": legal,
            "action": encoding.action_of(state, seat, move),
            "move": state.move_text(seat, move),
            "value": found.get(move),
            "values": [found.get(each) for each in moves] if found else None,
        }
        for name, value in row.items():
            columns[name].append(value)
        return move

    _, _, outcome = play_out(state, stream.fork("dice"), choose, number)
    results = win_rewards(outcome)
    for seat in columns["seat"][first:]:
        columns["score"].append(outcome.scores[seat])
        columns["margin"].append(_margin(outcome, seat))
        columns["result"].append(results[seat])


def _margin(outcome: Outcome, seat: int) -> int:
    others = [score for index, score in enumerate(outcome.scores) if index != seat]
    return outcome.scores[seat] - max(others, default=0)


def _schema(encoding: Encoding) -> Any:
    import pyarrow as pa

    types = {
        "game": pa.int32(),
        "decision": pa.int32(),
        "seat": pa.int8(),
        "bot": pa.string(),
        "observation": pa.binary(encoding.size),
        "legal": pa.list_(pa.int32()),
        "action": pa.int32(),
        "move": pa.string(),
        "value": pa.float32(),
        "values": pa.list_(pa.float32()),
        "score": pa.int32(),
        "margin": pa.int32(),
        "result": pa.float32(),
    }
    return pa.schema([pa.field(name, types[name]) for name in COLUMNS])


# --- the card -------------------------------------------------------------------------------------------------------


def make_card(plan: Plan, encoding: Encoding, counts: dict[str, int]) -> Json:
    """How a data set was made, and what its cells and actions mean, as JSON."""
    return {
        "format": FORMAT,
        "wellies": version("wellies"),
        "game": plan.game,
        "rules_version": game(plan.game).rules_version,
        "seats": len(plan.bots),
        "options": plan.options,
        "bots": plan.bots,
        "seed": plan.seed,
        **counts,
        "actions": encoding.actions,
        "cells": encoding.size,
        "action_groups": [
            {"name": each.name, "offset": each.offset, "shape": list(each.shape), "words": each.words}
            for each in encoding.action_groups
        ],
        "fields": [
            {
                "name": each.name,
                "offset": each.offset,
                "shape": list(each.shape),
                "words": each.words,
                "channels": [{"name": one.name, "top": one.top, "codes": one.codes} for one in each.channels],
            }
            for each in encoding.fields
        ],
    }


def card_text(file: str, card: Json) -> str:
    """The card for people, as Markdown."""
    options = ", ".join(f"{name} = {value}" for name, value in card["options"].items()) or "none"
    lines = [
        f"# {file}",
        "",
        f"Decisions of bots in {card['games']:,} games of {game(card['game']).title}, made by Wellies {card['wellies']}.",
        "",
        "| | |",
        "|---|---|",
        f"| game | {card['game']}, rules version {card['rules_version']} |",
        f"| seats | {card['seats']} |",
        f"| options | {options} |",
        f"| bots, by seat in game 0; they change seats from game to game | {', '.join(card['bots'])} |",
        f"| seed | {card['seed']} |",
        f"| games | {card['games']:,} |",
        f"| decisions (rows) | {card['decisions']:,} |",
        f"| observation | {card['cells']:,} unsigned bytes |",
        f"| actions | {card['actions']:,} |",
        "",
        "Play is that of the bots named above, and of nobody else: it shows their habits and their mistakes. No person's "
        "game is in it.",
        "",
        "The columns are described in `wellies.research.data`. An observation holds what the deciding seat may see.",
        "",
        "## Cells of an observation",
        "",
        "| field | first cell | shape | what |",
        "|---|---|---|---|",
        *[_part_row(each) for each in card["fields"]],
        "",
        "## Actions",
        "",
        "| group | first action | shape | what |",
        "|---|---|---|---|",
        *[_part_row(each) for each in card["action_groups"]],
    ]
    return "\n".join(lines) + "\n"


def _part_row(part: Json) -> str:
    shape = " x ".join(map(str, part["shape"])) or "1"
    return f"| {part['name']} | {part['offset']} | {shape} | {part['words']} |"


# --- reading --------------------------------------------------------------------------------------------------------


class Dataset:
    """A data set on disk. Columns are read when they are asked for."""

    def __init__(self, path: Path | str) -> None:
        require("research", "numpy", "pyarrow", needs="a data set")
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = Path(path)
        try:
            self._file = pq.ParquetFile(self.path)
        except FileNotFoundError as error:
            raise BadDataset(f"there is no file {self.path}; `wellies dataset make` makes one.") from error
        except (pa.ArrowInvalid, OSError) as error:
            raise BadDataset(f"{self.path} is not a Parquet file that can be read; make it again.") from error
        text = (self._file.schema_arrow.metadata or {}).get(CARD_KEY) or (self._file.metadata.metadata or {}).get(
            CARD_KEY
        )
        if text is None:
            raise BadDataset(f"{self.path} is a Parquet file, but not one that `wellies dataset make` has written.")
        self.card: Json = json.loads(text)
        """How it was made, and what its cells and actions mean."""
        if self.card["format"] != FORMAT:
            raise BadDataset(
                f"{self.path} has format {self.card['format']}, and this Wellies reads {FORMAT}; make it again."
            )

    def __len__(self) -> int:
        """How many decisions it has."""
        return int(self._file.metadata.num_rows)

    def __repr__(self) -> str:
        return f"<Dataset {self.path.name}: {self.card['game']}, {self.card['games']} games, {len(self)} decisions>"

    def encoding(self) -> Encoding:
        """The encoding that its observations and actions were written with. BadDataset if this Wellies has another."""
        encoding = encoding_of(game(self.card["game"]).start(self.card["seats"], self.card["options"]))
        if [(each.name, each.offset) for each in encoding.fields] != [
            (each["name"], each["offset"]) for each in self.card["fields"]
        ]:
            raise BadDataset(f"{self.path} was made by Wellies {self.card['wellies']}, which encodes states otherwise.")
        return encoding

    def arrow(self, *columns: str) -> Any:
        """These columns, or all, as a `pyarrow.Table`."""
        return self._file.read(columns=self._known(columns))

    def numpy(self, *columns: str) -> dict[str, Any]:
        """These columns, or all of fixed size, as NumPy arrays: `observation` as bytes [row, cell], `mask` (which is made
        from `legal`) as bytes [row, action], all others [row]. A missing value is NaN."""
        import numpy as np

        wanted = columns or tuple(name for name in COLUMNS if name not in ("legal", "values"))
        table = self._file.read(columns=self._known(["legal" if name == "mask" else name for name in wanted]))
        found: dict[str, Any] = {}
        for name in wanted:
            if name == "mask":
                found[name] = _masks(table["legal"], self.card["actions"])
            elif name == "observation":
                joined = b"".join(_bytes_of(chunk) for chunk in table[name].chunks)
                found[name] = np.frombuffer(joined, np.uint8).reshape(len(table), self.card["cells"])
            elif name in ("legal", "values"):
                raise BadDataset(f"{name} has lists of different lengths; read it with arrow(), or read `mask`.")
            else:
                found[name] = table[name].to_numpy()
        return found

    def torch(self, *columns: str) -> Any:
        """A `torch.utils.data.Dataset` of these columns (usually `observation`, `mask`, `action`, `result`): an item is a
        dictionary of tensors."""
        try:
            import torch
        except ImportError as error:
            raise BadDataset("PyTorch is not installed; pip install torch, or read the data with numpy().") from error
        wanted = columns or ("observation", "mask", "action", "result")
        tensors = {name: torch.from_numpy(array.copy()) for name, array in self.numpy(*wanted).items()}
        return torch.utils.data.StackDataset(**tensors)

    def _known(self, columns: Any) -> list[str] | None:
        for name in columns:
            if name not in COLUMNS:
                raise BadOption(f"a data set has no column {name!r}; it has {', '.join(COLUMNS)}.")
        return list(dict.fromkeys(columns)) or None


def _bytes_of(chunk: Any) -> bytes:
    """The bytes of an array of binary values of fixed size."""
    width = chunk.type.byte_width
    start = chunk.offset * width
    return bytes(memoryview(chunk.buffers()[1])[start : start + len(chunk) * width])


def _masks(legal: Any, actions: int) -> Any:
    import numpy as np

    masks = np.zeros((len(legal), actions), np.uint8)
    at = 0
    for chunk in legal.chunks:
        lengths = np.diff(chunk.offsets.to_numpy())
        masks[np.repeat(np.arange(at, at + len(chunk)), lengths), chunk.flatten().to_numpy()] = 1
        at += len(chunk)
    return masks
