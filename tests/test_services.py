"""The servers that a run of the tests starts for itself, and what it says of programs that are not installed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import services


def test_a_server_stops_when_its_run_is_killed(tmp_path: Path) -> None:
    if services.find_redis() is None:
        services.skip_without("Redis")
    run = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (tmp_path / "owner").write_text(str(run.pid), encoding="ascii")
    keeper = subprocess.Popen([sys.executable, services.__file__, "Redis", str(tmp_path)], stdout=subprocess.DEVNULL)
    try:
        address = tmp_path / "Redis.address"
        services.wait_until(lambda: address.exists() or keeper.poll() is not None, "Redis did not start")
        where = urlsplit(address.read_text(encoding="ascii"))
        with socket.create_connection((where.hostname, where.port)):
            pass
    finally:
        run.kill()
        run.communicate()
    assert keeper.wait(services.LONGEST) == 0
    assert not tmp_path.exists()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((where.hostname, where.port)).close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere a server is not told that its parent has died.")
def test_a_server_does_not_outlive_its_keeper(tmp_path: Path, number: signal.Signals) -> None:
    if services.find_redis() is None:
        services.skip_without("Redis")
    (tmp_path / "owner").write_text(str(os.getpid()), encoding="ascii")
    keeper = subprocess.Popen([sys.executable, services.__file__, "Redis", str(tmp_path)], stdout=subprocess.DEVNULL)
    address = tmp_path / "Redis.address"
    services.wait_until(lambda: address.exists() or keeper.poll() is not None, "Redis did not start")
    where = urlsplit(address.read_text(encoding="ascii"))
    keeper.send_signal(number)
    keeper.wait(services.LONGEST)

    def gone() -> bool:
        try:
            socket.create_connection((where.hostname, where.port)).close()
        except ConnectionRefusedError:
            return True
        return False

    services.wait_until(gone, "Redis is still there")


def test_a_test_without_its_program_is_skipped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "find_postgres", lambda: None)
    for name in ("WELLIES_TEST_POSTGRES", "WELLIES_NEED_POSTGRES"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(pytest.skip.Exception) as skipped:
        services.postgres_url()
    lines = services.not_tested([f"Skipped: {skipped.value}"] * 3 + ["Skipped: for another reason"])
    assert lines == ["NOT TESTED: 3 tests need PostgreSQL, which is not installed (on Debian: apt install postgresql)."]
    monkeypatch.setenv("WELLIES_NEED_POSTGRES", "1")
    with pytest.raises(pytest.fail.Exception, match="PostgreSQL is missing"):
        services.postgres_url()
