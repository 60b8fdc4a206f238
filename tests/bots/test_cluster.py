"""A real Ray cluster on this machine: the same games as anywhere else, and none lost with a worker or a machine."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import SOAK

from wellies.bots.arena import runner
from wellies.bots.arena.cluster import ClusterExecutor, ClusterTrouble, play_there
from wellies.bots.arena.executors import SerialExecutor
from wellies.bots.arena.participants import parse_participants
from wellies.bots.arena.plan import Plan, make_plan
from wellies.bots.arena.playing import Result

if importlib.util.find_spec("ray") is None:  # it takes long to load: only the tests that use it load it
    pytest.skip("needs the extra cluster", allow_module_level=True)


@pytest.fixture
def two_machines() -> Iterator[Any]:
    """A cluster of two nodes, each with its own processes, as on two machines."""
    import ray
    from ray.cluster_utils import Cluster as RayCluster

    head = {"num_cpus": 1, "include_dashboard": False}
    cluster: Any = RayCluster(initialize_head=True, head_node_args=head)
    cluster.second = cluster.add_node(num_cpus=1)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def small_plan(rounds: int = 4) -> Plan:
    return make_plan("umbradeco", parse_participants(["greedy,random"]), rounds=rounds, seed=3)


def facts(results: list[Result]) -> list[tuple[int, list[int], int, str]]:
    return [(each.number, each.scores, each.decisions, each.reason) for each in sorted(results, key=lambda r: r.number)]


def alone(plan: Plan) -> list[Result]:
    results: list[Result] = []
    runner.run(list(range(plan.games)), SerialExecutor(plan), results.extend)
    return results


def test_the_command_plays_the_same_games_on_a_cluster(tmp_path: Path) -> None:
    words = ["arena", "umbradeco", "--bots", "greedy,random", "--games", "4", "--seed", "3", "--json", "-"]
    command = [sys.executable, "-m", "wellies", *words, "--results"]
    here = subprocess.run([*command, tmp_path / "here"], capture_output=True, text=True, check=True)
    there = subprocess.run(
        [*command, tmp_path / "there", "--cluster", "local", "--jobs", "2"], capture_output=True, text=True, check=False
    )
    assert there.returncode == 0, there.stderr
    assert there.stderr == ""
    assert there.stdout == here.stdout
    assert json.loads(there.stdout)["games"] == 4


@pytest.mark.skipif(not SOAK, reason="takes half a minute: `make soak` runs it")
def test_no_game_is_lost_with_a_worker_or_a_machine(two_machines: Any) -> None:
    plan = small_plan(24)
    executor = ClusterExecutor(plan, two_machines.address, None)
    assert executor.width == 2
    results: list[Result] = []
    killed: list[str] = []

    def on_results(more: list[Result]) -> None:
        results.extend(more)
        if not killed:
            os.kill(worker_at_play(two_machines), signal.SIGKILL)
            killed.append("worker")
        elif len(killed) == 1 and len(results) > 6:
            two_machines.remove_node(two_machines.second, allow_graceful=False)
            killed.append("machine")

    runner.run(list(range(plan.games)), executor, on_results)
    executor.close()
    assert killed == ["worker", "machine"]
    assert facts(results) == facts(alone(plan))


def worker_at_play(cluster: Any) -> int:
    """A process that plays games for this cluster now."""
    nodes = [info.process.pid for node in cluster.list_all_nodes() for info in node.all_processes["raylet"]]
    for _ in range(1000):
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                command = path.with_name("cmdline").read_bytes()
                parent = int(path.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            except OSError:
                continue
            if command.startswith(b"ray::play_there") and parent in nodes:
                return int(path.parent.name)
    raise AssertionError("nobody plays")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", r"there is no Ray cluster at 127\.0\.0\.1:1 \(connection refused\)"),
        ("nowhere", "write HOST:PORT, auto or local"),
        ("nowhere:port", "write HOST:PORT, auto or local"),
    ],
)
def test_an_address_without_a_cluster_is_named(address: str, said: str) -> None:
    with pytest.raises(ClusterTrouble, match=said):
        ClusterExecutor(small_plan(), address, None)


def test_a_machine_with_another_wellies_refuses_to_play() -> None:
    plan = small_plan().to_json()
    plan["code"] = {"": "0123456789abcdef"}
    with pytest.raises(ClusterTrouble, match="another Wellies"):
        play_there(plan, 1, [0], None)
