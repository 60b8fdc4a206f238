"""Bots as one types them, with settings."""

from __future__ import annotations

import pytest

from wellies.bots import bot, make_bot, split_bot
from wellies.bots.simple import LOOKS, GreedyBot
from wellies.core.errors import BadOption, UnknownBot


def test_a_bot_with_settings_is_one_of_its_own() -> None:
    quick = make_bot("greedy:looks=7")
    assert isinstance(quick, GreedyBot)
    assert quick.looks == 7
    shelf = bot("greedy")
    assert isinstance(shelf, GreedyBot)
    assert shelf.looks == LOOKS
    assert split_bot("storm:nodes=500:seconds=1.5") == ("storm", {"nodes": "500", "seconds": "1.5"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("greedy:looks", "is not a setting"),
        ("greedy:looks=", "is not a setting"),
        ("greedy:=7", "is not a setting"),
        ("greedy:looks=1:looks=2", "given twice"),
        ("greedy:looks=many", "whole number from 1"),
        ("greedy:looks=0", "whole number from 1"),
        ("greedy:loks=7", 'Did you mean "looks"?'),
        ("random:looks=7", "the bot random has no settings"),
    ],
)
def test_what_cannot_be_set_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(BadOption, match=said.replace("?", r"\?")):
        make_bot(text)


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(UnknownBot):
        make_bot("gredy:looks=7")
