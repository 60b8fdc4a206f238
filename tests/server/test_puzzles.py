"""Puzzles over HTTP: the same for everybody, and without the solution before a try."""

from __future__ import annotations

import httpx
import pytest
from server.serving import Running

from wellies.puzzles.puzzle import EPOCH, ROTATION, puzzle_on

DAY = EPOCH.isoformat()


@pytest.mark.parametrize("game", ROTATION)
def test_a_puzzle_is_shown_tried_and_judged(server: Running, game: str) -> None:
    best = puzzle_on(game, EPOCH).best.move
    with httpx.Client(base_url=f"{server.url}/api/v1") as client:
        shown = client.get(f"/puzzles/{game}", params={"date": DAY})
        assert shown.status_code == 200
        assert shown.json()["date"] == DAY
        assert not {"best", "obvious", "lost", "says"} & set(shown.json())
        path = f"/puzzles/{game}"
        found = client.post(f"{path}/preview", params={"date": DAY}, json={"move": best})
        assert found.json()["move"] == best
        why = client.post(f"{path}/why", params={"date": DAY}, json={"move": best})
        assert why.json() == {"refusal": None}
        verdict = client.post(f"{path}/try", params={"date": DAY}, json={"move": best}).json()
        assert verdict["best"]
        assert verdict["boots"] == 3
        assert verdict["moves"][0]["move"] == best


def test_everybody_gets_the_same_puzzle(server: Running) -> None:
    with httpx.Client(base_url=f"{server.url}/api/v1") as ann, httpx.Client(base_url=f"{server.url}/api/v1") as ben:
        ann.post("/me", json={"name": "Ann"})
        mine, theirs = (each.get("/puzzles/marram", params={"date": DAY}).json() for each in (ann, ben))
        assert mine == theirs
        assert ann.get("/puzzles").json() == {"first": DAY, "games": list(ROTATION)}


def test_what_is_wrong_is_said(server: Running) -> None:
    with httpx.Client(base_url=f"{server.url}/api/v1") as client:
        for path, body, code in (
            ("/puzzles/chess", None, (404, "no_puzzle")),
            ("/puzzles/marram?date=2026-11-17", None, (404, "no_puzzle")),
            ("/puzzles/marram?date=9999-12-31", None, (404, "no_puzzle")),
            ("/puzzles/marram?date=tomorrow", None, (400, "bad_date")),
            ("/puzzles/marram/try", {"move": "nonsense"}, (400, "bad_notation")),
            ("/puzzles/marram/try", {"move": "x", "more": 1}, (400, "bad_request")),
        ):
            answer = client.get(path) if body is None else client.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == code, path
            assert answer.json()["message"]
