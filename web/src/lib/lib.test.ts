import { describe, expect, it } from 'vitest';
import type { Entry, GameEvent } from './api/types';
import { logLines, withoutUndone, gameStats } from './log';
import { inline, markdown, sections } from './markdown';
import { parse } from './router.svelte';
import { ago, clockText, errorText, joinWithAnd, promptFor, sentence, displayText } from './text';

describe('the router', () => {
  it('knows its pages and is lost elsewhere', () => {
    expect(parse('/')).toEqual({ page: 'shelf' });
    expect(parse('/t/abc')).toEqual({ page: 'table', id: 'abc' });
    expect(parse('/t/abc/replay/')).toEqual({ page: 'replay', id: 'abc' });
    expect(parse('/learn/guppies')).toEqual({ page: 'learn', game: 'guppies' });
    expect(parse('/me')).toEqual({ page: 'settings' });
    expect(parse('/t')).toEqual({ page: 'notFound' });
    expect(parse('/t/a/b/c')).toEqual({ page: 'notFound' });
    expect(parse('/%E0%A4%A')).toEqual({ page: 'notFound' });
  });
});

describe('texts of the server', () => {
  const names = ['Ann', '[Ben]'];
  it('have names in them, and no notation', () => {
    expect(displayText('{0} opens red [at 1,-1] beside {1} [such as red@1,-1].', names)).toBe(
      'Ann opens red beside [Ben].',
    );
    expect(displayText('It is {4}’s turn.', names)).toBe('It is Seat 5’s turn.');
    expect(displayText('-2 per other Moray Eel (-4), half-way 3-4.', names)).toBe(
      '\u22122 per other Moray Eel (\u22124), half-way 3-4.',
    );
  });
  it('become sentences', () => {
    expect(sentence('lay the tile for 3 points [face a at 1,-1]', names)).toBe('Lay the tile for 3 points.');
    expect(sentence('', names)).toBe('');
  });
  it('are put errorText where they are for programs', () => {
    expect(errorText('bad_notation', "'x' is not a move: write face, turn and place, such as a2@1,-1.")).not.toContain(
      '@',
    );
    expect(errorText('illegal', 'Two touching spaces never show the same colour.')).toContain('colour');
  });
});

describe('Markdown', () => {
  it('reads headings, lists, tables, code and paragraphs', () => {
    const blocks = markdown(
      '# A\n\ntext *soft* **loud** `x`\nmore\n\n- one\n  on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{}\n```\n',
    );
    expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list', 'table', 'code']);
    expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ text: 'one on' }], [{ text: 'two' }]] });
  });

  it('falls into sections with links to them', () => {
    const found = sections(
      '# Game\n\nIn short.\n\n## Your turn\n\nLay.\n\n### More\n\n## The end: 8 rounds\n\nOver.\n',
    );
    expect(found.map(({ title, id, blocks }) => [title, id, blocks.length])).toEqual([
      ['', '', 1],
      ['Your turn', 'your-turn', 2],
      ['The end: 8 rounds', 'the-end-8-rounds', 1],
    ]);
  });

  it('makes no link out of a script', () => {
    expect(inline('[x](javascript:alert(1))')[0]?.kind).toBe('text');
    expect(inline('[x](/learn)')).toEqual([{ kind: 'link', text: 'x', href: '/learn' }]);
    expect(inline('[x](//elsewhere)')[0]?.kind).toBe('text');
  });

  it('always ends', () => {
    for (const odd of ['|', '| a', '```', '#', '- ', '1.', '|a|\n|b|', '* * *'])
      expect(markdown(odd)).toBeInstanceOf(Array);
  });
});

function entry(number: number, seat: number, points: number, kind = 'move', back: number | null = null): Entry {
  const lines = points ? [{ seat, rule: 'row', points, where: [[0, number]], why: '' }] : [];
  const event: GameEvent = { kind: 'place', seat, text: `{${seat}} plays`, data: { at: [number, 0] }, lines };
  return { number, at: 0, kind, seat, move: null, text: '', events: kind === 'move' ? [event] : [], back };
}

describe('the log', () => {
  it('says who, and knows the places it speaks of', () => {
    const [line] = logLines([entry(3, 1, 2)], (text) => text.replace('{1}', 'Bea'));
    expect(line).toMatchObject({ text: 'Bea plays', places: ['3,0', '0,3'], points: 2 });
    expect(logLines([entry(3, 1, 2)], (text) => text, ['place'])).toEqual([]);
  });

  it('leaves out of the story what was taken back', () => {
    const all = [entry(1, 0, 5), entry(2, 0, 0, 'undo', 1), entry(3, 0, 2), entry(4, 1, 3)];
    expect(withoutUndone(all).map((each) => each.number)).toEqual([3, 4]);
    const story = gameStats(all, 2);
    expect(story.curves).toEqual([
      [0, 2, 2],
      [0, 0, 3],
    ]);
    expect(story.byRule[1]?.get('row')).toBe(3);
    expect(story.best.map((move) => move.points)).toEqual([3, 2]);
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
    const story = gameStats(all, 2);
    expect(story.curves).toEqual([
      [0, 1, 1],
      [0, 0, 2],
    ]);
    expect(story.best.map((move) => move.number)).toEqual([9, 6]);
  });
});

describe('words', () => {
  it('tells time', () => {
    expect(clockText(61_000)).toBe('1:01');
    expect(clockText(7_260_000)).toBe('2 h 1 min');
    expect(clockText(200_000_000)).toBe('2 d 7 h');
    expect(ago(0, 59 * 60_000)).toBe('59 min ago');
    expect(joinWithAnd(['a', 'b', 'c'])).toBe('a, b and c');
  });
});

describe('several people at one device', () => {
  it('are told by name whose turn it is, and never "your turn"', () => {
    expect(promptFor('Ann', 'Your turn: lay the tile on a glowing space.')).toBe(
      "Ann's turn: lay the tile on a glowing space.",
    );
    expect(promptFor('Ann', 'Your turn.')).toBe("Ann's turn.");
    expect(promptFor('Ann', 'Choose a face.')).toBe("Ann's turn. Choose a face.");
  });
});
