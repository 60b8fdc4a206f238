"""Builds a container image without an engine: the steps of a Dockerfile, run in folders.

Each stage is a folder that begins as a copy of its base image. RUN happens in it by chroot, with namespaces of its own
for mounts and processes. Base images are made with `debootstrap`. Root and Linux are needed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


class BuildTrouble(Exception):
    """A step that failed, or that this program does not know."""


# --- reading a Dockerfile ---------------------------------------------------------------------------------------------


@dataclass
class Step:
    """One instruction."""

    word: str
    rest: str
    line: int


@dataclass
class Stage:
    """The instructions from one FROM to the next."""

    base: str
    name: str
    steps: list[Step] = field(default_factory=list)


def parse(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    stages: list[Stage] = []
    for step in _steps(text):
        if step.word == "FROM":
            words = step.rest.split()
            if len(words) not in (1, 3) or (len(words) == 3 and words[1].upper() != "AS"):
                raise BuildTrouble(f"line {step.line}: FROM {step.rest} is not understood")
            stages.append(Stage(words[0], words[2] if len(words) == 3 else str(len(stages))))
        elif not stages:
            raise BuildTrouble(f"line {step.line}: {step.word} before FROM")
        else:
            stages[-1].steps.append(step)
    return stages


def _steps(text: str) -> list[Step]:
    steps: list[Step] = []
    joined, begun = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or (not line.strip() and not joined):
            continue
        begun = begun or number
        if line.rstrip().endswith("\\"):
            joined += line.rstrip()[:-1]
            continue
        word, _, rest = (joined + line).strip().partition(" ")
        steps.append(Step(word.upper(), rest.strip(), begun))
        joined, begun = "", 0
    return steps


def make_ignore(text: str) -> Callable[[str], bool]:
    """A function that says whether a path of the build context is left out, by the patterns of a .dockerignore file.
    The last pattern that matches counts."""
    rules: list[tuple[re.Pattern[str], bool]] = []
    for line in text.splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            kept = pattern.startswith("!")
            rules.append((re.compile(_pattern(pattern.lstrip("!").strip("/"))), not kept))

    def is_ignored(path: str) -> bool:
        parts = path.split("/")
        prefixes = ["/".join(parts[: length + 1]) for length in range(len(parts))]
        left_out = False
        for rule, ignores in rules:
            if any(rule.fullmatch(prefix) for prefix in prefixes):
                left_out = ignores
        return left_out

    return is_ignored


def _pattern(pattern: str) -> str:
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]+\])", pattern)
    return "".join(signs.get(part, part if part.startswith("[") else re.escape(part)) for part in parts)


# --- running it -------------------------------------------------------------------------------------------------------


@dataclass
class Image:
    """A stage that was built: its files and how it is started."""

    root: Path
    environment: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    )
    user: str = "0:0"
    folder: str = "/"
    labels: dict[str, str] = field(default_factory=dict)
    volumes: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health_command: list[str] = field(default_factory=list)
    stop_signal: str = "SIGTERM"


@dataclass
class Outside:
    """What RUN steps get from this machine, as from an engine's proxy settings and build mounts. It does not get into
    the image."""

    mounts: list[Path]
    environment: dict[str, str]


class Builder:
    """Builds the stages of one Dockerfile."""

    def __init__(
        self, context: Path, folder: Path, make_base: Callable[[str, Path], None], outside: Outside, kept: list[str]
    ) -> None:
        self._context = context
        self._folder = folder
        self._make_base = make_base
        self._outside = outside
        self._kept = kept
        self._ignored = make_ignore((context / ".dockerignore").read_text(encoding="utf-8"))
        self._built: dict[str, Image] = {}

    def build(self, stages: list[Stage], say: Callable[[str], None]) -> Image:
        """Build all stages; returns the last."""
        image = Image(self._folder)
        for stage in stages:
            root = self._folder / f"stage-{stage.name}"
            base = self._folder / f"base-{re.sub('[^a-z0-9]+', '-', stage.base)}"
            if stage.name in self._kept and root.is_dir():
                say(f"{stage.name}: as it was built before")
                self._built[stage.name] = Image(root)
                continue
            if not base.is_dir():
                say(f"BASE {stage.base}")
                self._make_base(stage.base, base)
            if root.exists():
                shutil.rmtree(root)
            subprocess.run(["cp", "--archive", base, root], check=True)
            image = self._built[stage.name] = Image(root)
            for step in stage.steps:
                say(f"{stage.name}: {step.word} {' '.join(step.rest.split())[:100]}")
                self._do(image, step)
        return image

    def _do(self, image: Image, step: Step) -> None:
        todo = getattr(self, f"_{step.word.lower()}", None)
        if todo is None:
            raise BuildTrouble(f"line {step.line}: {step.word} is not understood")
        todo(image, step.rest)

    # One method for each instruction.

    def _run(self, image: Image, rest: str) -> None:
        outside = self._outside
        command = json.loads(rest) if rest.startswith("[") else ["/bin/sh", "-c", rest]
        given = {**outside.environment, **image.environment, "HOME": "/root"}
        chroot = [
            "chroot",
            f"--userspec={image.user}",
            str(image.root),
            *with_environment(image.folder, given),
            *command,
        ]
        made = [point for path in self._run_mounts() if (point := _make_mount_point(image.root, path))]
        mounts = [bind(path, image.root) for path in self._run_mounts()]
        done = subprocess.run(
            in_namespaces([*system_mounts(image.root), *mounts], chroot),
            stdin=subprocess.DEVNULL,
            check=False,
        )
        for point in reversed(made):
            point.rmdir() if point.is_dir() else point.unlink()
        if done.returncode:
            raise BuildTrouble(f"RUN {rest} ended with {done.returncode}")

    def _run_mounts(self) -> list[Path]:
        return [Path("/etc/resolv.conf"), *self._outside.mounts]

    def _copy(self, image: Image, rest: str) -> None:
        words = rest.split()
        options = [word for word in words if word.startswith("--")]
        *sources, target = [word for word in words if not word.startswith("--")]
        source_root, ignored = self._context, self._ignored
        for option in options:
            name, _, value = option.partition("=")
            if name != "--from" or value not in self._built:
                raise BuildTrouble(f"COPY {option} is not understood")
            source_root, ignored = self._built[value].root, lambda _path: False
        there = image.root / os.path.normpath(os.path.join(image.folder, target)).lstrip("/")
        for source in sources:
            found = source_root / source.strip("/")
            if not found.exists():
                raise BuildTrouble(f"COPY: there is no {source}")
            if found.is_dir():
                _copy_folder(found, there, source_root, ignored)
            elif not ignored(source):
                is_folder = target.endswith("/") or len(sources) > 1
                there.mkdir(parents=True, exist_ok=True) if is_folder else there.parent.mkdir(
                    parents=True, exist_ok=True
                )
                shutil.copy2(found, there / found.name if is_folder else there)

    def _env(self, image: Image, rest: str) -> None:
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            image.environment[name] = value

    def _label(self, image: Image, rest: str) -> None:
        image.labels |= dict(pair.split("=", 1) for pair in shlex.split(rest))

    def _workdir(self, image: Image, rest: str) -> None:
        image.folder = rest
        (image.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _user(self, image: Image, rest: str) -> None:
        image.user = rest

    def _volume(self, image: Image, rest: str) -> None:
        image.volumes += json.loads(rest) if rest.startswith("[") else rest.split()

    def _expose(self, image: Image, rest: str) -> None:
        """Only a note for people."""

    def _stopsignal(self, image: Image, rest: str) -> None:
        image.stop_signal = rest

    def _healthcheck(self, image: Image, rest: str) -> None:
        image.health_command = json.loads(rest.partition("CMD")[2])

    def _entrypoint(self, image: Image, rest: str) -> None:
        image.entrypoint = json.loads(rest)

    def _cmd(self, image: Image, rest: str) -> None:
        image.command = json.loads(rest)


def _copy_folder(found: Path, there: Path, source_root: Path, ignored: Callable[[str], bool]) -> None:
    def leave_out(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if _is_left_out(Path(folder) / name, source_root, ignored)]

    shutil.copytree(found, there, symlinks=True, dirs_exist_ok=True, ignore=leave_out)


def _is_left_out(path: Path, source_root: Path, ignored: Callable[[str], bool]) -> bool:
    return ignored(path.relative_to(source_root).as_posix())


# --- namespaces -------------------------------------------------------------------------------------------------------


def in_namespaces(mounts: list[str], command: list[str]) -> list[str]:
    """A command line that mounts what is wanted and then becomes the command, as process 1 of its own."""
    script = "\n".join(["set -e", *mounts, f"exec {shlex.join(command)}"])
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private", "sh", "-c", script]


def with_environment(folder: str, environment: dict[str, str]) -> list[str]:
    """The beginning of a command line: in this folder, with these variables and no others."""
    return [
        "env",
        "--ignore-environment",
        f"--chdir={folder}",
        *(f"{key}={value}" for key, value in environment.items()),
    ]


def system_mounts(root: Path) -> list[str]:
    """What every container has."""
    return [
        shlex.join(["mount", "--rbind", "/dev", str(root / "dev")]),
        shlex.join(["mount", "-t", "proc", "proc", str(root / "proc")]),
    ]


def bind(path: Path, root: Path) -> str:
    """Show a file or folder of this machine in the root, read-only."""
    there = str(root / str(path).lstrip("/"))
    return (
        f"{shlex.join(['mount', '--bind', str(path), there])}; {shlex.join(['mount', '-o', 'remount,bind,ro', there])}"
    )


def _make_mount_point(root: Path, path: Path) -> Path | None:
    """Make what a mount needs; None if it is there already."""
    there = root / str(path).lstrip("/")
    if there.exists():
        return None
    there.parent.mkdir(parents=True, exist_ok=True)
    there.mkdir() if path.is_dir() else there.touch()
    return there
