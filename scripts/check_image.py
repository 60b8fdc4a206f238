"""Builds the container image, starts it as an engine would, and plays a move.

    .venv/bin/python scripts/check_image.py

With a running Docker engine it uses `docker build` and `docker run`. Without one it runs the steps of the Dockerfile in
folders (see `container_build.py`), and starts the server in the last one: as the image's user, without capabilities,
with a read-only root, where only the data folder and /tmp can be written. Then it needs root, Linux and `debootstrap`,
and for the stage on the image of Node a Node of that version on this machine.

`--mount PATH` shows a file or folder of this machine to the RUN steps, and `--pass NAME` gives them a variable: for the
settings of pip, npm and apt on machines that need some.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from container_build import Builder, BuildTrouble, Image, Outside, in_namespaces, parse, system_mounts, with_environment

from wellies.client import Client

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 120.0
"""Seconds that a start may take."""

SLIM = ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/lintian", "usr/share/groff")
"""Folders that Debian's slim images leave out, now and in packages that are installed later."""

PROBE = """
import os, sys
def writable(folder):
    try:
        name = os.path.join(folder, "try")
        with open(name, "w"): pass
        os.unlink(name)
        return True
    except OSError:
        return False
print(os.getuid(), *[int(writable(folder)) for folder in ("/", "/opt/wellies", "/etc", "/data", "/tmp")])
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the container image, start it and play a move.")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "image", help="where it is built without Docker"
    )
    parser.add_argument("--mount", type=Path, action="append", default=[], metavar="PATH")
    parser.add_argument("--pass", dest="passed", action="append", default=[], metavar="NAME")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="STAGE", help="use a stage of the last run again"
    )
    given = parser.parse_args()
    if (
        subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0
        if shutil.which("docker")
        else False
    ):
        check_with_docker()
        return
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("check_image: without a Docker engine this needs root and debootstrap (apt install debootstrap).")
    outside = Outside(given.mount, {name: os.environ[name] for name in given.passed if name in os.environ})
    try:
        check_without_docker(given.folder, outside, given.keep)
    except BuildTrouble as error:
        sys.exit(f"check_image: {error}")


# --- without an engine ------------------------------------------------------------------------------------------------


def check_without_docker(folder: Path, outside: Outside, kept: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    builder = Builder(ROOT, folder, make_base, outside, kept)
    image = builder.build(parse((ROOT / "Dockerfile").read_text(encoding="utf-8")), print)
    print(f"built without an engine in {time.monotonic() - began:.0f} s")
    whole, packed = sizes(image.root)
    print(f"size: {whole / 1e6:.1f} MB, {packed / 1e6:.1f} MB compressed")
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700)
    uid, gid = (int(number) for number in image.user.split(":"))
    os.chown(data, uid, gid)
    probe(image, data)
    with free_port() as port:
        play_in_folder(image, data, port)


def make_base(name: str, root: Path) -> None:
    """A base image: Debian by debootstrap, made slim as Debian's images are; for Node's image with the Node of this
    machine."""
    debian = re.fullmatch(r"debian:(\w+)-slim", name)
    node = re.fullmatch(r"node:(\d+)-(\w+)-slim", name)
    if debian is None and node is None:
        raise BuildTrouble(f"{name}: only slim images of Debian and Node can be made here")
    part = root.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    suite = debian[1] if debian else node[2] if node else ""
    subprocess.run(["debootstrap", "--variant=minbase", suite, part], check=True, stdout=subprocess.DEVNULL)
    for folder in SLIM:
        shutil.rmtree(part / folder, ignore_errors=True)
    for folder in ("var/lib/apt/lists", "var/cache/apt/archives"):
        shutil.rmtree(part / folder)
        (part / folder / "partial").mkdir(parents=True)
    excluded = "".join(f"path-exclude /{folder}/*\n" for folder in SLIM)
    (part / "etc/dpkg/dpkg.cfg.d/docker").write_text(excluded, encoding="ascii")
    clean = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n'
    (part / "etc/apt/apt.conf.d/docker-clean").write_text(clean, encoding="ascii")
    (part / "etc/apt/apt.conf.d/docker-no-languages").write_text('Acquire::Languages "none";\n', encoding="ascii")
    if node is not None:
        add_node(part, node[1])
    part.rename(root)


def add_node(root: Path, version: str) -> None:
    found = shutil.which("node")
    told = subprocess.run([found or "false", "--version"], capture_output=True, text=True, check=False).stdout
    if found is None or not told.startswith(f"v{version}."):
        raise BuildTrouble(f"Node {version} is needed on this machine in place of its image; there is {told or 'none'}")
    here = Path(found).resolve().parent.parent
    shutil.copy2(here / "bin" / "node", root / "usr/local/bin/node")
    shutil.copytree(here / "lib/node_modules/npm", root / "usr/local/lib/node_modules/npm", symlinks=True)
    for program in ("npm", "npx"):
        (root / "usr/local/bin" / program).symlink_to(f"../lib/node_modules/npm/bin/{program}-cli.js")


def sizes(root: Path) -> tuple[int, int]:
    """The bytes of all files, and of a compressed archive of them."""
    seen: dict[tuple[int, int], int] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            found = os.lstat(os.path.join(folder, name))
            seen[(found.st_dev, found.st_ino)] = found.st_size
    packed = 0
    archive = subprocess.Popen(["tar", "--create", "--directory", root, "."], stdout=subprocess.PIPE)
    counting = Counting()
    assert archive.stdout is not None
    with gzip.GzipFile(fileobj=counting, mode="wb", compresslevel=6) as target:
        shutil.copyfileobj(archive.stdout, target, 1 << 20)
    packed = counting.count
    if archive.wait():
        raise BuildTrouble("tar cannot read the image")
    return sum(seen.values()), packed


class Counting:
    """A file that only counts."""

    def __init__(self) -> None:
        self.count = 0

    def write(self, data: Any) -> int:
        self.count += len(data)
        return len(data)

    def flush(self) -> None: ...


def started(image: Image, data: Path, command: list[str], **more: str) -> list[str]:
    """The command line that runs a command in the image as an engine would with `--read-only --cap-drop ALL`."""
    root = shlex.quote(str(image.root))
    mounts = [
        f"mount --bind {root} {root}",
        f"mount -o remount,bind,ro {root}",
        f"mount -t tmpfs tmpfs {root}/tmp",
        f"mount --bind {shlex.quote(str(data))} {root}{image.volumes[0]}",
        *system_mounts(image.root),
    ]
    uid, gid = image.user.split(":")
    lower = ["setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs"]
    lower += ["--inh-caps=-all", "--bounding-set=-all"]
    given = with_environment(image.folder, {**image.environment, **more})
    return in_namespaces(mounts, ["chroot", str(image.root), *lower, *given, *command])


def probe(image: Image, data: Path) -> None:
    """What the user of the image may write."""
    told = subprocess.run(
        started(image, data, ["python3", "-c", PROBE]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    wanted = [image.user.split(":")[0], "0", "0", "0", "1", "1"]
    if told != wanted:
        raise BuildTrouble(f"user and writable folders are {told}, not {wanted}")
    print(f"user {told[0]}; nothing can be written but {image.volumes[0]} and /tmp")
    version = subprocess.run(
        started(image, data, [*image.entrypoint, "--version"]), capture_output=True, text=True, check=True
    ).stdout.strip()
    if "compiled engine" not in version:
        raise BuildTrouble(f"the engine is not compiled: {version}")
    print(version)


def play_in_folder(image: Image, data: Path, port: int) -> None:
    began = time.monotonic()
    unshare = subprocess.Popen(started(image, data, [*image.entrypoint, *image.command], WELLIES_PORT=str(port)))
    try:
        wait_for_health(f"http://127.0.0.1:{port}", lambda: unshare.poll() is None)
        # The server is the child of `unshare`, and process 1 of its own.
        server = int(Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children").read_text(encoding="ascii").split()[0])
        started_after, used = time.monotonic() - began, processor_seconds(server)
        print(f"start: {started_after:.2f} s until /health answers, {used:.2f} s of them processor time")
        if not is_healthy(image, data, port):
            raise BuildTrouble("the health check fails")
        print(f"played: {asyncio.run(play(f'http://127.0.0.1:{port}'))}")
        began = time.monotonic()
        os.kill(server, getattr(signal, image.stop_signal))
        code = unshare.wait(LONGEST)
        print(f"stop: {time.monotonic() - began:.2f} s after {image.stop_signal}, exit code {code}")
        if code not in (0, 128 + signal.SIGTERM, -signal.SIGTERM):
            raise BuildTrouble("the server did not stop as it should")
    finally:
        if unshare.poll() is None:
            unshare.kill()
            unshare.wait()
    if is_healthy(image, data, port):
        raise BuildTrouble("the health check succeeds without a server")


def processor_seconds(process: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_healthy(image: Image, data: Path, port: int) -> bool:
    """What the image's own health check says."""
    command = started(image, data, image.health_command, WELLIES_PORT=str(port))
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


# --- with an engine ---------------------------------------------------------------------------------------------------


def check_with_docker() -> None:
    tag, name = "wellies:check", f"wellies-check-{os.getpid()}"
    subprocess.run(["docker", "build", "--tag", tag, ROOT], check=True)
    size = subprocess.run(
        ["docker", "image", "inspect", "--format", "{{.Size}}", tag], capture_output=True, text=True, check=True
    ).stdout
    print(f"size: {int(size) / 1e6:.1f} MB")
    with free_port() as port:
        hardened = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
        began = time.monotonic()
        subprocess.run(
            ["docker", "run", "--detach", "--name", name, *hardened, "--publish", f"127.0.0.1:{port}:8000", tag],
            check=True,
        )
        try:
            wait_for_health(f"http://127.0.0.1:{port}", lambda: True)
            print(f"start: {time.monotonic() - began:.2f} s until /health answers")
            print(f"played: {asyncio.run(play(f'http://127.0.0.1:{port}'))}")
        finally:
            subprocess.run(["docker", "rm", "--force", "--volumes", name], check=True, stdout=subprocess.DEVNULL)


# --- both -------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def free_port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    yield port


def wait_for_health(url: str, alive: Any) -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/health", timeout=2, trust_env=False).status_code == 200:
                return
        if not alive():
            raise BuildTrouble("the server has ended; its output is above")
        time.sleep(0.02)
    raise BuildTrouble("the server does not answer")


async def play(url: str) -> str:
    """Play a move against a bot, until it answers; the page and the engine are looked at too."""
    async with Client(url, timeout=LONGEST) as client:
        page = await client.http.get("/")
        if "<script" not in page.text:
            raise BuildTrouble("there is no page in the image")
        await client.guest("Ann")
        table = await client.create_table("guppies", ["me", "storm"], start=True)
        async with client.table(table["id"], seat=0) as seat:
            await seat.until(lambda now: now.decision is not None and now.legal, LONGEST)
            answer = await seat.play(seat.legal[0]["move"])
            version = answer["version"]
            await seat.until(lambda now: now.version > version and now.legal, LONGEST)
            return f"a move of Guppies was stored as number {version}, and the bot storm answered"


if __name__ == "__main__":
    main()
