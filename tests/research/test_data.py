"""Data sets of games: made by `wellies dataset make`, read by `wellies.research.data`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed (pip install 'wellies[research]')")
pytest.importorskip("pyarrow", reason="pyarrow is not installed (pip install 'wellies[research]')")

import wellies  # noqa: E402
from wellies.bots.simulate import make_plan, play_game  # noqa: E402
from wellies.cli import app  # noqa: E402
from wellies.core.errors import BadOption  # noqa: E402
from wellies.research.data import BadDataset, Dataset, make  # noqa: E402

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*words: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            app.run([str(word) for word in words])
        said = capsys.readouterr()
        assert isinstance(stopped.value.code, int)
        return stopped.value.code, said.out, said.err

    return call


@pytest.fixture(scope="module")
def puppies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two games between a bot that searches and one that does not."""
    path = tmp_path_factory.mktemp("data") / "puppies.parquet"
    make(path, "puppies", ["storm:nodes=4:ms=0", "random"], games=2, seed=4)
    return path


def test_rows_are_the_decisions_of_the_games_that_simulate_plays(puppies: Path) -> None:
    data = Dataset(puppies)
    rows = data.arrow().to_pylist()
    assert len(rows) == len(data) == data.card["decisions"]
    plan = make_plan("puppies", ["storm:nodes=4:ms=0", "random"], games=2, seed=4)
    for number in range(2):
        result = play_game(plan, number)
        mine = [row for row in rows if row["game"] == number]
        assert [row["decision"] for row in mine] == list(range(result.decisions))
        assert {(row["seat"], row["score"]) for row in mine} == set(enumerate(result.scores))
        for row in mine:
            assert row["bot"] == plan.bots[plan.seated(number)[row["seat"]]]
            assert row["margin"] == result.scores[row["seat"]] - result.scores[1 - row["seat"]]
            assert row["result"] == np.sign(row["margin"])


def test_the_moves_replay_to_the_observations_and_actions(puppies: Path) -> None:
    data = Dataset(puppies)
    encoding = data.encoding()
    arrays = data.numpy("observation", "mask", "action", "move", "seat", "game")
    cells, mask = bytearray(encoding.size), bytearray(encoding.actions)
    row = 0
    for number in range(2):
        state = wellies.game("puppies").start(2)
        dice = wellies.Stream(f"simulate 4 {number}").fork("dice")
        while due := state.due():
            if due == [wellies.CHANCE]:
                state.step(wellies.CHANCE, state.chance(dice))
                continue
            seat = int(arrays["seat"][row])
            encoding.observe(state, seat, cells)
            encoding.write_mask(state, seat, mask)
            assert arrays["observation"][row].tobytes() == cells
            assert arrays["mask"][row].tobytes() == mask
            move = state.spec.parse_move(state, seat, arrays["move"][row])
            assert encoding.action_of(state, seat, move) == arrays["action"][row]
            state.step(seat, move)
            row += 1
    assert row == len(data)


def test_a_bot_that_searches_leaves_its_values(puppies: Path) -> None:
    searched = 0
    for row in Dataset(puppies).arrow().to_pylist():
        if row["bot"] == "random" or len(row["legal"]) == 1:
            assert row["value"] is None
            assert row["values"] is None
            continue
        searched += 1
        assert len(row["values"]) == len(row["legal"])
        known = [value for value in row["values"] if value is not None]
        assert row["value"] == row["values"][row["legal"].index(row["action"])]
        assert all(0 <= value <= 1 for value in known)
    assert searched > 15


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    for name, jobs in (("one", 1), ("two", 2)):
        make(tmp_path / f"{name}.parquet", "aquarium", ["random"], games=20, seed=9, jobs=jobs)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_pytorch_reads_it_too(puppies: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install torch)")
    data = Dataset(puppies).torch("observation", "action")
    assert len(data) == len(Dataset(puppies))
    assert data[0]["observation"].dtype == torch.uint8


def test_the_card_says_how_it_was_made(puppies: Path, command: Command) -> None:
    text = puppies.with_suffix(".md").read_text()
    for words in ("2 games of Good Puppies", "storm:nodes=4:ms=0, random", "| seed | 4 |", "| cards | 0 | "):
        assert words in text
    code, out, err = command("dataset", "show", puppies)
    assert (code, err) == (0, "")
    assert "2 games of Good Puppies" in out


def test_the_command_makes_a_file_and_says_so(tmp_path: Path, command: Command) -> None:
    out_file = tmp_path / "small.parquet"
    code, out, err = command(
        "dataset", "make", "umbradeco", "--bots", "random", "--games", "2", "--seed", "1", "--out", out_file
    )
    assert (code, err) == (0, "")
    assert "144 decisions of 2 games, seed 1" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.md", "small.parquet"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["umbradeco", "--out", "{}/data.csv"], "end it in .parquet"),
        (["umbradeco", "--out", "{}"], "is a folder"),
        (["umbradeco", "--out", "{}/no/data.parquet"], "there is no folder"),
        (["umbradec", "--out", "{}/data.parquet"], 'Did you mean "umbradeco"?'),
        (["umbradeco", "--bots", "strom", "--out", "{}/data.parquet"], 'Did you mean "storm"?'),
        (["umbradeco", "--games", "0", "--out", "{}/data.parquet"], "--games 0"),
        (["umbradeco", "--jobs", "0", "--out", "{}/data.parquet"], "--jobs 0"),
        (["umbradeco", "-o", "mat=9", "--out", "{}/data.parquet"], "mat"),
    ],
)
def test_a_mistake_is_named_and_leaves_no_file(
    words: list[str], message: str, tmp_path: Path, command: Command
) -> None:
    code, out, err = command("dataset", "make", *[word.format(tmp_path) for word in words])
    assert (code, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_data_set_is_refused(tmp_path: Path, puppies: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pytest.raises(BadDataset, match=r"there is no file"):
        Dataset(tmp_path / "none.parquet")
    text = tmp_path / "text.parquet"
    text.write_text("no parquet")
    with pytest.raises(BadDataset, match="is not a Parquet file that can be read"):
        Dataset(text)
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    with pytest.raises(BadDataset, match="but not one that `wellies dataset make` has written"):
        Dataset(other)
    with pytest.raises(BadOption, match="no column 'reward'; it has game, decision"):
        Dataset(puppies).numpy("reward")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals are sent as on POSIX systems")
def test_stopping_it_leaves_no_half_file(tmp_path: Path) -> None:
    words = ["dataset", "make", "umbradeco", "--bots", "random", "--games", "1000000", "--out", "data.parquet"]
    process = subprocess.Popen([sys.executable, "-m", "wellies", *words], cwd=tmp_path, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.glob(".data.parquet.*.part")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_before_stays_if_something_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.parquet"
    make(path, "aquarium", ["random"], games=1, seed=1)
    before = path.read_bytes()
    monkeypatch.setattr("wellies.research.data.card_text", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make(path, "aquarium", ["random"], games=2, seed=1)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2
    assert wellies.game("aquarium").name == Dataset(path).card["game"]
