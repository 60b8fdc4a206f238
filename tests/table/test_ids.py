"""Ids of tables cannot be guessed, and those of earlier versions are still known."""

from __future__ import annotations

import pytest

from wellies.core.sources import Sources, replace_sources
from wellies.table import Clock, Seat, Setup, new_table
from wellies.table.create import rematch_table
from wellies.table.ids import ID_BYTES, id_from, is_id, new_id


def _setup(*, private: bool = False, host: str = "ann") -> Setup:
    return Setup("guppies", {}, [Seat("person", "ann", "Ann"), Seat()], private, Clock(), host, "Ann")


class Counting(Sources):
    """Counts the random bytes that are asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def random_bytes(self, count: int) -> bytes:
        self.asked.append(count)
        return super().random_bytes(count)


def test_an_id_holds_128_bits_of_secure_randomness() -> None:
    counting = Counting()
    before = replace_sources(counting)
    try:
        made = {new_id() for _ in range(1000)}
    finally:
        replace_sources(before)
    assert counting.asked == [ID_BYTES] * 1000
    assert len(made) == 1000
    assert all(len(each) == 26 and is_id(each) for each in made)
    # Every bit of the secret is in the id: the id can be turned back into it.
    flipped = {id_from((1 << bit).to_bytes(ID_BYTES, "big")) for bit in range(8 * ID_BYTES)}
    assert len(flipped) == 8 * ID_BYTES


def test_a_rematch_has_an_id_of_the_same_kind_which_follows_from_the_secret_invitation() -> None:
    one, other = new_table(_setup(), table_id="a" * 26), new_table(_setup(), table_id="a" * 26)
    assert is_id(one.rematch_id())
    assert len(one.rematch_id()) == 26
    assert one.rematch_id() == one.rematch_id()
    assert one.rematch_id() != other.rematch_id(), "the public id alone does not give it"
    assert rematch_table(one, "ann", "Ann", one.created).id == one.rematch_id()


@pytest.mark.parametrize("good", ["0123456789ab", "abcdefghijklmnopqrstuvwxyz", "a234567" + "b" * 19])
def test_ids_of_all_versions_are_known(good: str) -> None:
    assert is_id(good)


@pytest.mark.parametrize(
    "bad", ["", "0123456789a", "0123456789AB", "A" * 26, "1" * 26, "a" * 25, "a" * 27, "a" * 26 + "\n"]
)
def test_nothing_else_is_an_id(bad: str) -> None:
    assert not is_id(bad)


def test_a_private_table_without_a_host_is_not_everybodys() -> None:
    table = new_table(_setup(private=True, host=""))
    assert not table.visible_to("", None)
    assert not table.visible_to("", "")
    assert not table.visible_to("", "\ud800")
    assert table.visible_to("", table.invite)
    assert table.info_for("").invite is None
