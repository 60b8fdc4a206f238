/** Every game's Learn page has diagrams beside the rules that they explain. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sections } from '../lib/markdown';
import type { Diagram } from './game';

const found = import.meta.glob<{ diagrams: Diagram[] }>('./*/diagrams.ts', { eager: true });
const games = Object.entries(found).map(([path, { diagrams }]) => ({ game: path.split('/')[1] ?? '', diagrams }));

describe.each(games)('the pictures of $game', ({ game, diagrams }) => {
  it('stand beside a section of the rules', () => {
    const rules = readFileSync(new URL(`../../../src/wellies/games/${game}/rules.md`, import.meta.url), 'utf8');
    const titles = sections(rules).map((section) => section.title);
    expect(diagrams.length).toBeGreaterThan(2);
    for (const diagram of diagrams) expect(titles).toContain(diagram.section);
  });
});
