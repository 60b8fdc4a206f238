"""Every game to its end by a user who presses anything, at four sizes, with mouse and with touch: no error, and a table
that always moves. The beginning of two games in the ordinary tests, hundreds of whole games in `make soak`.

A failure names its seed, and `WELLIES_RANDOM_USER_SEED=17 pytest tests/page/test_random_user.py` plays that one again:
the same game, size, pointer and choices, though not the same cards.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from page_random_user import SIZES, RandomUser
from page_server import OUTPUT, Opener, ServerProcess
from page_tables import BOT, ME, set_table
from server.faults import Cable

CASES: list[tuple[str, dict[str, Any], int]] = [
    ("puppies", {}, 3),
    ("guppies", {"tiles": 64}, 4),
    ("aquarium", {}, 2),
    ("umbradeco", {"mat": "small"}, 4),
    ("marram", {"variant": "classic", "length": "short"}, 4),
    ("marram", {"variant": "pitchfork", "length": "short"}, 4),
    ("marram", {"variant": "animals", "length": "long"}, 4),
]
MANY = int(os.environ.get("WELLIES_SOAK", "0")) // 7
CHOSEN = os.environ.get("WELLIES_RANDOM_USER_SEED", "")
SEEDS = [int(seed) for seed in CHOSEN.split(",")] if CHOSEN else list(range(MANY)) or [3, 4]
STEPS = None if MANY or CHOSEN else 50
"""How many things the user does; None plays to the end."""

pytestmark = pytest.mark.flaky(reruns=0)
"""What a random user meets once is a fault."""

CUT = ["WebSocket connection to", "net::ERR_"]
"""What a browser says of a network that is gone."""


def name_of(seed: int) -> str:
    game, options, _ = CASES[seed % len(CASES)]
    return "-".join([str(seed), game, *([options["variant"]] if game == "marram" else []), *size_and_pointer(seed)])


def size_and_pointer(seed: int) -> tuple[str, str]:
    """The size of the window and the pointer of a seed; 56 in a row have every game at every size with either."""
    size = SIZES[seed % 4]
    return f"{size['width']}x{size['height']}", "touch" if (seed + seed // 28) % 2 else "mouse"


@pytest.mark.parametrize("seed", SEEDS, ids=name_of)
def test_a_random_user_presses_anything(visit: Opener, server: ServerProcess, cable: Cable, seed: int) -> None:
    game, options, seats = CASES[seed % len(CASES)]
    touch = size_and_pointer(seed)[1] == "touch"
    rng = random.Random(f"table {seed}")
    others = [ME if MANY and rng.random() < 0.15 else BOT] + [BOT] * (seats - 2)
    page = visit(
        "/",
        url=cable.url,
        viewport=SIZES[seed % 4],
        has_touch=touch,
        is_mobile=touch and SIZES[seed % 4]["width"] < 1000,
        speed=rng.choice(["fastest", "fastest", "fast", "normal"]) if MANY else "fastest",
        errors=CUT,
    )
    table = set_table(page, game, [ME, *others], options=options)
    page.goto(f"/t/{table}")
    user = RandomUser(page, server, cable, table, seed, touch=touch)
    try:
        user.play(STEPS)
    finally:
        cable.mend()
        print(f"WELLIES_RANDOM_USER_SEED={seed}: {name_of(seed)}, {user.steps} steps; the last of them:")
        print(user.last_steps())
        OUTPUT.mkdir(parents=True, exist_ok=True)
        (OUTPUT / f"random-user-{seed}.txt").write_text("\n".join(user.trail), encoding="utf-8")
