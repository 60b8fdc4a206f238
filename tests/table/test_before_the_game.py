"""Before the game: chairs that come and go, and their names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table.tables import ANN, BOB, facts, rebuilt, table_of

import wellies
from wellies.table import Clock, Refused, Seat, Setup, Table, new_table


def said(table: Table) -> list[str]:
    return [table.entry_for(entry, None)["text"] for entry in table.log]


def test_chairs_come_and_go_within_what_the_game_allows() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()], Clock("move", 30))
    most = wellies.game("guppies").max_seats
    for count in range(3, most + 1):
        table.add_chair(ANN, 0)
        assert len(table.seats) == len(table.options["colours"]) == count, "colours go round for all"
    with pytest.raises(Refused, match=f"2 to {most} players"):
        table.add_chair(ANN, 0)
    table.join(BOB, "Bob", most - 1, 0)
    table.set_seat(ANN, 2, "bot", "random", 0)
    with pytest.raises(Refused, match="Bob sits there"):
        table.remove_chair(ANN, most - 1, 0)
    while len(table.seats) > 2:
        table.remove_chair(ANN, 1, 0)
    assert [seat.name for seat in table.seats] == ["Ann", "Bob"], "whoever sits behind moves up"
    with pytest.raises(Refused, match="2 to"):
        table.remove_chair(ANN, 1, 0)
    with pytest.raises(Refused, match="Only the host"):
        table.add_chair(BOB, 0)
    with pytest.raises(Refused, match="Only the host"):
        table.remove_chair(BOB, 1, 0)
    assert facts(rebuilt(table), 0) == facts(table, 0)
    assert said(table)[0] == "The host adds a chair."
    assert "Bob joins the table." in said(table), "a line keeps the name of then, wherever Bob sits now"
    table.start(ANN, 0)
    with pytest.raises(Refused, match="begun"):
        table.add_chair(ANN, 0)
    assert table.match is not None
    assert table.match.state.seats == len(table.clocks.faces(0)) == 2
    assert facts(rebuilt(table), 0) == facts(table, 0)


def test_what_was_chosen_stays_when_a_chair_is_added_wherever_it_fits() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()])
    table.change(ANN, {"tiles": 64, "colours": "purple,green"}, None, None, 0)
    table.add_chair(ANN, 0)
    assert table.options["tiles"] == 64
    assert table.options["colours"] == wellies.game("guppies").start(3).options["colours"]


def test_a_game_that_goes_on_from_another_keeps_its_chairs_and_options() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()])
    table.setup = replace(table.setup, prefix=[(0, "a0@0,0")])
    with pytest.raises(Refused, match="as many chairs as that had"):
        table.add_chair(ANN, 0)
    with pytest.raises(Refused, match="with the options of that"):
        table.change(ANN, {"tiles": 64}, None, None, 0)
    table.change(ANN, None, None, True, 0)
    assert table.private


def test_a_chair_takes_another_name_and_the_table_knows_its_host_by_it() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Guest"), Seat("person", BOB, "Bob")])
    table.name_seat(ANN, 0, "Ann", 0)
    assert (table.seats[0].name, table.info_for(BOB).host) == ("Ann", "Ann")
    assert said(table) == ["Guest is now called Ann."]
    with pytest.raises(Refused, match="not yours"):
        table.name_seat(BOB, 0, "Bobby", 0)
    assert facts(rebuilt(table), 0) == facts(table, 0)
    table.start(ANN, 0)
    with pytest.raises(Refused, match="begun"):
        table.name_seat(ANN, 0, "Anna", 0)


def test_brackets_of_old_names_are_not_taken_for_marks() -> None:
    """A database of before may hold such names: what the log says of them reads well all the same."""
    table = new_table(Setup("guppies", {}, [Seat(), Seat()], False, Clock(), "ann", "Ann"))
    table.join("ann", "Ann [the {1}st]", 0, 0)
    assert table.entry_for(table.log[-1], None)["text"] == "Ann (the (1)st) joins the table."
    table.name_seat("ann", 0, "[Ann]", 0)
    assert table.seats[0].name == "(Ann)"
    assert Seat.from_json({"kind": "person", "name": "{0}"}).name == "(0)"
