import { describe, expect, it } from 'vitest';
import type { Entry, GameEvent } from './api/types';
import { logLines, standing, storyOf } from './log';
import { inline, markdown } from './markdown';
import { parse } from './router.svelte';
import { ago, clockText, listed } from './words';

describe('the router', () => {
  it('knows its pages and is lost elsewhere', () => {
    expect(parse('/')).toEqual({ page: 'shelf' });
    expect(parse('/t/abc')).toEqual({ page: 'table', id: 'abc' });
    expect(parse('/t/abc/replay/')).toEqual({ page: 'replay', id: 'abc' });
    expect(parse('/learn/guppies')).toEqual({ page: 'learn', game: 'guppies' });
    expect(parse('/me')).toEqual({ page: 'settings' });
    expect(parse('/t')).toEqual({ page: 'lost' });
    expect(parse('/t/a/b/c')).toEqual({ page: 'lost' });
    expect(parse('/%E0%A4%A')).toEqual({ page: 'lost' });
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

function entry(number: number, seat: number, points: number, kind = 'move'): Entry {
  const lines = points ? [{ seat, rule: 'row', points, where: [[0, number]], why: '' }] : [];
  const event: GameEvent = { kind: 'place', seat, text: `{${seat}} plays`, data: { at: [number, 0] }, lines };
  return { number, at: 0, kind, seat, move: null, text: '', events: kind === 'move' ? [event] : [] };
}

describe('the log', () => {
  it('says who, and knows the places it speaks of', () => {
    const [line] = logLines([entry(3, 1, 2)], (text) => text.replace('{1}', 'Bea'));
    expect(line).toMatchObject({ text: 'Bea plays', places: ['3,0', '0,3'], points: 2 });
    expect(logLines([entry(3, 1, 2)], (text) => text, ['place'])).toEqual([]);
  });

  it('leaves out of the story what was taken back', () => {
    const all = [entry(1, 0, 5), entry(2, 0, 0, 'undo'), entry(3, 0, 2), entry(4, 1, 3)];
    expect(standing(all).map((each) => each.number)).toEqual([3, 4]);
    const story = storyOf(all, 2);
    expect(story.curves).toEqual([
      [0, 2, 2],
      [0, 0, 3],
    ]);
    expect(story.byRule[1]?.get('row')).toBe(3);
    expect(story.best.map((move) => move.points)).toEqual([3, 2]);
  });
});

describe('words', () => {
  it('tells time', () => {
    expect(clockText(61_000)).toBe('1:01');
    expect(clockText(7_260_000)).toBe('2 h 1 min');
    expect(clockText(200_000_000)).toBe('2 d 7 h');
    expect(ago(0, 59 * 60_000)).toBe('59 min ago');
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  });
});
