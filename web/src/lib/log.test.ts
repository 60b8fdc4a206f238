import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as aquarium from '../games/aquarium/history';
import * as marram from '../games/marram/history';
import * as puppies from '../games/puppies/history';
import type { Entry, GameEvent } from './api/types';
import { LastSeen } from './lastSeen.svelte';
import { firstUnseen, gameStats, logLines, logTurns, withoutUndone, type PartOf } from './log';
import { displayText, signed } from './text';

const NAMES = ['Ann', 'Bea'];
const say = (text: string) => displayText(text, NAMES);

let last = 0;
beforeEach(() => (last = 0));
function event(kind: string, seat: number, text: string, points: Record<number, number> = {}, data = {}): GameEvent {
  const lines = Object.entries(points).map(([who, sum]) => ({
    seat: Number(who),
    rule: 'row',
    points: sum,
    where: [],
    why: '',
  }));
  return { kind, seat, text, data, lines };
}
/** A move of a seat, or of chance (-1), and what came of it. */
function move(seat: number, ...events: GameEvent[]): Entry {
  return { number: ++last, at: 0, kind: 'move', seat, move: null, text: '', events };
}
function note(kind: string, seat: number | null, text: string, back: number | null = null): Entry {
  return { number: ++last, at: 0, kind, seat, move: null, text, events: [], back };
}
const turnsOf = (entries: Entry[], partOf?: PartOf, quiet: string[] = []) =>
  logTurns(logLines(entries, say, quiet, () => [], partOf));
const brief = (turns: ReturnType<typeof turnsOf>) => turns.map((turn) => [turn.seat, turn.number, turn.points]);

describe('the log by turns', () => {
  it('has a heading for each turn, with its number and what its player made', () => {
    const turns = turnsOf([
      note('start', null, 'The game begins.'),
      move(0, event('push', 0, '{0} pushes blue.', { 0: 4 })),
      move(0, event('take', 0, '{0} takes red.')),
      move(-1, event('market', -1, 'Green comes to the market.')),
      move(1, event('place', 1, '{1} puts red.', { 1: 2, 0: 1 })),
    ]);
    expect(brief(turns)).toEqual([
      [null, null, 0],
      [0, 1, 4],
      [1, 2, 2],
    ]);
    expect(turns[1]?.lines.map((line) => line.rest ?? line.text)).toEqual([
      'Pushes blue.',
      'Takes red.',
      'Green comes to the market.',
    ]);
    expect(turns[1]).toMatchObject({ from: 2, to: 4 });
    expect(turns[2]?.lines[0]?.gains).toEqual([
      { seat: 0, points: 1 },
      { seat: 1, points: 2 },
    ]);
  });

  it('gives what chance brings to the turn of whom it brings it to', () => {
    const turns = turnsOf([
      move(0, event('lay', 0, '{0} lays.')),
      move(-1, event('redraw', 1, '{1} draws, and puts back.')),
      move(1, event('lay', 1, '{1} lays.')),
    ]);
    expect(turns.map((turn) => turn.lines.length)).toEqual([1, 2]);
  });

  it('tells once what happens again and again', () => {
    const bury = () => move(0, event('bury', 0, '{0} buries a bone.', { 0: 1 }));
    const [turn] = turnsOf([bury(), bury(), bury()]);
    expect(turn?.lines).toHaveLength(1);
    expect(turn?.lines[0]).toMatchObject({ times: 3, points: 3, gains: [{ seat: 0, points: 3 }] });
    expect(turn?.points).toBe(3);
  });

  it('strikes out what was taken back, and does not count it', () => {
    const red = move(0, event('place', 0, '{0} puts red.', { 0: 5 }));
    const turns = turnsOf([
      red,
      { ...note('undo', 0, '{0} takes a move back.', 1), back: red.number },
      move(0, event('place', 0, '{0} puts blue.', { 0: 2 })),
    ]);
    expect(brief(turns)).toEqual([
      [0, null, 0],
      [null, null, 0],
      [0, 1, 2],
    ]);
    expect(turns[0]?.lines.map((line) => line.undone)).toEqual([true]);
  });

  it('tells between the turns what was taken back, and goes on with the turn it was done in', () => {
    const push = move(0, event('push', 0, '{0} pushes blue.', { 0: 4 }));
    const take = move(0, event('take', 0, '{0} takes red.'));
    const reply = move(1, event('push', 1, '{1} pushes red.', { 1: 3 }));
    const turns = turnsOf([
      push,
      take,
      reply,
      note('undo', 0, '{0} takes a move back.', take.number),
      move(0, event('take', 0, '{0} takes green.')),
      move(1, event('push', 1, '{1} pushes green.', { 1: 1 })),
    ]);
    expect(turns.map((turn) => [turn.heading || turn.seat, turn.number, turn.points])).toEqual([
      [0, 1, 4],
      [1, null, 0],
      ['Ann takes a move back.', null, 0],
      [0, 1, 0],
      [1, 2, 1],
    ]);
    expect(turns[2]?.lines).toEqual([]);
  });

  it('writes points with their sign', () => {
    expect([signed(4), signed(-2)]).toEqual(['+4', '−2']);
  });
});

describe('the parts of a game', () => {
  it('are rounds with choices and turns in Good Puppies, and bonuses at its end', () => {
    const turns = turnsOf(
      [
        move(-1, event('round', -1, 'Round 1 begins.')),
        move(0, event('choose', 0, '{0} has chosen a card.')),
        move(
          1,
          event('choose', 1, '{1} has chosen a card.'),
          event('reveal', -1, 'All cards are shown.'),
          event('join', 0, '{0} plays a pup.'),
        ),
        move(
          0,
          event('bury', 0, '{0} buries a bone.', { 0: 1 }),
          event('join', 1, '{1} plays a pup.'),
          event('bonus', 0, '{0}, bonus.', { 0: 5 }),
          event('bonus', 1, '{1}, bonus.', { 1: 16 }),
          event('end', -1, 'The game is over.'),
        ),
      ],
      puppies.partOf,
    );
    expect(turns.map((turn) => turn.heading || turn.seat)).toEqual([
      'Round 1 begins.',
      0,
      1,
      'The bonuses',
      'The game is over.',
    ]);
    expect(turns.map((turn) => turn.lines.length)).toEqual([3, 2, 1, 2, 0]);
  });

  it('are the set-up, rounds and the last nets in Aquarium', () => {
    const turns = turnsOf(
      [
        move(-1, event('first', -1, '{0} goes first.')),
        move(0, event('put', 0, '{0} puts a card down.')),
        move(1, event('put', 1, '{1} puts a card down.'), event('reveal', -1, 'All turn their cards over.')),
        move(-1, event('round', -1, 'Round 1 begins; {0} goes first.')),
        move(0, event('take', 0, '{0} takes an Eel.', { 0: 3 })),
      ],
      aquarium.partOf,
    );
    expect(turns.map((turn) => turn.heading || turn.seat)).toEqual([
      'Setting up',
      'Round 1 begins; Ann goes first.',
      0,
    ]);
  });

  it('are turns and a final count in Marram, and who passes has the turn', () => {
    const turns = turnsOf(
      [
        move(
          1,
          event('score', 0, '{0} scores 2.', { 0: 2 }, { rule: 'blue' }),
          event('pass', 1, '{1} passes.'),
          event('pass', 0, '{0} passes.'),
          event('score', 1, '{1} scores 9.', { 1: 9 }, { rule: 'end patch' }),
        ),
      ],
      marram.partOf,
    );
    expect(turns.map((turn) => turn.heading || turn.seat)).toEqual([1, 0, 'The final count']);
    expect(turns[0]?.points).toBe(0);
  });
});

describe('the statistics', () => {
  it('knows the best moves by what their player made in that turn, not by what counts at the end', () => {
    const entries = [
      move(0, event('up', 0, '{0} upgrades.', { 0: 5 })),
      move(1, event('up', 1, '{1} upgrades.', { 1: 3 }), event('bonus', 1, '{1}, bonus.', { 1: 16 })),
    ];
    const stats = gameStats(entries, 2, [5, 19], puppies.partOf);
    expect(stats.best.map((each) => [each.seat, each.points])).toEqual([
      [0, 5],
      [1, 3],
    ]);
    expect(stats.curves.map((curve) => curve.at(-1))).toEqual([5, 19]);
  });

  it('calls sources by words', () => {
    expect(marram.sourceWords('end patch')).toBe('unfinished patches');
    const view = { position: { options: { cards: 'standard' } }, extra: {} } as unknown as Parameters<
      typeof puppies.sourceWords
    >[1];
    expect(puppies.sourceWords('bones', view)).toBe('bones');
    expect(puppies.sourceWords('bonus huskies', view)).toBe('Huskies bonus');
  });
});

describe('since I last looked', () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });

  it('is nothing on a first visit and while I look', () => {
    const seen = new LastSeen('t');
    seen.start(5, true);
    expect(seen.missedSince).toBeNull();
    seen.onEntries(6, true, false);
    expect(seen.missedSince).toBeNull();
  });

  it('is what came in another tab, until I act', () => {
    const seen = new LastSeen('t');
    seen.start(5, true);
    seen.onEntries(6, false, false);
    seen.onEntries(7, false, false);
    expect(seen.missedSince).toBe(5);
    seen.markSeen(7);
    seen.onEntries(8, true, false);
    expect(seen.missedSince).toBe(5);
    seen.onEntries(9, true, true);
    expect(seen.missedSince).toBeNull();
  });

  it('moves on when I am away once more', () => {
    const seen = new LastSeen('t');
    seen.start(5, true);
    seen.onEntries(6, false, false);
    seen.markSeen(6);
    seen.onEntries(7, false, false);
    expect(seen.missedSince).toBe(6);
  });

  it('is what came between two visits to the same table', () => {
    new LastSeen('t').start(5, true);
    new LastSeen('other').start(9, true);
    const seen = new LastSeen('t');
    seen.start(8, true);
    expect(seen.missedSince).toBe(5);
    expect(new LastSeen('t').missedSince).toBeNull();
    const later = new LastSeen('t');
    later.start(8, true);
    expect(later.missedSince).toBeNull();
  });

  it('forgets old tables', () => {
    for (let i = 0; i < 80; i++) new LastSeen(`table ${i}`).start(1, true);
    expect(Object.keys(JSON.parse(kept.get('wellies.seen') ?? '{}') as object)).toHaveLength(60);
  });

  it('begins before the first line that was not there', () => {
    const turns = turnsOf([
      move(0, event('place', 0, '{0} puts red.')),
      move(-1, event('draw', 1, '{1} draws.')),
      move(1, event('place', 1, '{1} puts blue.')),
    ]);
    expect(firstUnseen(turns, 1)).toBe('2.0');
    expect(firstUnseen(turns, 3)).toBeNull();
    expect(firstUnseen(turns, null)).toBeNull();
  });
});

function entry(number: number, seat: number, points: number, kind = 'move', back: number | null = null): Entry {
  const lines = points ? [{ seat, rule: 'row', points, where: [[0, number]], why: '' }] : [];
  const event: GameEvent = { kind: 'place', seat, text: `{${seat}} plays`, data: { at: [number, 0] }, lines };
  return { number, at: 0, kind, seat, move: null, text: '', events: kind === 'move' ? [event] : [], back };
}

describe('the log', () => {
  it('says who, and knows the places it speaks of', () => {
    const [line] = logLines([entry(3, 1, 2)], say);
    expect(line).toMatchObject({ text: 'Bea plays', places: ['3,0', '0,3'], points: 2 });
    expect(logLines([entry(3, 1, 2)], (text) => text, ['place'])).toEqual([]);
  });

  it('leaves out of the statistics what was taken back', () => {
    const all = [entry(1, 0, 5), entry(2, 0, 0, 'undo', 1), entry(3, 0, 2), entry(4, 1, 3)];
    expect(withoutUndone(all).map((each) => each.number)).toEqual([3, 4]);
    const stats = gameStats(all, 2);
    expect(stats.curves).toEqual([
      [0, 2, 2],
      [0, 0, 3],
    ]);
    expect(stats.byRule[1]?.get('row')).toBe(3);
    expect(stats.best.map((move) => move.points)).toEqual([3, 2]);
  });

  it('leaves out all that one takeback took back, the answers of others included', () => {
    const all = [
      entry(1, 0, 5),
      entry(2, -1, 0),
      entry(3, 1, 4),
      entry(4, 1, 0, 'timeout'),
      entry(5, 0, 0, 'undo', 1),
      entry(6, 0, 1),
      entry(7, 1, 7),
      entry(8, 0, 0, 'undo', 7),
      entry(9, 1, 2),
    ];
    expect(withoutUndone(all).map((each) => each.number)).toEqual([4, 6, 9]);
    const stats = gameStats(all, 2);
    expect(stats.curves).toEqual([
      [0, 1, 1],
      [0, 0, 2],
    ]);
    expect(stats.best.map((move) => move.number)).toEqual([9, 6]);
  });
});
