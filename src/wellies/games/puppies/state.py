"""The rules of Good Puppies: set-up, rounds, turns, tricks, and the end."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.core.events import Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Ending, Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.games.puppies import events, hidden, position, refusals, view
from wellies.games.puppies.estimate import estimate
from wellies.games.puppies.material import BURY, CARDS, DOGGOS, DRAW, Cards, Step
from wellies.games.puppies.moves import BURY_AT, CHOOSE, DIG, JOIN, SHIFT, STOP, TAKE, UP, shift_bone, shift_to, up_bone
from wellies.games.puppies.phases import (
    CHOOSING,
    DEAL,
    DECKS,
    DRAWING,
    JOINING,
    LEFTOVER,
    OVER,
    PARK,
    SHOWING,
    TAKING,
    TRICK,
    UNKNOWN,
)
from wellies.games.puppies.scoring import all_bonuses, score_lines
from wellies.games.puppies.tricks import Frame, options
from wellies.games.puppies.yard import Yard

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec


@mypyc_attr(allow_interpreted_subclasses=True)
class PuppiesState(GameState):
    """One game of Good Puppies.

    Nobody sees a buried card, so all cards that nobody has seen are equally likely anywhere: `unseen` lists them, and
    of deck, box and bones there are only counts.
    """

    def __init__(self, spec: GameSpec, seats: int, options: Json, cards: Cards) -> None:
        super().__init__(spec, seats, options)
        self.cards = cards
        strategic = options["strategic"] is True
        self.picks = 2 if strategic else 1
        self.hand_size = 5 if strategic else 3
        self.park_size = 5 if strategic else seats + 1
        self.phase = DEAL
        self.round = 1
        self.final = False
        self.deck = DECKS[seats - 2 + (1 if options["extended"] is True else 0)]
        self.box = CARDS - self.deck
        self.unseen: list[int] = []
        self.park: list[int] = []
        self.hands: list[list[int]] = []
        self.open: list[list[int]] = []  # of each hand, the cards taken from the park, which everyone saw
        self.chosen: list[list[int]] = []  # still in the hand, and secret, until all have chosen
        self.yards: list[Yard] = []
        self.turns: list[int] = []  # card * 8 + seat: the turn being taken, then those to come
        self.frames: list[Frame] = []  # tricks under way, the innermost last
        self.pup = -1  # the Doggo that is to be placed
        self.choices: list[int] = []  # what the seat to move may do, while one alone is to move
        self.checked = True

    def set_up(self) -> None:
        """An empty table, all cards unseen."""
        self.unseen = list(range(CARDS))
        for _ in range(self.seats):
            self.hands.append([])
            self.open.append([])
            self.chosen.append([])
            self.yards.append(Yard())

    def clone(self) -> PuppiesState:
        other = PuppiesState(self.spec, self.seats, self.options, self.cards)
        other.phase = self.phase
        other.round = self.round
        other.final = self.final
        other.deck = self.deck
        other.box = self.box
        other.unseen = self.unseen[:]
        other.park = self.park[:]
        other.hands = [hand[:] for hand in self.hands]
        other.open = [known[:] for known in self.open]
        other.chosen = [chosen[:] for chosen in self.chosen]
        other.yards = [yard.clone() for yard in self.yards]
        other.turns = self.turns[:]
        other.frames = [frame.clone() for frame in self.frames]
        other.pup = self.pup
        other.choices = self.choices  # replaced, never changed
        other.checked = self.checked
        return other

    # --- whose turn, and what may be done ---------------------------------------------------------------------------

    def active(self) -> list[int]:
        phase = self.phase
        if phase == CHOOSING:
            return [seat for seat in range(self.seats) if len(self.chosen[seat]) < self.picks]
        if phase in (DEAL, PARK, DRAWING, SHOWING):
            return [CHANCE]
        if phase == OVER:
            return []
        return [self.turns[0] & 7]

    def legal(self, seat: int) -> list[int]:
        phase = self.phase
        if phase in (DEAL, PARK, DRAWING):
            return self.unseen[:] if seat == CHANCE else []
        if phase == CHOOSING:
            if not 0 <= seat < self.seats or len(self.chosen[seat]) >= self.picks:
                return []
            return [CHOOSE + card for card in self._may_hold(seat)]
        if phase == SHOWING:
            return self._may_hold(self._seat_shown()) if seat == CHANCE else []
        if phase == OVER or seat != self.turns[0] & 7:
            return []
        return self.choices[:]

    def can_plan(self, seat: int) -> bool:
        """A seat whose turns of this round are over knows its hand for the next one. Before that its next choices are
        those of its own turn, which follow from what its pup finds."""
        if self.final or self.phase not in (JOINING, TRICK, TAKING, LEFTOVER) or not 0 <= seat < self.seats:
            return False
        for turn in self.turns:
            if turn & 7 == seat:
                return False
        return len(self.hands[seat]) > 0

    def give_turn(self, seat: int) -> None:
        """All turns of the round are over, and everybody chooses."""
        self.phase = CHOOSING
        self.turns = []
        self.frames = []
        self.pup = -1

    def rule_against(self, seat: int, move: int) -> str | None:
        return refusals.rule_against(self, seat, move)

    def rule_out_of_turn(self, seat: int, move: int | None) -> str | None:
        return refusals.CHOSEN if self.phase == CHOOSING else None

    def weight(self, move: int) -> int:
        """All unseen cards are equally likely; a hidden choice may be each card of its hand alike, known or not."""
        if self.phase != SHOWING:
            return 1
        unknown = self.hands[self._seat_shown()].count(UNKNOWN)
        if not unknown:
            return 1
        return unknown if move in self.unseen else len(self.unseen)

    def chance(self, rng: Rng) -> int:
        if self.phase == SHOWING:
            return super().chance(rng)
        return self.unseen[rng.randrange(len(self.unseen))]

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        phase = self.phase
        if phase == TRICK:
            self._trick_part(seat, move, sink)
        elif phase == CHOOSING:
            self._choose(seat, move - CHOOSE, sink)
        elif phase == TAKING:
            self._take(seat, move - TAKE, sink)
        elif phase == DEAL:
            self._deal(move, sink)
        elif phase == PARK:
            self._fill_park(move, sink)
        elif phase == DRAWING:
            self._drawn(move, sink)
        elif phase == SHOWING:
            self._show(move, sink)
        else:
            card = self.pup
            self.pup = -1
            self._join(seat, card, move - JOIN, sink)

    # --- set-up -----------------------------------------------------------------------------------------------------

    def seat_dealt(self) -> int:
        """The seat that gets the next card of the deal."""
        for seat in range(self.seats):
            if len(self.hands[seat]) < self.hand_size:
                return seat
        return self.seats - 1

    def _deal(self, card: int, sink: Sink | None) -> None:
        seat = self.seat_dealt()
        self._off_the_deck(card)
        insort(self.hands[seat], card)
        if sink is not None:
            sink(events.dealt(self.cards, seat, card))
        if len(self.hands[-1]) >= self.hand_size:
            self._begin_round(sink)

    def _off_the_deck(self, card: int) -> None:
        """A card is turned up: from the deck or, when that is empty, from the box."""
        self.unseen.remove(card)
        self._one_card_less()

    def _one_card_less(self) -> None:
        if self.deck:
            self.deck -= 1
        else:
            self.box -= 1

    # --- a round: the park, the choice, the reveal ------------------------------------------------------------------

    def _begin_round(self, sink: Sink | None) -> None:
        """With too few cards in the deck for the park, the park stays empty and the round is the final one."""
        if self.deck < self.park_size:
            self.final = True
            self.phase = CHOOSING
        else:
            self.phase = PARK
        if sink is not None:
            sink(events.round_begins(self.round, self.final))

    def _fill_park(self, card: int, sink: Sink | None) -> None:
        self._off_the_deck(card)
        insort(self.park, card)
        if sink is not None:
            sink(events.to_the_park(self.cards, card))
        if len(self.park) >= self.park_size:
            self.phase = CHOOSING

    def _may_hold(self, seat: int) -> list[int]:
        """The cards that a seat can have in its hand and has not chosen; a card not known may be any unseen one."""
        hand = self.hands[seat]
        chosen = self.chosen[seat]
        cards = [card for card in hand if card not in chosen and card != UNKNOWN]
        return sorted(cards + self.unseen) if UNKNOWN in hand else cards

    def _choose(self, seat: int, card: int, sink: Sink | None) -> None:
        self._put_forward(seat, card)
        if sink is not None:
            sink(events.chose(self.cards, seat, card))
        for chosen in self.chosen:
            if len(chosen) < self.picks:
                return
        self._reveal(sink)

    def _put_forward(self, seat: int, card: int) -> None:
        """A card becomes one of the chosen, and if it was not known to be in the hand, is known to be there now."""
        if card not in self.hands[seat]:
            self.hands[seat].remove(UNKNOWN)
            insort(self.hands[seat], card)
            self.unseen.remove(card)
        insort(self.chosen[seat], card)

    def _seat_shown(self) -> int:
        """The first seat whose choice this state does not know; -1 if it knows them all."""
        for seat in range(self.seats):
            if UNKNOWN in self.chosen[seat]:
                return seat
        return -1

    def _show(self, card: int, sink: Sink | None) -> None:
        seat = self._seat_shown()
        self.chosen[seat].remove(UNKNOWN)
        self._put_forward(seat, card)
        self._reveal(sink)

    def _reveal(self, sink: Sink | None) -> None:
        """All cards are shown; turns run from the highest number to the lowest."""
        if self._seat_shown() >= 0:
            self.phase = SHOWING
            return
        turns: list[int] = []
        for seat in range(self.seats):
            for card in self.chosen[seat]:
                turns.append(card * 8 + seat)
                self.hands[seat].remove(card)
                if card in self.open[seat]:
                    self.open[seat].remove(card)
            self.chosen[seat] = []
        turns.sort(reverse=True)
        self.turns = turns
        if sink is not None:
            sink(events.revealed(self.cards, turns))
        self.begin_turn(sink)

    # --- a turn: the pup joins, its trick, a card from the park -----------------------------------------------------

    def begin_turn(self, sink: Sink | None) -> None:
        turn = self.turns[0]
        self.phase = JOINING
        self._place(turn & 7, turn >> 3, sink)

    def _place(self, seat: int, card: int, sink: Sink | None) -> None:
        """A pup comes to the yard; a Doggo asks which group it joins if there are several."""
        homes = self.yards[seat].homes(card)
        if len(homes) == 1:
            self._join(seat, card, homes[0], sink)
            return
        self.pup = card
        self.choices = [JOIN + group for group in homes]
        if self.phase != LEFTOVER:
            self.phase = JOINING

    def _join(self, seat: int, card: int, group: int, sink: Sink | None) -> None:
        yard = self.yards[seat]
        if group != DOGGOS and yard.size[DOGGOS]:
            for frame in self.frames:
                if frame.here == DOGGOS:
                    frame.here = group
        yard.add(card, group)
        if sink is not None:
            how = "leftover" if self.phase == LEFTOVER else "drawn" if self.frames else "played"
            sink(events.joined(self.cards, seat, card, group, yard.size[group], how))
        if self.phase == LEFTOVER:
            self._after_turns(sink)
            return
        if not self.frames or self._step_of(self.frames[-1]).tricks:
            self.frames.append(Frame(card, group, yard.size[group]))
        self.go_on(sink)

    def _take(self, seat: int, card: int, sink: Sink | None) -> None:
        self.park.remove(card)
        insort(self.hands[seat], card)
        insort(self.open[seat], card)
        if sink is not None:
            sink(events.took(self.cards, seat, card))
        self._end_turn(sink)

    def _end_turn(self, sink: Sink | None) -> None:
        if len(self.turns) > 1:
            self.turns.pop(0)
            self.begin_turn(sink)
        else:
            self._after_turns(sink)

    def _after_turns(self, sink: Sink | None) -> None:
        """The last to act gets what is left in the park, without its trick; then the round is over."""
        if self.park:
            self.phase = LEFTOVER
            self._place(self.turns[0] & 7, self.park.pop(), sink)
            return
        self.turns = []
        if self.final:
            self._finish(sink)
            return
        self.round += 1
        self._begin_round(sink)

    # --- tricks -----------------------------------------------------------------------------------------------------

    def go_on(self, sink: Sink | None) -> None:
        """Carry the tricks under way on to the next thing to decide; after them the seat takes a card."""
        while self.frames:
            frame = self.frames[-1]
            steps = self.cards.tricks[frame.card].steps
            if frame.part >= len(steps):
                self.frames.pop()
                continue
            step = steps[frame.part]
            moves = options(self.yards[self.turns[0] & 7], step, frame)
            if not moves:
                frame.next_part()
            elif (step.verb == BURY or step.verb == DRAW) and self.deck + self.box <= 0:
                # Deck and box are empty: what is left of this trick is lost, later parts too.
                self.frames.pop()
                if sink is not None:
                    sink(events.lost(self.cards, self.turns[0] & 7, frame.card))
            else:
                self.choices = [STOP, *moves]
                self.phase = TRICK
                return
        self._end_of_tricks(sink)

    def _end_of_tricks(self, sink: Sink | None) -> None:
        seat = self.turns[0] & 7
        if not self.park:
            self._end_turn(sink)
        elif len(self.park) == 1:
            self._take(seat, self.park[0], sink)
        else:
            self.phase = TAKING
            self.choices = [TAKE + card for card in self.park]

    def _trick_part(self, seat: int, move: int, sink: Sink | None) -> None:
        """One choice within a trick."""
        frame = self.frames[-1]
        yard = self.yards[seat]
        if move == STOP:
            self._stop(seat, frame, sink)
        elif move == DIG:
            frame.done += 1
            self.phase = DRAWING
            if sink is not None:
                sink(events.draws(seat))
            return
        elif move >= SHIFT:
            bone = shift_bone(move)
            yard.move(bone, shift_to(move))
            frame.note_move(bone)
            if sink is not None:
                sink(events.moved(self.cards, seat, bone, shift_to(move)))
        elif move >= UP:
            bone = up_bone(move)
            yard.upgrade(bone)
            frame.note_upgrade(self._step_of(frame), bone)
            if sink is not None:
                sink(events.upgraded(self.cards, seat, bone))
        else:
            group = move - BURY_AT
            self._one_card_less()
            yard.bury(group)
            frame.note_bury(group)
            if sink is not None:
                sink(events.buried(self.cards, seat, group))
        self.go_on(sink)

    def _step_of(self, frame: Frame) -> Step:
        return self.cards.tricks[frame.card].steps[frame.part]

    def _stop(self, seat: int, frame: Frame, sink: Sink | None) -> None:
        """Enough of this bone, if one is being turned and others may follow; else enough of this part of the trick."""
        if frame.bone >= 0:
            frame.let_go(frame.bone)
        else:
            frame.next_part()
        if sink is not None:
            sink(events.stopped(self.cards, seat, frame.card))

    def _drawn(self, card: int, sink: Sink | None) -> None:
        """A pup turned up for a trick."""
        self._off_the_deck(card)
        self._place(self.turns[0] & 7, card, sink)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _finish(self, sink: Sink | None) -> None:
        self.phase = OVER
        if sink is not None:
            for event in events.bonuses(self.cards, self.yards):
                sink(event)
            sink(self.end_event())

    def scores(self) -> list[int]:
        if self.phase != OVER:
            return [yard.value for yard in self.yards]
        return [yard.value + all_bonuses(self.cards, yard) for yard in self.yards]

    def score_lines(self, seat: int) -> list[ScoreLine]:
        self.check_seat(seat)
        return score_lines(self.cards, self.yards[seat], self.phase == OVER)

    def estimate(self, seat: int) -> int:
        return estimate(self, seat)

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        scores = self.scores()
        tied = scores.count(max(scores)) > 1
        reason = "The deck could not fill the park again."
        return Outcome(scores, f"{reason} It is a bark-off!" if tied else reason, Ending.SUPPLY_EMPTY)

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return position.write_position(self, viewer)

    def extra(self, viewer: int | None) -> Json:
        return view.extra(self)

    def resample(self, seat: int, rng: Rng) -> PuppiesState:
        self.check_seat(seat)
        return hidden.resample(self, seat, rng)
