"""A network of several hosts on this machine, whose packets can be lost, late or cut off.

Each host is a network namespace of Linux with a network device of its own (TUN). The other end of all devices is here:
a switch, in a thread of this process, reads every packet and passes it on, late, or not at all. So it needs no more of
the kernel than namespaces and TUN (`tc netem` is not everywhere), and the same seed loses the same share.
"""

from __future__ import annotations

import contextlib
import fcntl
import heapq
import os
import random
import select
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import services

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
BIGGEST_PACKET = 65_536


@dataclass
class Line:
    """How packets travel from one host to another: the share that is lost, and the seconds that the others take."""

    loss: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    cut: bool = False


class Network:
    """Hosts by name; "here" is this process itself, and all else that runs on the machine as usual."""

    def __init__(self, names: list[str], seed: int = 1) -> None:
        number = os.getpid() % 250 + 1
        self._mark = f"w{os.getpid() % 100_000}"
        self.addresses = {name: f"10.213.{number}.{place}" for place, name in enumerate(["here", *names], 1)}
        self.passed = 0
        self.lost = 0
        self._rng = random.Random(seed)
        self._lines: dict[tuple[str, str], Line] = {}
        self._usual = Line()
        self._by_address = {_packed(address): name for name, address in self.addresses.items()}
        self._devices: dict[str, int] = {}
        self._late: list[tuple[float, int, str, bytes]] = []
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._pass_on, name="switch", daemon=True)

    def open(self) -> None:
        for place, (name, address) in enumerate(self.addresses.items()):
            device = f"{self._mark}t{place}"
            self._devices[name] = _open_tun(device)
            inside: list[str] = []
            if name != "here":
                _ip("netns", "add", self.namespace(name))
                _ip("link", "set", device, "netns", self.namespace(name))
                inside = ["-n", self.namespace(name)]
                _ip(*inside, "link", "set", "lo", "up")
            _ip(*inside, "addr", "add", f"{address}/24", "dev", device)
            _ip(*inside, "link", "set", device, "up")
        self._thread.start()

    def close(self) -> None:
        os.close(self._stopped)
        if self._thread.is_alive():
            self._thread.join(services.LONGEST)
        os.close(self._stop)
        for device in self._devices.values():
            os.close(device)
        for name in self.addresses:
            if name != "here":
                subprocess.run(["ip", "netns", "del", self.namespace(name)], check=False, stderr=subprocess.DEVNULL)

    def namespace(self, name: str) -> str:
        return f"{self._mark}-{name}"

    def on(self, name: str) -> list[str]:
        """What to put before a command so that it runs on this host."""
        return ["ip", "netns", "exec", self.namespace(name)]

    # --- faults ----------------------------------------------------------------------------------------------------

    def between_all(self, *, loss: float = 0.0, delay: float = 0.0, jitter: float = 0.0) -> None:
        """How packets travel wherever nothing else was said."""
        self._usual = Line(loss, delay, jitter)

    def cut(self, one: str, other: str) -> None:
        """From now on nothing arrives between two hosts, in either direction, and nobody is told."""
        self._lines[(one, other)] = self._lines[(other, one)] = Line(cut=True)

    def heal(self) -> None:
        """All lines are whole again, and quick."""
        self._lines = {}
        self._usual = Line()

    # --- the switch ------------------------------------------------------------------------------------------------

    def _pass_on(self) -> None:
        by_device = {device: name for name, device in self._devices.items()}
        sent = 0
        while True:
            wait = None if not self._late else max(0.0, self._late[0][0] - time.monotonic())
            ready = select.select([self._stop, *by_device], [], [], wait)[0]
            if self._stop in ready:
                return
            for device in ready:
                packet = os.read(device, BIGGEST_PACKET)
                source, target = by_device[device], self._by_address.get(packet[16:20])
                if packet[0] >> 4 != 4 or target is None:
                    continue  # IPv6 looks for neighbours that are not there
                line = self._lines.get((source, target), self._usual)
                if line.cut or self._rng.random() < line.loss:
                    self.lost += 1
                    continue
                sent += 1
                due = time.monotonic() + line.delay + self._rng.uniform(-line.jitter, line.jitter)
                heapq.heappush(self._late, (due if line.delay else 0.0, sent, target, packet))
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, target, packet = heapq.heappop(self._late)
                self.passed += 1
                with contextlib.suppress(OSError):
                    os.write(self._devices[target], packet)


@contextlib.contextmanager
def network(*names: str) -> Iterator[Network]:
    """A network of these hosts. The test is skipped where that is not possible."""
    if os.geteuid() != 0 or shutil.which("ip") is None or not os.path.exists("/dev/net/tun"):
        services.skip_without("network namespaces")
    made = Network(list(names))
    try:
        try:
            made.open()
        except (OSError, subprocess.CalledProcessError) as error:
            services.skip_without("network namespaces", str(error))
        yield made
    finally:
        made.close()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _open_tun(name: str) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode("ascii"), IFF_TUN | IFF_NO_PI))
    return device


def _packed(address: str) -> bytes:
    return bytes(int(part) for part in address.split("."))
