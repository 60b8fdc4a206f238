/** What all guides have in common. tests/page/test_guides.py plays them in a browser. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sections } from '../markdown';
import { fillGuideText, recordOf, type Guide } from './guide';

const found = import.meta.glob<Guide>('../../games/*/guide.json', { eager: true, import: 'default' });
const guides = Object.entries(found).map(([path, guide]) => ({ game: path.split('/').at(-2) ?? '', guide }));

it('every game has a guide', () => {
  expect(guides.map(({ game }) => game)).toEqual(['aquarium', 'guppies', 'marram', 'puppies', 'umbradeco']);
});

describe.each(guides)('the guide of $game', ({ game, guide }) => {
  it('is short: six to ten steps of a few sentences', () => {
    expect(guide.steps.length).toBeGreaterThanOrEqual(6);
    expect(guide.steps.length).toBeLessThanOrEqual(10);
    for (const step of guide.steps) expect(step.say.length, step.say).toBeLessThanOrEqual(250);
    expect(guide.steps.at(-1)?.until).toBe('next');
  });
  it('names nobody and nothing by notation', () => {
    for (const { say } of guide.steps) {
      const words = fillGuideText(say, ['Ann', 'Shower'], [1, 2], 0);
      expect(words).not.toMatch(/[{}@]|-?\d,-?\d|\b[abc][123]\b|[Ss]eat \d|[Gg]reedy/);
      expect(say).not.toMatch(/Shower/);
      expect(words).toMatch(/^[A-Z].*[.!?]$/s);
    }
  });
  it('advises moves in notation that can be read, and something to read next', () => {
    for (const step of guide.steps) if (step.expect) expect(() => new RegExp(step.expect ?? '')).not.toThrow();
    const rules = readFileSync(new URL(`../../../../src/wellies/games/${game}/rules.md`, import.meta.url), 'utf8');
    expect(sections(rules).map((section) => section.title)).toContain(guide.read);
  });
  it('begins at its position', () => {
    const record = recordOf(guide);
    expect(record).toContain(`Game: ${game}\n`);
    expect(JSON.parse(/^Position: (.*)$/m.exec(record)?.[1] ?? '')).toEqual(guide.position);
  });
});
