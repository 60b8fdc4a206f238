"""Whatever is wrong with what a person gives: one line that names it and the cure, exit code 2, and nothing touched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from wellies.cli import app
from wellies.match import Match

Command = Callable[..., tuple[int, str, str]]


def one_line(answer: tuple[int, str, str]) -> str:
    """The complaint, which must be all there is."""
    code, out, err = answer
    assert code == 2, (out, err)
    assert err.startswith("wellies: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert "Traceback" not in out + err
    return err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("play", "which game?"),
        ("play gupies", 'Did you mean "guppies"?'),
        ("rules nosuch", "there is no game 'nosuch'"),
        ("cards nosuch", "there is no game 'nosuch'"),
        ("simulate nosuch", "there is no game 'nosuch'"),
        ("rules", "see wellies rules --help"),
        ("play guppies --nosuch", "No such option"),
        ("play guppies --seats many", "--seats"),
        ("play guppies --seats 99", "2 to 6 seats, not 99"),
        ("play guppies --seats 0", "2 to 6 seats, not 0"),
        ("play guppies --option table", "name=value"),
        ("play guppies --option =one", "name=value"),
        ("play guppies --option tabel=one", "it has: table, tiles, colours"),
        ("play guppies --option table=round", "choose one of endless, one"),
        ("play guppies --option table=one --option table=one", "given twice"),
        ("play guppies --seed soon", "--seed 'soon' is not a whole number"),
        ("play guppies --player bot:gredy", 'Did you mean "greedy"?'),
        ("play guppies --player Ann --player ann", "a name of their own"),
        ("play guppies --player greedy", "write bot:greedy"),
        ("play guppies --player A --player B --player C --seats 2", "3 players for 2 seats"),
        ("play guppies --player {0}", "cannot be shown"),
        ("play guppies --cards nosuch.json", "there is no file nosuch.json"),
        ("play guppies --position nosuch.json", "there is no file nosuch.json"),
        ("play --resume nosuch.wellies", "there is no file nosuch.wellies"),
        ("play --resume x --seed 3 --seats 2", "leave --seats and --seed out"),
        ("play guppies --save nosuch/deep/game.wellies", "there is no folder nosuch/deep"),
        ("replay nosuch.wellies", "there is no file"),
        ("verify nosuch.wellies", "there is no file"),
        ("position nosuch.json", "there is no file"),
        ("cards umbradeco", "Umbradeco has no cards"),
        ("simulate guppies --bots nobody", "there is no bot 'nobody'"),
        ("simulate guppies --bots ,", "no bots are named"),
        ("simulate guppies --games 0", "--games 0"),
        ("simulate guppies --games many", "--games"),
        ("simulate guppies --jobs 0", "--jobs 0"),
        ("simulate guppies --bots random,random,random --seats 2", "3 bots for 2 seats"),
        ("simulate guppies --seats 9", "2 to 6 seats"),
        ("simulate guppies --option tiles=7", "choose one of 128, 64"),
    ],
)
def test_words(wellies: Command, words: str, named: str, tmp_path: Path) -> None:
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        assert named in one_line(wellies(*words.split()))
    finally:
        os.chdir(before)
    folder = tmp_path / "data" / "wellies" / "games"
    assert not folder.exists() or not any(folder.iterdir()), "a game that never began must leave nothing behind"


COMMANDS = ["play --resume", "replay", "verify", "position", "play --position"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (None, "is a folder"),
        (b"", "is empty"),
        (b" \n \n", "is empty"),
        (b"Game: guppies\n\xff\xfe\n", "not UTF-8 text (line 2)"),
        (b"x" * 5_000_001, "bigger than 5 MB"),
        (b"\x00\x01\x02", ""),
        (b"[" * 100_000, ""),
        (b"{}", ""),
        (b"[1, 2]", ""),
        (b'{"game": 7}', ""),
        (b'{"game": "nosuch"}', ""),
        (b'{"game": "guppies", "to_mov": 1}', ""),
        (b'{"game": "guppies", "seats": "two"}', ""),
        (b"Game: guppies\n", ""),
        (b"Game: nosuch\nSeats: 2\n\n", ""),
        (b"Game: guppies\nSeats: 99\n\n", ""),
        (b"Game: guppies\nSeats: 2\nSeed: 12\n\n", ""),
        (b"Game: guppies\nSeats: 2\nRules: 99\n\n", ""),
        (b"Game: guppies\nSeats: 2\n\n* draw 5\n0 a0@9,9\n", ""),
        (b"Game: guppies\nSeats: 2\n\n* draw 5\n0 rubbish\n", ""),
        (b'Game: guppies\nSeats: 2\nPlayers: ["Ann"]\nSeed hash: x\n\n', ""),
    ],
)
def test_files(wellies: Command, tmp_path: Path, command: str, content: bytes | None, named: str) -> None:
    path = tmp_path / "file"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    line = one_line(wellies(*command.split(), path))
    assert named in line
    assert str(path) in line
    if content is not None:
        assert path.read_bytes() == content, "a broken file is never written over"
    assert [each.name for each in tmp_path.iterdir() if each.name != "data"] == ["file"]


@pytest.mark.parametrize("command", [*COMMANDS, "cards aquarium --cards", "play aquarium --cards", "analyse"])
def test_a_pipe_or_a_device_is_no_file_and_is_never_waited_for(wellies: Command, tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        line = one_line(wellies(*command.split(), path))
        assert "not a regular file" in line
        assert str(path) in line


def test_what_the_system_refuses_is_told_in_words(wellies: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_name: str) -> None:
        raise OSError(28, "No space left on device", "/somewhere/file")

    monkeypatch.setattr(app, "game", full)
    line = one_line(wellies("rules", "guppies"))
    assert "Errno" not in line
    assert "/somewhere/file" in line
    assert "no space left on device" in line


def test_settings_that_cannot_be_read_are_told_in_words(wellies: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "there is no file" in one_line(wellies("serve", "--check", "--config", tmp_path / "nosuch.toml"))
    assert "not a regular file" in one_line(wellies("serve", "--check", "--config", pipe))


def test_a_corrupt_save_names_the_line_and_is_left_alone(wellies: Command, tmp_path: Path) -> None:
    match = Match("guppies", seats=2, seed=3, players=["Ann", "bot:greedy"])
    text = str(match.record(reveal=True)) + "1 a0@0,0\n"
    path = tmp_path / "save.wellies"
    path.write_text(text, encoding="utf-8")
    line = one_line(wellies("play", "--resume", path))
    assert f"line {len(text.splitlines())}" in line
    assert path.read_text(encoding="utf-8") == text


def test_a_save_with_too_few_players_or_strange_ones(wellies: Command, tmp_path: Path) -> None:
    for players, named in ((["Ann"], "1 players for 2 seats"), (["Ann", "bot:nobody"], "there is no bot")):
        path = tmp_path / "save.wellies"
        path.write_text(str(Match("guppies", seats=2, seed=3, players=players).record(reveal=True)), encoding="utf-8")
        assert named in one_line(wellies("play", "--resume", path))


def test_a_record_without_its_seed_cannot_be_verified(wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "game.wellies"
    path.write_text(str(Match("guppies", seats=2, seed=3).record()), encoding="utf-8")
    assert "nothing to check" in one_line(wellies("verify", path))


def test_a_draw_that_the_dice_did_not_make(wellies: Command, tmp_path: Path) -> None:
    match = Match("guppies", seats=2, seed=3)
    real = match.log[0].text
    other = "draw 5" if real != "draw 5" else "draw 6"
    path = tmp_path / "game.wellies"
    path.write_text(str(match.record(reveal=True)).replace(f"* {real}", f"* {other}"), encoding="utf-8")
    assert "the dice gave" in one_line(wellies("verify", path))
    assert "the dice gave" in one_line(wellies("replay", path, "--verify"))


def test_an_unreadable_file_and_an_unwritable_folder(wellies: Command, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        # To the superuser everything is open: a file in the place of a folder is refused even to them.
        (tmp_path / "data").write_text("in the way", encoding="utf-8")
        assert "games cannot be saved" in one_line(wellies("play", "guppies"))
        assert "--save" in one_line(wellies("play", "guppies"))
        return
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert "permission denied" in one_line(wellies("play", "guppies", "--save", closed / "game.wellies"))
    path = tmp_path / "file"
    path.write_text("x", encoding="utf-8")
    path.chmod(0)
    assert "permission denied" in one_line(wellies("replay", path))


def test_saving_never_overwrites_another_file(wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.wellies"
    path.write_text("precious", encoding="utf-8")
    assert "exists already" in one_line(wellies("play", "guppies", "--save", path))
    assert "is a folder" in one_line(wellies("play", "guppies", "--save", tmp_path))
    assert path.read_text(encoding="utf-8") == "precious"


def test_positions_that_do_not_fit_what_is_asked(wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text('{"game": "toy", "hands": [[1, 2], [3, 4]]}', encoding="utf-8")
    assert "this position is of the game 'toy'" in one_line(wellies("play", "guppies", "--position", path))
    assert "leave --seats out" in one_line(wellies("play", "toy", "--position", path, "--seats", "3"))
    assert "brings its options" in one_line(wellies("play", "toy", "--position", path, "--option", "size=big"))
    assert "--seat 7" in one_line(wellies("position", path, "--seat", "7"))


def test_moves_of_a_record_out_of_range(wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "game.wellies"
    path.write_text(str(Match("guppies", seats=2, seed=3).record()), encoding="utf-8")
    assert "give 0 to 1" in one_line(wellies("replay", path, "--at", "9"))
    assert "there is no seat 5" in one_line(wellies("replay", path, "--seat", "5"))
    assert "is not a game of toy" in one_line(wellies("play", "toy", "--resume", path))


def test_a_mistake_of_ours_is_one_line_too(wellies: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(app, "game", broken)
    code, out, err = wellies("rules", "guppies")
    assert code == 1
    assert "please report it" in err
    assert err.count("\n") == 1
    assert "Traceback" not in out + err


def test_control_signs_in_a_name_do_not_reach_the_terminal(wellies: Command) -> None:
    assert "\x1b" not in one_line(wellies("play", "guppies\x1b[31m\nmore"))


@pytest.mark.parametrize("words", [["play", "nosuch"], ["replay", "/"], ["--nosuch"]])
def test_as_a_real_program(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wellies", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        check=False,
    )
    one_line((done.returncode, done.stdout, done.stderr))
