"""Who sits where: people by their names, bots as `bot:greedy`.

A record keeps the seats in its `Players` line in the same form as `--player` takes them: `["Ann", "bot:greedy"]`. So a
game that is resumed knows which seats play by themselves.
"""

from __future__ import annotations

from typing import Final

from wellies.bots import Bot, bot, list_bots
from wellies.core.errors import BadOption
from wellies.core.spec import GameSpec
from wellies.core.texts import with_notation

BOT: Final = "bot:"
LONGEST_NAME: Final = 24


class Seating:
    """The players of one game by seat: names to show, and the bots among them."""

    def __init__(self, players: list[str]) -> None:
        self.players = players
        self.bots: dict[int, Bot] = {}
        self.names: list[str] = []
        wanted: list[str] = []
        for seat, player in enumerate(players):
            if player.startswith(BOT):
                self.bots[seat] = bot(player[len(BOT) :])
                wanted.append(self.bots[seat].name.capitalize())
            else:
                wanted.append(check_name(player))
        people = [name for seat, name in enumerate(wanted) if seat not in self.bots]
        for name in people:
            if sum(1 for other in people if other.casefold() == name.casefold()) > 1:
                raise BadOption(f"two players are called {name}; give each a name of their own.")
        taken = {name.casefold() for name in people}
        for seat, name in enumerate(wanted):
            if seat in self.bots:
                plain, number = name, 1
                while name.casefold() in taken:
                    number += 1
                    name = f"{plain} {number}"
                taken.add(name.casefold())
            self.names.append(name)

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat in range(len(self.players)) if seat not in self.bots]

    def fill(self, text: str) -> str:
        """A text of the game as it is read where moves are typed, with the names of the seats."""
        return with_notation(text, self.names)

    def find(self, text: str) -> tuple[int, str] | None:
        """The seat whose name (or number) begins this text, and the rest of it."""
        folded = text.casefold()
        for seat in sorted(range(len(self.names)), key=lambda each: -len(self.names[each])):
            name = self.names[seat].casefold()
            if folded == name or folded.startswith(name + " "):
                return seat, text[len(name) :].strip()
        first, _, rest = text.partition(" ")
        if first.isascii() and first.isdigit() and int(first) < len(self.names):
            return int(first), rest.strip()
        return None


def check_name(name: str) -> str:
    """A name fit for a screen and a record."""
    clean = " ".join(name.split())
    if not clean:
        raise BadOption("a player's name is empty; give a name, or bot:greedy for a bot.")
    if len(clean) > LONGEST_NAME:
        raise BadOption(f"the name {clean[:LONGEST_NAME]}... is too long; use up to {LONGEST_NAME} characters.")
    if not clean.isprintable() or any(char in "{}#" for char in clean):
        raise BadOption(f"the name {clean!r} has signs that cannot be shown; use letters, digits and spaces.")
    return clean


def usual_seats(spec: GameSpec) -> int:
    """How many sit down when nobody says: two, or the fewest the game takes."""
    return min(max(2, spec.min_seats), spec.max_seats)


def seat_players(spec: GameSpec, given: list[str], seats: int | None) -> Seating:
    """The seating of a new game: those given, in order, then greedy bots. With nobody given, one person plays."""
    if seats is None:
        seats = max(len(given), usual_seats(spec))
    spec.check_seats(seats)
    if len(given) > seats:
        raise BadOption(f"{len(given)} players for {seats} seats; ask for --seats {len(given)} or name fewer.")
    players = []
    for player in given or ["Player"]:
        if player.lower().startswith(BOT):
            player = BOT + player[len(BOT) :].strip().lower()
        elif player in list_bots():
            raise BadOption(f"{player} is the name of a bot: write {BOT}{player} to seat it, or give another name.")
        players.append(player)
    players += [f"{BOT}greedy"] * (seats - len(players))
    return Seating(players)
