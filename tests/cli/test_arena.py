"""`wellies arena`: reproducible, resumable whatever happens, and clear about what it cannot do."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

Command = Callable[..., tuple[int, str, str]]
TOY = ("arena", "toy", "--bots", "greedy,random,also=random", "--games", "12", "--seed", "3")
SLOW = ("arena", "umbradeco", "--bots", "greedy,random", "--games", "6", "--seed", "3")
"""Games that take long enough to be caught in the middle."""


@pytest.fixture(autouse=True)
def _no_stray_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


# --- what comes out -------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes_whatever_the_jobs(wellies: Command) -> None:
    answers = [wellies(*SLOW, "--json", "-", "--jobs", jobs) for jobs in ("1", "2")]
    assert answers[0][0] == 0, answers[0]
    assert answers[0][1] == answers[1][1]
    report = json.loads(answers[0][1])
    assert report["games"] == report["planned"] == 6
    assert "think_ms" not in report
    assert wellies(*SLOW[:-1], "4", "--json", "-")[1] != answers[0][1]


def test_the_tables(wellies: Command) -> None:
    code, out, err = wellies(*TOY)
    assert (code, err) == (0, "")
    for word in ("Toy: 36 games, 2 seats", "seed 3", "ratings (Elo)", "pair by pair", "think time", "p95", "also"):
        assert word in out


def test_think_times_are_in_the_json_only_when_asked_for(wellies: Command) -> None:
    report = json.loads(wellies(*TOY, "--json", "-", "--timing")[1])
    assert {each["bot"] for each in report["think_ms"]} == {"greedy", "random", "also"}


def test_files_for_pages_and_programs(wellies: Command) -> None:
    code, out, _ = wellies(*TOY, "--json", "r.json", "--markdown", "r.md", "--plot", "r.svg", "--anchor", "random")
    assert code == 0
    assert "ratings (Elo)" in out
    report = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert report["anchor"] == "random"
    markdown = Path("r.md").read_text(encoding="utf-8")
    assert markdown.startswith("**Toy: 36 games, 2 seats**, seed 3")
    for table in markdown.split("\n\n"):
        rows = [line for line in table.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1
    assert markdown.count("\n| greedy |") == 3
    root = ElementTree.parse("r.svg").getroot()
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy", "random", "also"} <= set(texts)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 3


def test_a_png_is_a_picture_with_ink_on_it(wellies: Command) -> None:
    image = pytest.importorskip("PIL.Image")
    assert wellies(*TOY, "--plot", "r.png")[0] == 0
    with image.open("r.png") as picture:
        assert picture.format == "PNG"
        assert picture.width > 1000
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 50


def test_only_the_pairs_that_are_asked_for_meet(wellies: Command) -> None:
    report = json.loads(wellies(*TOY, "--pairs", "greedy:random", "--pairs", "random:also", "--json", "-")[1])
    assert {frozenset((pair["bot"], pair["against"])) for pair in report["pairs"]} == {
        frozenset(("greedy", "random")),
        frozenset(("random", "also")),
    }
    assert report["games"] == 24


def test_who_won_everything_is_explained(wellies: Command) -> None:
    code, out, _ = wellies("arena", "guppies", "--bots", "greedy,random", "-n", "2", "--seed", "1", "-o", "tiles=64")
    assert code == 0
    assert "one draw is added for every pair" in " ".join(out.split())


# --- going on -------------------------------------------------------------------------------------------------------


def test_the_same_command_goes_on_and_more_games_can_be_asked_for(wellies: Command) -> None:
    clean = wellies(*TOY, "--json", "-")[1]
    code, _, err = wellies(*TOY, "--results", "r.jsonl", "--budget", "0")
    assert code == 2
    assert "no game was played" in err
    file = Path("r.jsonl")
    assert wellies(*TOY[:4], "--games", "5", "--seed", "3", "--results", "r.jsonl")[0] == 0
    assert len(lines(file)) == 1 + 15
    first = lines(file)
    assert wellies(*TOY, "--results", "r.jsonl", "--json", "-")[1] == clean
    assert lines(file)[: len(first)] == first
    assert len(lines(file)) == 1 + 36
    # Without a seed, without anything: the file knows.
    assert wellies(*TOY[:-2], "--results", "r.jsonl", "--json", "-")[1] == clean
    assert wellies("arena", "--results", "r.jsonl", "--games", "12", "--json", "-")[1] == clean
    assert len(lines(file)) == 1 + 36


def test_without_a_file_the_results_are_kept_in_the_data_folder(wellies: Command, tmp_path: Path) -> None:
    assert wellies(*TOY)[0] == 0
    assert [len(lines(path)) for path in (tmp_path / "data" / "wellies" / "arena").glob("toy-*.jsonl")] == [37]


def test_it_goes_on_after_kill_9_and_a_cut_last_line(wellies: Command, tmp_path: Path) -> None:
    clean = wellies(*SLOW, "--json", "-")[1]
    file = tmp_path / "r.jsonl"
    command = [sys.executable, "-m", "wellies", *SLOW, "--results", str(file), "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_for(lambda: len(lines(file)) >= 3)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not alive(process.pid)
    before = lines(file)
    assert 3 <= len(before) < 1 + 6
    with file.open("a", encoding="utf-8") as out:
        out.write('{"number": 5, "scores": [1')
    code, out_text, _ = wellies(*SLOW, "--results", file, "--json", "-")
    assert code == 0
    assert out_text == clean
    assert lines(file)[: len(before)] == before
    assert len(lines(file)) == 1 + 6


@pytest.mark.parametrize(("jobs", "number", "code"), [("1", signal.SIGINT, 130), ("2", signal.SIGTERM, 143)])
def test_stopped_by_a_signal_it_says_how_to_go_on(
    jobs: str, number: signal.Signals, code: int, wellies: Command, tmp_path: Path
) -> None:
    file = tmp_path / "r.jsonl"
    command = [sys.executable, "-m", "wellies", *SLOW[:4], "--games", "500", "--results", str(file), "--jobs", jobs]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for(lambda: len(lines(file)) >= 2)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, (out, err)
    assert out == ""
    said = re.fullmatch(r"wellies: stopped\. (\d+) of 500 games are saved; continue with: wellies (.+)\n", err)
    assert said is not None, err
    assert int(said[1]) == len(lines(file)) - 1
    assert not alive(process.pid)
    code_now, _, err = wellies(*said[2].split(), "--budget", "0.1")
    assert code_now == 0
    assert "The time is up." in err


def wait_for(true: Callable[[], bool]) -> None:
    for _ in range(6000):
        if true():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen within five minutes")


def alive(group: int) -> bool:
    """Whether a process of this group still runs after a moment."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True


# --- what cannot be -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--bots", "greedy,random"), "participants: greedy,random,also there, greedy,random here"),
        (("--seed", "4"), "seed: 3 there, 4 here"),
        (("--seats", "3"), "seats: 2 there, 3 here"),
        (("--option", "size=big"), 'options: {"size": "small"} there, {"size": "big"} here'),
        (("--pairs", "greedy:random"), "who meets whom differ"),
        (("--bots", "greedy,random,also=greedy"), "participants differ"),
    ],
)
def test_another_plan_in_the_same_file_is_refused(words: tuple[str, ...], named: str, wellies: Command) -> None:
    assert wellies(*TOY, "--results", "r.jsonl")[0] == 0
    before = Path("r.jsonl").read_bytes()
    asked = list(TOY)
    if words[0] == "--bots":
        asked[2:4] = words
    else:
        asked += words
    code, _, err = wellies(*asked, "--results", "r.jsonl")
    assert code == 2
    assert named in err
    assert "name another file with --results" in err
    assert Path("r.jsonl").read_bytes() == before


def test_results_of_other_code_are_not_mixed(wellies: Command) -> None:
    assert wellies(*TOY, "--results", "r.jsonl")[0] == 0
    file = Path("r.jsonl")
    head, *rest = lines(file)
    plan = json.loads(head)
    plan["plan"]["code"][""] = "0123456789abcdef"
    file.write_text("\n".join([json.dumps(plan), *rest]) + "\n", encoding="utf-8")
    for words in (TOY, ("arena",)):
        code, _, err = wellies(*words, "--results", "r.jsonl")
        assert code == 2
        assert "the code of Wellies differs" in err


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hello\n", "is not a results file"),
        ("hello", "is not a results file"),
        ('{"wellies": "arena", "format": 99, "plan": {}}\n', "is of format 99"),
        ('{"wellies": "arena", "format": 1, "plan": {"seats": 2}}\n{"number": 1}\n', "line 2, is not the result"),
        ('{"wellies": "arena", "format": 1, "plan": {"seats": 2}}\n', "holds the games of another plan"),
    ],
)
def test_files_that_are_no_results_are_left_alone(text: str, named: str, wellies: Command) -> None:
    Path("r.jsonl").write_text(text, encoding="utf-8")
    code, _, err = wellies(*TOY, "--results", "r.jsonl")
    assert code == 2
    assert named in err
    assert Path("r.jsonl").read_text(encoding="utf-8") == text


def test_two_arenas_cannot_write_to_one_file(wellies: Command) -> None:
    from wellies.bots.arena.results import ResultsFile

    file = ResultsFile(Path("r.jsonl"))
    code, _, err = wellies(*TOY, "--results", "r.jsonl")
    file.close()
    assert code == 2
    assert "another arena is writing" in err
    assert not Path("r.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "which game?"),
        ("nosuch", "there is no game 'nosuch'"),
        ("toy --bots greedy", "two participants or more"),
        ("toy --bots greedy,gredy", 'Did you mean "greedy"?'),
        ("toy --bots greedy,random:deep=3", "the bot random has no settings"),
        ("toy --bots greedy,old=greedy@nowhere", "give the folder of the other Wellies, or its Python"),
        ("toy --pairs greedy:nobody", "there are: greedy, random"),
        ("toy --seats 9", "2 to 3 seats, not 9"),
        ("toy --games 0", "--games 0"),
        ("toy --jobs 0", "--jobs 0"),
        ("toy --budget -1", "--budget -1"),
        ("toy --anchor gredy", 'Did you mean "greedy"?'),
        ("toy --option size=huge", "choose one of small, big"),
        ("toy --plot picture.gif", "must end in .svg or .png"),
        ("toy --plot no/picture.svg", "there is no folder no"),
        ("toy --json no/r.json", "there is no folder no"),
        ("toy --markdown .", "is a folder"),
        ("toy --results no/r.jsonl", "there is no folder no"),
        ("--results nosuch.jsonl", "there is no file nosuch.jsonl"),
    ],
)
def test_bad_input(words: str, named: str, wellies: Command, tmp_path: Path) -> None:
    code, out, err = wellies("arena", *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("wellies: ")
    assert err.count("\n") == 1
    assert named in err
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_file_brings_its_own_settings(wellies: Command) -> None:
    assert wellies(*TOY, "--results", "r.jsonl")[0] == 0
    code, _, err = wellies("arena", "--results", "r.jsonl", "--seats", "3", "--bots", "greedy,random")
    assert code == 2
    assert "leave --bots and --seats out" in err


def test_missing_extras_are_named_with_the_cure(wellies: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.ImageDraw", None)
    code, _, err = wellies(*TOY, "--cluster", "local")
    assert code == 2
    assert 'pip install "wellies[cluster]"' in err
    code, _, err = wellies(*TOY, "--plot", "r.png")
    assert code == 2
    assert 'pip install "wellies[plot]"' in err
