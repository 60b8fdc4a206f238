import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPlan, writePlan } from './plans';
import { lineFor, PHRASES, PICTURES, readLine, type Phrase, type Picture } from './phrases';

describe('plans', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('are kept by table and seat, until they are forgotten', () => {
    writePlan('one', 0, 'red@0,1');
    writePlan('one', 1, 'blue@0,1');
    writePlan('one', null, 'green@0,1');
    expect([readPlan('one', 0), readPlan('one', 1), readPlan('two', 0), readPlan('one', null)]).toEqual([
      'red@0,1',
      'blue@0,1',
      null,
      null,
    ]);
    writePlan('one', 0, null);
    expect([readPlan('one', 0), readPlan('one', 1)]).toEqual([null, 'blue@0,1']);
  });

  it('that are damaged are left out', () => {
    for (const damaged of ['null', '5', '[1]', '"x"', '{"one 0": null}', '{"one 0": {"move": 1}}', '{']) {
      stored.set('wellies.plans', damaged);
      expect(readPlan('one', 0)).toBeNull();
      writePlan('one', 1, 'blue@0,1');
      expect(readPlan('one', 1)).toBe('blue@0,1');
    }
  });

  it('are not kept for ever', () => {
    for (let table = 0; table < 60; table++) writePlan(String(table), 0, 'pass');
    expect(Object.keys(JSON.parse(stored.get('wellies.plans') ?? '{}') as object)).toHaveLength(50);
  });
});

describe('quick phrases', () => {
  it('are shown in words or as pictures; other lines as they are', () => {
    for (const id of Object.keys(PHRASES) as Phrase[])
      expect(readLine(lineFor(id))).toEqual({ words: PHRASES[id], picture: null });
    for (const id of Object.keys(PICTURES) as Picture[])
      expect(readLine(lineFor(id))).toEqual({ words: PICTURES[id], picture: id });
    for (const text of [':no:', 'hello', ': hello :', 'say :hello:', ':constructor:'])
      expect(readLine(text)).toEqual({ words: text, picture: null });
  });
});
