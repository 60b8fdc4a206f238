import { describe, expect, it } from 'vitest';
import { parse } from './router.svelte';

describe('the router', () => {
  it('knows its pages and is lost elsewhere', () => {
    expect(parse('/')).toEqual({ page: 'shelf' });
    expect(parse('/t/abc')).toEqual({ page: 'table', id: 'abc' });
    expect(parse('/t/abc/replay/')).toEqual({ page: 'replay', id: 'abc' });
    expect(parse('/learn/guppies')).toEqual({ page: 'learn', game: 'guppies' });
    expect(parse('/puzzle')).toEqual({ page: 'puzzles' });
    expect(parse('/puzzle/marram')).toEqual({ page: 'puzzle', game: 'marram', date: null });
    expect(parse('/puzzle/marram/2026-11-18')).toEqual({ page: 'puzzle', game: 'marram', date: '2026-11-18' });
    expect(parse('/me')).toEqual({ page: 'settings' });
    expect(parse('/t')).toEqual({ page: 'notFound' });
    expect(parse('/t/a/b/c')).toEqual({ page: 'notFound' });
    expect(parse('/%E0%A4%A')).toEqual({ page: 'notFound' });
  });
});
