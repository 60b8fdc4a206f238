"""Games in packages of their own, installed and played: the proof that one more game touches nothing else."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from example_games import EXAMPLES, announce, example_games
from helpers import HERE
from server.serving import Worker, sqlite_file
from terminal import Terminal

from wellies.client import Client
from wellies.match import Record

Game = dict[str, Any]
ROOT = HERE.parent
CODE = [
    "src",
    "tests",
    "bench",
    "scripts",
    "web/src",
    "web/scripts",
    "web/schemas",
    "Makefile",
    "pyproject.toml",
    "setup.py",
]


def test_there_is_an_example() -> None:
    assert example_games()
    assert all((folder / "README.md").is_file() for folder in example_games().values())


@pytest.mark.parametrize("name", sorted(example_games()))
def test_no_code_knows_the_name_of_an_example(name: str) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *CODE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    read = 0
    for line in listed.stdout.splitlines():
        path = ROOT / line
        if path.is_file() and path.suffix in {
            ".py",
            ".ts",
            ".js",
            ".mjs",
            ".svelte",
            ".json",
            ".toml",
            ".md",
            ".txt",
            "",
        }:
            read += 1
            assert not re.search(rf"\b{name}\b", path.read_text(encoding="utf-8"), re.IGNORECASE), path
    assert read > 400, "the search has found the code"


def test_an_example_keeps_every_law(game: Game, installed: dict[str, str]) -> None:
    """The shared tests take every game that is installed: laws, texts, examples, finished games and move counts."""
    tests = [HERE / "contract", HERE / "test_golden.py", HERE / "core" / "test_options_and_shelf.py"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-rN", "-k", game["name"]]
    done = subprocess.run(
        [*command, *map(str, tests)], env=installed, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "[100%]" in done.stdout


def test_an_example_is_played_at_a_terminal(game: Game, installed: dict[str, str], tmp_path: Path) -> None:
    arguments = ["-m", "wellies", "play", game["name"], "--player", "Ann", "--player", "bot:greedy", "--seed", "3"]
    with Terminal(arguments, tmp_path, env={"PYTHONPATH": installed["PYTHONPATH"]}) as screen:
        said = screen.expect("\nAnn: ")
        assert game["title"] in said
        screen.send("nonsense")
        screen.expect("is not a move")
        screen.expect("\nAnn: ")
        over = ""
        while "wellies replay" not in over:
            screen.send("1")
            over = screen.expect_one_of(["\nAnn: ", "Enter to go on", "wellies replay"])
        assert screen.finish() == 0
    (saved,) = (tmp_path / "wellies" / "games").glob("*.wellies")
    record = Record.parse(saved.read_text(encoding="utf-8"))
    assert record.game == game["name"]
    assert record.result


def test_bots_play_an_example_against_each_other(game: Game, command: Any, tmp_path: Path) -> None:
    name = game["name"]
    told = json.loads(command("simulate", name, "--games", "6", "--bots", "greedy,random", "--jobs", "2", "--json"))
    assert told["games"] == 6
    assert command("simulate", name, "--games", "1", "--bots", "drizzle,shower")
    assert command("simulate", name, "--games", "1", "--bots", "storm:nodes=20,monsoon:nodes=20")
    results = tmp_path / "results.jsonl"
    assert "greedy" in command("arena", name, "--bots", "greedy,random", "--games", "4", "--results", results)
    assert results.is_file()


def test_records_positions_and_rules_of_an_example(game: Game, command: Any, tmp_path: Path) -> None:
    name = game["name"]
    assert game["title"] in command("rules", name)
    assert command("schemas", tmp_path / "schemas")
    golden = example_games()[name] / "tests" / "golden"
    record = min(golden.glob("*.wellies"))
    assert "seed" in command("verify", record)
    assert command("replay", record)
    example = json.loads(min(golden.glob("*.json")).read_text(encoding="utf-8"))[0]
    position = tmp_path / "position.json"
    position.write_text(json.dumps({"game": name, **example["position"]}), encoding="utf-8")
    assert json.loads(command("position", position, "--json"))


def test_an_example_is_played_over_the_network(
    game: Game, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", installed["PYTHONPATH"])

    async def scenario(url: str) -> None:
        async with Client(url) as client:
            names = [each["name"] for each in await client.request("GET", "/games")]
            assert names == sorted(names)
            details = await client.request("GET", f"/games/{game['name']}")
            assert len(details["how_to_play"]) > 1000
            for level in ("shower", "storm"):
                table = await client.create_table(game["name"], ["me", level], start=True)
                async with client.table(table["id"], seat=0) as seat:
                    first = True
                    while True:
                        await seat.until(lambda now: now.decision is not None or now.view["outcome"] is not None)
                        assert seat.view is not None
                        if seat.view["outcome"] is not None:
                            break
                        assert seat.view["plain_board"]["places"]
                        move = seat.legal[0]["move"]
                        if first:
                            assert (await seat.hint())["words"]
                            assert await seat.why(move) is None
                            assert (await seat.preview(move))["move"] == move
                        first = False
                        await seat.play(move)
                        assert await seat.why(move), "what has been done cannot be done again"

    with sqlite_file() as database:
        worker = Worker(database)
        try:
            asyncio.run(asyncio.wait_for(scenario(worker.wait_ready().url), 120))
        finally:
            worker.stop()


def test_a_broken_package_does_not_empty_the_shelf_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, "broken", "no_such_module:SPEC")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def scenario(url: str) -> None:
        async with Client(url) as client:
            names = [each["name"] for each in await client.request("GET", "/games")]
            assert "guppies" in names
            assert "broken" not in names
            with pytest.raises(Exception, match="package 'package-broken' cannot be loaded"):
                await client.create_table("broken", ["me", "random"], start=True)

    with sqlite_file() as database:
        worker = Worker(database)
        try:
            asyncio.run(asyncio.wait_for(scenario(worker.wait_ready().url), 60))
        finally:
            worker.stop()


def test_tables_of_a_game_that_is_gone_do_not_keep_a_server_from_working(
    game: Game, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite_file() as database:
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", installed["PYTHONPATH"])
            worker = Worker(database)

        async def begin(url: str) -> str:
            async with Client(url) as client:
                table = await client.create_table(game["name"], ["me", "random"], start=True)
                return str(table["id"])

        async def look(url: str, table: str) -> None:
            async with Client(url) as client:
                assert game["name"] not in [each["name"] for each in await client.request("GET", "/games")]
                with pytest.raises(Exception, match=f"there is no game '{game['name']}'"):
                    await client.request("GET", f"/tables/{table}")
                other = await client.create_table("guppies", ["me", "random"], start=True)
                assert other["state"] == "playing"
                assert await client.request("GET", "/tables") is not None

        try:
            table = asyncio.run(asyncio.wait_for(begin(worker.wait_ready().url), 60))
        finally:
            worker.stop()
        worker = Worker(database)
        try:
            asyncio.run(asyncio.wait_for(look(worker.wait_ready().url, table), 60))
        finally:
            worker.stop()


def test_every_folder_of_examples_is_a_package() -> None:
    folders = {path.parent for path in EXAMPLES.glob("*/*") if path.suffix in {".py", ".toml"}}
    assert folders == set(example_games().values())
