"""Passwords: which ones are taken, and their hashes (argon2id), computed outside the event loop."""

from __future__ import annotations

import asyncio
import base64
from typing import Final

import argon2

from wellies.core.sources import random_bytes
from wellies.table import Refused

SHORTEST: Final = 8
LONGEST: Final = 200
AT_ONCE: Final = 2
"""Hashes computed at the same time: each takes 64 MB of memory."""
COMMON: Final = frozenset(
    """
    password passw0rd pa55word letmein iloveyou sunshine princess football baseball superman batman trustno1 welcome
    whatever starwars michael jennifer charlie computer internet samsung liverpool chelsea arsenal pokemon naruto
    monkey dragon shadow master killer hunter ashley bailey qwerty qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm
    qazwsx qazwsxedc q1w2e3r4 1q2w3e4r 1qaz2wsx abc123 abcd1234 a1b2c3d4 admin administrator root login guest secret
    changeme default test testing hello freedom nothing google facebook linkedin minecraft fortnite wellies
    correcthorsebatterystaple
    """.split()
)
"""Words that everybody tries first. They are refused with digits and signs around them too."""
_RUNS: Final = ("01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")


def check_password(password: str, name: str) -> None:
    """Refused says what is wrong with a new password."""
    if len(password) < SHORTEST:
        raise Refused("bad_password", f"A password needs at least {SHORTEST} characters.", 400)
    if len(password) > LONGEST:
        raise Refused("bad_password", f"A password has {LONGEST} characters at most.", 400)
    if _is_common(password.casefold(), name.casefold()):
        raise Refused("bad_password", "That password is one of the first that anybody would try; choose another.", 400)


def _is_common(password: str, name: str) -> bool:
    core = password.strip("0123456789!?.,-_#*$@+ ")
    if password in COMMON or core in COMMON or "".join(password.split()) in COMMON:
        return True
    if len(set(password)) <= 2 or not core:
        return len(set(password)) <= 4 or any(password in run or password[::-1] in run for run in _RUNS)
    if any(core in run or core[::-1] in run for run in _RUNS):
        return True
    return bool(name) and core in (name, name.replace(" ", ""))


class Passwords:
    """Makes hashes and compares passwords with them."""

    def __init__(self, hasher: argon2.PasswordHasher | None = None) -> None:
        # The low-memory parameters of RFC 9106: 64 MB, three passes, four lanes.
        self._hasher = hasher or argon2.PasswordHasher()
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        async with self._gate:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, hashed: str | None, password: str) -> bool:
        """Whether the password belongs to the hash. It takes as long without a hash, so that nobody learns from the
        time whether there is one."""
        async with self._gate:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed or self._nobody(), password)
            except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
                return False

    def is_old(self, hashed: str) -> bool:
        """Whether the hash was made with other parameters than are used now."""
        return self._hasher.check_needs_rehash(hashed)

    def _nobody(self) -> str:
        """A hash that no password has."""
        made = self._hasher
        salt, found = (
            base64.b64encode(random_bytes(size)).rstrip(b"=").decode() for size in (made.salt_len, made.hash_len)
        )
        parameters = f"m={made.memory_cost},t={made.time_cost},p={made.parallelism}"
        return f"$argon2id$v=19${parameters}${salt}${found}"
