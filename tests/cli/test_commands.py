"""Every command, in this process, as a program, and on a pipe."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import wellies as package
from wellies.cli import app, files
from wellies.match import Match, Record

Command = Callable[..., tuple[int, str, str]]


def finished(tmp_path: Path) -> Path:
    """A finished game in a file."""
    match = Match("toy", seats=2, seed=4, players=["Ann", "bot:greedy"])
    while match.state.due():
        seat = match.state.due()[0]
        match.play_move(seat, match.state.legal(seat)[-1])
    path = tmp_path / "game.wellies"
    path.write_text(str(match.record()), encoding="utf-8")
    return path


def test_alone_without_a_terminal_it_prints_the_help() -> None:
    answer = CliRunner().invoke(app.app, [])
    assert answer.exit_code == 0
    for command in ("play", "replay", "simulate", "position", "games", "rules", "cards", "bots", "verify"):
        assert command in answer.output


def test_version(wellies: Command) -> None:
    code, out, err = wellies("--version")
    assert (code, err) == (0, "")
    python = re.escape(platform.python_version())
    assert re.fullmatch(
        rf"wellies {re.escape(package.__version__)} \((compiled|interpreted) engine, Python {python}\)\n", out
    )


def test_games(wellies: Command) -> None:
    code, out, _ = wellies("games")
    assert code == 0
    assert "guppies" in out
    assert "[each]" in out
    code, out, _ = wellies("games", "--json")
    assert [each["name"] for each in json.loads(out)] == package.list_games()


def test_rules_and_bots(wellies: Command) -> None:
    for name in package.list_games():
        code, out, _ = wellies("rules", name)
        assert code == 0
        assert out.strip()
    code, out, _ = wellies("bots")
    assert code == 0
    assert "greedy" in out
    assert "random" in out


def test_cards(wellies: Command, tmp_path: Path) -> None:
    code, out, _ = wellies("cards", "toy")
    assert code == 0
    assert "the most [of all]" in out
    assert "reconstructed" in out
    path = tmp_path / "cards.json"
    path.write_text("{}", encoding="utf-8")
    code, out, _ = wellies("cards", "toy", "--cards", path, "--json")
    assert json.loads(out)[0]["from"] == "a file"


def test_replay_and_verify_on_a_pipe(wellies: Command, tmp_path: Path) -> None:
    path = finished(tmp_path)
    code, out, _ = wellies("verify", path)
    assert code == 0
    assert "4 draws checked" in out
    code, out, _ = wellies("replay", path)
    assert code == 0
    assert "Everyone has had two turns." in out
    code, out, _ = wellies("replay", path, "--at", "0")
    assert "the start" in out
    code, out, _ = wellies("replay", path, "--at", "4", "--seat", "0", "--verify")
    assert code == 0
    assert "hand 1: <?> <?>" in out
    assert "hand 0: <?>" not in out


def test_position(wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "a position.json"
    path.write_text('{"game": "toy", "hands": [[1, 2], [3, 4]]}', encoding="utf-8")
    code, out, _ = wellies("position", path)
    assert code == 0
    assert "hand 0: <?> <?>" in out
    assert "Seat 0 is to move: 5 legal moves." in out
    assert "wellies play toy --position" in out
    code, out, _ = wellies("position", path, "--seat", "1")
    assert "<3> <4>" in out
    assert "play 1" not in out
    code, out, _ = wellies("position", path, "--json")
    value = json.loads(out)
    assert value["due"] == [0]
    assert value["legal"]["0"] == ["knock", "play 1", "play 2", "mark", "pass"]
    code, out, _ = wellies("position", path, "--json", "--seat", "1")
    assert json.loads(out)["position"]["hands"] == [["?", "?"], [3, 4]]
    assert list(json.loads(out)["legal"]) == ["1"]


def test_a_position_with_many_moves_lists_the_first(wellies: Command, tmp_path: Path) -> None:
    match = Match("guppies", seats=2, seed=5)
    while len(match.state.legal(match.state.due()[0])) <= 40:
        seat = match.state.due()[0]
        match.play_move(seat, match.state.legal(seat)[-1])
    path = tmp_path / "guppies.json"
    path.write_text(json.dumps(match.state.position()), encoding="utf-8")
    code, out, _ = wellies("position", path)
    assert code == 0
    assert "more (--json lists all)" in out


def test_play_on_a_pipe_reads_moves_and_keeps_the_game(tmp_path: Path) -> None:
    save = tmp_path / "game.wellies"
    answer = CliRunner().invoke(
        app.app, ["play", "toy", "-p", "Ann", "--seed", "3", "--save", str(save)], input="mark\npass\npass\n"
    )
    assert answer.exit_code == 0, answer.output
    assert "Everyone has had two turns." in answer.output
    assert "\x1b" not in answer.output
    record = Record.parse(save.read_text(encoding="utf-8"))
    assert [text for seat, text in record.moves if seat == 0] == ["mark", "pass", "pass"]
    assert record.verify() == 4
    assert os.stat(save).st_mode & 0o077 == 0, "a save holds the seed of a game in progress: nobody else may read it"
    again = CliRunner().invoke(app.app, ["play", "--resume", str(save)])
    assert again.exit_code == 0
    assert "Everyone has had two turns." in again.output


def test_play_from_a_position(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text('{"game": "toy", "hands": [[1, 2], [3, 4]]}', encoding="utf-8")
    save = tmp_path / "game.wellies"
    CliRunner().invoke(app.app, ["play", "--position", str(path), "--save", str(save)], input="play 2\n")
    record = Record.parse(save.read_text(encoding="utf-8"))
    assert record.position == {"game": "toy", "hands": [[1, 2], [3, 4]]}
    assert record.moves[0] == (0, "play 2")
    again = CliRunner().invoke(app.app, ["play", "--resume", str(save)], input="")
    assert "hand 0: <1>" in again.output


def test_a_seed_repeats_a_game(tmp_path: Path) -> None:
    texts = []
    for number in range(2):
        save = tmp_path / f"{number}.wellies"
        CliRunner().invoke(
            app.app, ["play", "guppies", "-p", "bot:greedy", "--seed", "3", "-o", "tiles=64", "--save", str(save)]
        )
        texts.append(save.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "Result: " in texts[0]


def test_files_are_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    files.write_text(path, "one")

    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(files.FileTrouble, match="no space left on device"):
        files.write_text(path, "two")
    assert path.read_text(encoding="utf-8") == "one"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_two_games_begun_in_the_same_minute_have_files_of_their_own() -> None:
    from datetime import datetime

    now = datetime(2026, 1, 2, 3, 4)
    first, second = files.new_save("toy", now), files.new_save("toy", now)
    assert first != second
    assert first.exists()
    assert second.exists()


def test_no_color_anywhere_on_the_line(wellies: Command) -> None:
    assert wellies("games", "--no-color")[0] == 0
    assert app.SETTINGS["color"] is False


def test_the_reader_may_close_the_pipe() -> None:
    command = f"{sys.executable} -m wellies games --json | head -c 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_the_command_starts_quickly_and_without_the_server() -> None:
    code = "import sys; import wellies.cli.app; print([m for m in sys.modules if 'litestar' in m or '.server' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("game", ["aquarium", "guppies", "marram", "puppies"])
def test_the_complete_card_or_tile_file_is_written_and_read_again(game: str, wellies: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    code, out, err = wellies("cards", game, "--export", str(path))
    assert (code, err) == (0, "")
    assert "entries are in" in out
    assert json.loads(path.read_text(encoding="utf-8")) == package.game(game).card_file()
    assert wellies("cards", game, "--json")[1] == wellies("cards", game, "--cards", str(path), "--json")[1]
    assert "no folder" in wellies("cards", game, "--export", str(tmp_path / "no" / "file.json"))[2]


def test_what_is_written_replaces_nothing_that_is_there(wellies: Command, tmp_path: Path) -> None:
    saved, pipe = tmp_path / "precious.wellies", tmp_path / "pipe"
    saved.write_text("a game", encoding="utf-8")
    os.mkfifo(pipe)
    for path in (saved, pipe):
        code, _, err = wellies("cards", "aquarium", "--export", str(path))
        assert code == 2
        assert "exists already" in err
    assert saved.read_text(encoding="utf-8") == "a game"
    with pytest.raises(files.FileTrouble, match="not a regular file"):
        files.write_text(pipe, "text", "--json")
    assert pipe.is_fifo()


def test_cards_as_json_have_numbers_as_numbers(wellies: Command) -> None:
    rows = json.loads(wellies("cards", "aquarium", "--json")[1])
    assert all(type(row["copies"]) is int and type(row["base"]) is int for row in rows)
    assert "Anthias" in wellies("cards", "aquarium")[1]


def test_a_position_keeps_each_move_on_one_line(wellies: Command, tmp_path: Path) -> None:
    match = Match("aquarium", seats=2, seed=5)
    path = tmp_path / "tank.json"
    path.write_text(json.dumps(match.state.position()), encoding="utf-8")
    _, out, _ = wellies("position", path)
    _, listed, _ = wellies("position", path, "--json")
    lines = out.splitlines()
    for texts in json.loads(listed)["legal"].values():
        for text in texts[:40]:
            assert any(text in line for line in lines), text
    assert max(len(line) for line in lines if "@" in line) <= 100


def test_a_score_is_told_from_a_name_that_ends_in_a_number(wellies: Command, tmp_path: Path) -> None:
    match = Match("toy", seats=3, seed=4, players=["Ann", "bot:greedy", "bot:greedy"])
    path = tmp_path / "game.wellies"
    path.write_text(str(match.record()), encoding="utf-8")
    assert "Greedy 2: 0" in wellies("replay", path)[1]


def test_the_chooser_lists_every_bot_that_it_takes() -> None:
    from rich.console import Console

    from wellies.bots import list_bots
    from wellies.cli.lists import bots_list

    console = Console(width=100, record=True)
    console.print(bots_list())
    shown = [line.split()[0] for line in console.export_text().splitlines() if not line.startswith("   ")]
    assert shown == list_bots()


def test_resume_alone_takes_the_latest_game(wellies: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, _, err = wellies("play", "--resume")
    assert code == 2
    assert "there is no unfinished game" in err
    folder = files.games_folder()
    folder.mkdir(parents=True)
    for number, (name, seed) in enumerate((("toy", 1), ("guppies", 2), ("toy", 3))):
        path = folder / f"{name}-{number}.wellies"
        path.write_text(str(Match(name, seats=2, seed=seed, players=["Ann", "bot:random"]).record(reveal=True)))
        os.utime(path, (1000 + number, 1000 + number))
    for words, expected in (
        (("play", "--resume"), "toy-2"),
        (("play", "--resume", "--player", "Ann", "-p", "Bob"), "toy-2"),
        (("play", "guppies", "--resume"), "guppies-1"),
        (("play", "guppies", "--resume", "latest"), "guppies-1"),
    ):
        code, out, err = wellies(*words)
        assert (code, err) == (0, ""), words
        assert f"{expected}.wellies" in out
        for number, path in enumerate(sorted(folder.iterdir(), key=lambda each: each.name.partition("-")[2])):
            os.utime(path, (1000 + number, 1000 + number))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("wellies pl", "play"),
        ("wellies play gu", "guppies"),
        ("wellies rules ma", "marram"),
        ("wellies play guppies --player bot:st", "bot:storm"),
        ("wellies analyse x --level mon", "monsoon"),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_games_and_bots(
    wellies: Command, monkeypatch: pytest.MonkeyPatch, shell: str, line: str, expected: str
) -> None:
    monkeypatch.setenv("_WELLIES_COMPLETE", f"complete_{shell}")
    if shell == "bash":
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    else:
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    code, out, _ = wellies()
    assert code == 0
    assert expected in out.replace("\\", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_each_shell_can_be_installed(
    wellies: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    code, out, err = wellies("completion", shell)
    assert (code, err) == (0, "")
    assert "_WELLIES_COMPLETE" in out
    code, out, err = wellies("completion", shell, "--install")
    assert (code, err) == (0, "")
    assert any("_WELLIES_COMPLETE" in path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "new shell" in out


def test_an_unknown_shell_is_named(wellies: Command) -> None:
    code, _, err = wellies("completion", "tcsh")
    assert code == 2
    assert "bash, zsh or fish" in err
