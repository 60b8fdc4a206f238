"""The players by seat: people by their names, bots as `bot:greedy`.

The `Players` line of a record has the same form as `--player`: `["Ann", "bot:greedy"]`. So a resumed game knows which
seats are bots.
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
    """The players of one game by seat: names to show, and the bots."""

    def __init__(self, players: list[str]) -> None:
        self.players = players
        self.bots: dict[int, Bot] = {}
        self.names: list[str] = []
        names: list[str] = []
        for seat, player in enumerate(players):
            if player.startswith(BOT):
                self.bots[seat] = bot(player[len(BOT) :])
                names.append(self.bots[seat].name.capitalize())
            else:
                names.append(check_name(player))
        people = [name for seat, name in enumerate(names) if seat not in self.bots]
        for name in people:
            if sum(1 for other in people if other.casefold() == name.casefold()) > 1:
                raise BadOption(f"two players are called {name}; give each a name of their own.")
        taken = {name.casefold() for name in people}
        for seat, name in enumerate(names):
            if seat in self.bots:
                base, number = name, 1
                while name.casefold() in taken:
                    number += 1
                    name = f"{base} {number}"
                taken.add(name.casefold())
            self.names.append(name)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat in range(len(self.players)) if seat not in self.bots]

    def fill(self, text: str) -> str:
        """A text of the game with the names of the seats and with moves in notation."""
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
    """A name without control characters, of limited length. BadOption says what is wrong."""
    clean = " ".join(name.split())
    if not clean:
        raise BadOption("a player's name is empty; give a name, or bot:greedy for a bot.")
    if len(clean) > LONGEST_NAME:
        raise BadOption(f"the name {clean[:LONGEST_NAME]}... is too long; use up to {LONGEST_NAME} characters.")
    if not clean.isprintable() or any(char in "{}#" for char in clean):
        raise BadOption(f"the name {clean!r} has characters that cannot be shown; use letters, digits and spaces.")
    return clean


def usual_seats(spec: GameSpec) -> int:
    """The default number of seats: two, or the fewest that the game allows."""
    return min(max(2, spec.min_seats), spec.max_seats)


def seat_players(spec: GameSpec, given: list[str], seats: int | None) -> Seating:
    """The seating of a new game: the given players in order, then greedy bots. Without any, one person plays."""
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
            raise BadOption(
                f"{player} is the name of a bot: write {BOT}{player} to play against it, or choose another name."
            )
        players.append(player)
    players += [f"{BOT}greedy"] * (seats - len(players))
    return Seating(players)
