"""Play at a real (pseudo) terminal, by keys."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from helpers import HERE
from terminal import CLEAR_ALL, Terminal, plain

from wellies.match import Record

TOY = [str(HERE / "toy.py")]
WELLIES = ["-m", "wellies"]


def saved(data: Path) -> Path:
    (path,) = (data / "wellies" / "games").glob("*.wellies")
    return path


def moves_of(path: Path) -> list[str]:
    return [text for seat, text in Record.parse(path.read_text(encoding="utf-8")).moves if seat >= 0]


def test_a_whole_game_by_keys(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "--player", "Ann", "--seed", "5"], tmp_path) as screen:
        page = screen.expect("\nAnn: ")
        assert "hand 0: <" in page
        assert "hand 1: <?> <?>" in page
        assert "Ann to move" in page
        card = re.search(r"(\d)\) +play (\d)", page)
        assert card is not None
        screen.send(f"play {card.group(2)}")
        screen.expect("\nAnn: ")
        screen.send("pass")
        screen.expect("Enter to go on")
        screen.send("")
        ending = screen.expect("wellies replay")
        assert "Everyone has had two turns." in ending
        assert screen.finish() == 0
    record = Record.parse(saved(tmp_path).read_text(encoding="utf-8"))
    assert record.players == ["Ann", "bot:greedy"]
    assert record.result
    assert record.seed


def test_a_whole_game_of_guppies_by_the_first_move_each_time(tmp_path: Path) -> None:
    arguments = ["play", "guppies", "--player", "Ann", "--player", "bot:random", "--option", "tiles=64", "--seed", "1"]
    with Terminal([*WELLIES, *arguments], tmp_path) as screen:
        for _ in range(32):
            screen.expect("\nAnn: ")
            screen.send("1")
        screen.expect("wins!")
        assert screen.finish() == 0
    assert saved(tmp_path).read_text(encoding="utf-8").count("\n0 ") == 32


def test_ctrl_c_keeps_the_game_and_it_can_be_finished(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "Ann", "--seed", "5"], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.send("knock")
        screen.expect("knocks")
        screen.expect("\nAnn: ")
        told = screen.interrupt(signal.SIGINT, "wellies play --resume")
        assert "The game is saved" in told
        assert screen.finish() == 130
    path = saved(tmp_path)
    assert moves_of(path) == ["knock"]
    with Terminal([*TOY, "play", "--resume", str(path)], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.send("pass")
        screen.expect("Enter to go on")
        screen.send("")
        screen.expect("\nAnn: ")
        screen.send("pass")
        screen.expect("Enter to go on")
        screen.send("")
        screen.expect("Greedy wins!")
        assert screen.finish() == 0
    assert moves_of(path)[:2] == ["knock", "pass"]
    assert len(list(path.parent.iterdir())) == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_keeps_the_game(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "Ann", "--seed", "5"], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.send("mark")
        screen.expect("marks")
        screen.expect("\nAnn: ")
        screen.interrupt(number, "wellies play --resume")
        assert screen.finish() == code
    assert moves_of(saved(tmp_path)) == ["mark"]


def test_a_closed_terminal_keeps_the_game(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "Ann", "--seed", "5"], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.send("mark")
        screen.expect("marks")
        screen.expect("\nAnn: ")
        screen.hang_up()
        assert screen.process.wait(20) in (0, 129)
    assert moves_of(saved(tmp_path)) == ["mark"]


def test_end_of_input_keeps_the_game(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "Ann"], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.key("\x04")
        screen.expect("wellies play --resume")
        assert screen.finish() == 0


def test_hot_seat_covers_the_hands_between_players(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "Ann", "-p", "Bob", "--seed", "5"], tmp_path) as screen:
        first = screen.expect("Ann, press Enter")
        assert "<" not in first
        screen.send("")
        page = screen.expect("\nAnn: ")
        mine = re.findall(r"hand 0: <(\d)> <(\d)>", page)[-1]
        assert "hand 1: <?> <?>" in page
        assert "Bob is dealt a card." in page
        screen.send("pass")
        screen.expect("Enter to go on")
        screen.send("")
        cover = screen.expect("Bob, press Enter")
        cover_page = cover.rpartition("Pass the screen")[2]
        assert "<" not in cover_page
        assert screen.raw.rpartition(CLEAR_ALL)[2].count("hand ") == 0
        screen.send("")
        screen.expect("\nBob: ")
        now = plain(screen.raw.rpartition(CLEAR_ALL)[2])
        assert f"<{mine[0]}>" not in now
        assert f"<{mine[1]}>" not in now
        assert "hand 0: <?> <?>" in now
        screen.key("\x1b[A")  # the key for the last line typed, which was Ann's
        screen.key("\x15")
        screen.send("as Ann knock")
        screen.expect("\nBob: ")
        assert "\nAnn: " not in plain(screen.raw.rpartition(CLEAR_ALL)[2])
        screen.send("quit")
        assert screen.finish() == 0
    assert moves_of(saved(tmp_path)) == ["pass", "knock"]


def test_open_games_need_no_cover(tmp_path: Path) -> None:
    with Terminal([*WELLIES, "play", "guppies", "-p", "Ann", "-p", "Bob", "--seed", "5"], tmp_path) as screen:
        screen.expect("\nAnn: ")
        screen.send("1")
        page = screen.expect("\nBob: ")
        assert "press Enter" not in page
        screen.send("quit")
        assert screen.finish() == 0


def test_the_chooser_leads_to_a_game_and_back_to_it(tmp_path: Path) -> None:
    with Terminal(TOY, tmp_path) as screen:
        screen.expect("Which game?")
        screen.send("99")
        screen.expect("Type a number")
        screen.send("toy")
        screen.expect("How many players")
        screen.send("9")
        screen.expect("is for 2-3 players")
        screen.send("")
        screen.expect("Change any?")
        screen.send("size=huge")
        screen.expect("choose one of small, big")
        screen.send("size=big")
        screen.expect("Player 1?")
        screen.send("Ann")
        screen.expect("Player 2?")
        screen.send("ann")
        screen.expect("another name")
        screen.send("random")
        screen.expect("\nAnn: ")
        screen.send("quit")
        assert screen.finish() == 0
    with Terminal(TOY, tmp_path) as screen:
        listed = screen.expect("Which game?")
        number = re.search(r"(\d+) +resume +saved game +toy-", listed)
        assert number is not None
        screen.send(number.group(1))
        screen.expect("\nAnn: ")
        screen.interrupt(signal.SIGINT, "wellies play --resume")
        assert screen.finish() == 130


def test_no_color_and_narrow_terminals(tmp_path: Path) -> None:
    arguments = [*WELLIES, "play", "guppies", "-p", "Ann", "--seed", "5"]
    with Terminal(arguments, tmp_path, columns=30, env={"NO_COLOR": "1"}) as screen:
        screen.expect("\nAnn: ")
        assert "\x1b[3" not in screen.raw.replace("\x1b[3J", "")
        for _ in range(6):
            screen.send("1")
            screen.expect("\nAnn: ")
        screen.send(">")
        screen.expect("to see the rest")
        screen.send("quit")
        assert screen.finish() == 0


def test_replay_steps_and_jumps(tmp_path: Path) -> None:
    with Terminal([*TOY, "play", "toy", "-p", "bot:greedy", "--seed", "5"], tmp_path) as screen:
        screen.expect("Enter for the next move")
        screen.send("")
        screen.expect("Enter for the next move")
        screen.send("all")
        screen.expect("wellies replay")
        assert screen.finish() == 0
    moves = len(Record.parse(saved(tmp_path).read_text(encoding="utf-8")).moves)
    with Terminal([*TOY, "replay", str(saved(tmp_path)), "--verify"], tmp_path) as screen:
        assert "4 draws checked" in screen.expect(f"0/{moves}> ")
        screen.send("")
        screen.expect(f"1/{moves}> ")
        screen.send("jump 6")
        screen.expect(f"6/{moves}> ")
        screen.send("p")
        screen.expect(f"5/{moves}> ")
        screen.send("99")
        assert f"There are {moves} moves" in screen.expect(f"5/{moves}> ")
        screen.send("last")
        screen.expect(f"{moves}/{moves}> ")
        screen.send("rubbish")
        assert "is not a command" in screen.expect(f"{moves}/{moves}> ")
        screen.send(str(moves - 1))
        screen.expect(f"{moves - 1}/{moves}> ")
        screen.send("play")
        screen.expect(f"{moves}/{moves}> ")
        screen.send("q")
        assert screen.finish() == 0
