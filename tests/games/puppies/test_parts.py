"""What a page is told of a part of a trick: how many moves can be chosen in one go, and when nothing is to ask."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import Match, Stream

SPEC = wellies.game("puppies")


def at_trick(card: int, groups: list[dict[str, Any]], *, here: str, part: int = 0) -> Any:
    """Seat 0 in the middle of the trick of this card."""
    pups = len(next(group for group in groups if group["breed"] == here)["pups"])
    position = {
        "game": "puppies",
        "options": {"extended": False, "strategic": False, "cards": "standard"},
        "round": 3,
        "final": False,
        "phase": "trick",
        "park": [16, 62, 83],
        "deck": 20,
        "turns": [{"seat": 0, "card": card}, {"seat": 1, "card": 2}],
        "tricks": [{"card": card, "here": here, "n": pups, "part": part, "done": 0}],
        "seats": [
            {"hand": [25, 31], "open": [], "groups": groups},
            {"hand": [6, 13, 30], "open": [], "groups": []},
        ],
    }
    return SPEC.from_position(position)


def extra(state: Any) -> dict[str, Any]:
    return dict(state.view(0)["extra"])


@pytest.mark.parametrize("seed", range(8))
def test_most_is_how_many_moves_a_part_takes(seed: int) -> None:
    match = Match("puppies", seats=2 + seed % 4, seed=seed)
    rng = Stream(seed)
    bot = wellies.bot("greedy")
    parts = 0
    while match.state.outcome() is None:
        seat = match.state.due()[0]
        view = match.view_for(seat)
        if view["position"]["phase"] != "trick" or view["extra"]["most"] < 2 or view["extra"].get("groups") == "one":
            match.play_move(seat, bot.choose(match.state, seat, rng))
            continue
        most, before = view["extra"]["most"], view["position"]["tricks"][-1]
        for made in range(most):
            now = match.view_for(seat)
            assert now["position"]["phase"] == "trick"
            assert now["position"]["tricks"][-1]["part"] == before["part"]
            assert now["extra"]["most"] == most - made
            moves = [move for move in match.state.legal(seat) if SPEC.move_text(match.state, seat, move) != "stop"]
            match.play_move(seat, moves[rng.randrange(len(moves))])
        after = match.view_for(seat)["position"].get("tricks", [])
        assert not after or (after[-1]["card"], after[-1]["part"]) != (before["card"], before["part"])
        parts += 1
    assert parts > 2


def test_one_group_to_bury_with_leaves_nothing_to_ask() -> None:
    huskies = [{"breed": "huskies", "pups": [40, 46, 41], "bones": []}, {"breed": "pugs", "pups": [1], "bones": [2]}]
    told = extra(at_trick(41, huskies, here="huskies"))
    assert told["plain"] == "bury huskies"
    assert told["most"] == 3
    assert "plain" not in extra(
        at_trick(
            48,
            [*huskies[1:], {**huskies[0], "pups": [40, 46, 48]}, {"breed": "corgis", "pups": [11], "bones": []}],
            here="huskies",
        )
    )


def test_a_bone_that_the_bonus_wants_as_it_is_is_asked_about() -> None:
    def brave(bones: list[int]) -> dict[str, Any]:
        return extra(at_trick(52, [{"breed": "pitbulls", "pups": [50, 52], "bones": bones}], here="pitbulls"))

    assert "plain" not in brave([1])  # as a 1 it becomes a 5 in the end, as a 2 it stays one
    assert brave([5])["plain"] == "up 5 pitbulls"


def test_bones_that_bind_each_other_are_told() -> None:
    yard = [{"breed": "huskies", "pups": [40, 49], "bones": [1, 2]}, {"breed": "pugs", "pups": [1], "bones": [1, 1]}]
    swift = extra(at_trick(49, yard, here="huskies"))
    assert (swift["most"], swift["groups"]) == (2, "each")
    prowling = [{"breed": "huskies", "pups": [40, 96], "bones": []}, {"breed": "pugs", "pups": [1], "bones": [1, 1]}]
    told = extra(at_trick(96, prowling, here="huskies"))
    assert (told["most"], told["groups"]) == (2, "one")
    assert "plain" not in told
