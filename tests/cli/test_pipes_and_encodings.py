"""Output that is no terminal: readers who leave early, files, and encodings that lack what we draw with."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import HERE

from wellies.cli import app, output
from wellies.match import Match, Record

Command = Callable[..., tuple[int, str, str]]
Run = Callable[[str, io.TextIOWrapper], tuple[int, str]]

WIDE = HERE / "golden" / "marram" / "animals-greedy-4.wellies"
COMMANDS = [
    "--help",
    "--version",
    "games",
    "games --json",
    "rules guppies",
    "cards puppies",
    "cards aquarium --json",
    "bots",
    "replay RECORD",
    "replay RECORD --at 3 --verify",
    "verify RECORD",
    "position POSITION",
    "position POSITION --json",
    "simulate guppies --bots random --games 1 --seed 1",
    "simulate guppies --bots random --games 1 --seed 1 --json",
    "arena guppies --bots random,greedy:looks=1 --games 1 --seed 1 -o tiles=64",
    "analyse RECORD --nodes 1",
    "play guppies -p bot:random --seed 1 -o tiles=64",
]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A short record and a position to read, with names that only some encodings have."""
    folder = tmp_path_factory.mktemp("given")
    match = Match("umbradeco", seats=2, seed=4, players=["Zoë", "bot:greedy"])
    for _ in range(6):
        seat = match.state.due()[0]
        match.play_move(seat, match.state.legal(seat)[0])
    record, position = folder / "game.wellies", folder / "position.json"
    record.write_text(str(match.record(reveal=True)), encoding="utf-8")
    position.write_text(json.dumps(match.state.position()), encoding="utf-8")
    return {"RECORD": str(record), "POSITION": str(position)}


@pytest.fixture
def command(given: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line with this as its output: exit code, and what was said on stderr."""

    def call(line: str, stdout: io.TextIOWrapper) -> tuple[int, str]:
        errors = io.TextIOWrapper(io.BytesIO(), encoding=stdout.encoding)
        monkeypatch.delenv("COLUMNS")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stdout)
            patch.setattr(sys, "stderr", errors)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
            with pytest.raises(SystemExit) as stopped:
                app.run([given.get(word, word) for word in line.split()])
        errors.flush()
        assert isinstance(stopped.value.code, int)
        assert isinstance(errors.buffer, io.BytesIO)
        return stopped.value.code, errors.buffer.getvalue().decode(stdout.encoding)

    return call


@pytest.mark.parametrize("line", COMMANDS)
def test_a_reader_who_has_left_is_no_error(line: str, command: Run) -> None:
    read, write = os.pipe()
    os.close(read)
    stdout = io.TextIOWrapper(open(write, "wb"), encoding="utf-8")  # noqa: SIM115
    assert command(line, stdout) == (0, "")
    stdout.close()


def test_the_reader_of_a_real_program_may_leave(given: dict[str, str], tmp_path: Path) -> None:
    line = f"{sys.executable} -m wellies replay {given['RECORD']} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_writes_in_every_encoding(line: str, encoding: str, command: Run) -> None:
    held = io.BytesIO()
    assert command(line, io.TextIOWrapper(held, encoding=encoding)) == (0, "")
    text = held.getvalue().decode(encoding)
    assert text.strip()
    if "--json" in line:
        json.loads(text)
    else:
        assert "\\u" not in text


def test_json_keeps_every_letter_in_every_encoding(command: Run) -> None:
    held = io.BytesIO()
    assert command("analyse RECORD --nodes 1 --json", io.TextIOWrapper(held, encoding="ascii")) == (0, "")
    assert json.loads(held.getvalue())["players"] == ["Zoë", "bot:greedy"]


def test_errors_are_written_in_every_encoding(command: Run) -> None:
    code, err = command("replay Zoë-▶.wellies", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert code == 2
    assert err == "wellies: there is no file Zoe->.wellies; check the name of the record (.wellies).\n"


def test_typed_bytes_that_are_no_text_are_no_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wellies", "play", "guppies", "-p", "Ann", "--seed", "1"],
        input=b"\xff\xfe\n\xc3\xa9\nquit\n",
        capture_output=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"The game is saved" in done.stdout


def test_plain_drawing_keeps_every_column() -> None:
    for sign in "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╟╢╤╧╦╩╫━┃┏┓┗┛╭╮╰╯┄┆▶▸·•…←→±×♥◆♣♠★✿♛✓¹²³":
        assert len(output.plain_sign(sign)) == 1, sign
        assert output.plain_sign(sign).isascii(), sign
    assert output.plain_sign("é") == "e"
    assert output.plain_sign("漢") == "??", "A wide sign keeps its two columns."


@pytest.mark.parametrize("columns", ["80", "30", None])
def test_nothing_is_cut_on_a_pipe_and_nobody_is_told_to_type(
    wellies: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: str | None
) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS")
    else:
        monkeypatch.setenv("COLUMNS", columns)
    record = Match.from_record(Record.parse(WIDE.read_text(encoding="utf-8")))
    state = record.state
    position = tmp_path / "position.json"
    position.write_text(json.dumps(state.position()), encoding="utf-8")
    whole = record.spec.draw(state.view(None)).plain().splitlines()
    widest = max(whole[: len(whole) // 2], key=len)
    assert len(widest) > 80
    for words in (("replay", WIDE), ("position", position)):
        code, out, err = wellies(*words)
        assert (code, err) == (0, "")
        assert widest in out
        assert not re.search(r"\btype\b", out)


@pytest.mark.parametrize("command", ["simulate guppies --bots random,greedy:looks=1 --games 1 --seed 1", "bots"])
def test_tables_on_a_pipe_lose_no_word(wellies: Command, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    _, out, _ = wellies(*command.split())
    assert "…" not in out
