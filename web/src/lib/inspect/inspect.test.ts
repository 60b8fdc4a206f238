import { describe, expect, it } from 'vitest';
import type { Box } from '../board/geometry';
import { placesOf, searchCatalogue, type CardDetail } from './inspect';
import { placePanel } from './panelPosition';

const card = (title: string, text: string): CardDetail => ({
  card: title,
  title,
  kind: 'Fish',
  text: [text],
  lines: [],
  total: null,
});
const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('where a card is read', () => {
  const desk = { width: 1440, height: 900 };
  const size = { width: 370, height: 260 };
  it('is beside it, within the window, wherever it lies', () => {
    for (let x = 0; x < 1350; x += 150)
      for (let y = 0; y < 800; y += 130) {
        const thing = { x, y, width: 90, height: 100 };
        const at = placePanel(size, thing, [], [], desk, false);
        expect(meets({ ...at, ...size }, thing)).toBe(false);
        expect(at.x).toBeGreaterThanOrEqual(0);
        expect(at.y).toBeGreaterThanOrEqual(0);
        expect(at.x + size.width).toBeLessThanOrEqual(desk.width);
        expect(at.y + size.height).toBeLessThanOrEqual(desk.height);
      }
  });
  it('does not cover the places that bring its points', () => {
    const thing = { x: 500, y: 400, width: 90, height: 100 };
    const right = { x: 600, y: 400, width: 90, height: 100 };
    const at = placePanel(size, thing, [right], [], desk, false);
    expect(meets({ ...at, ...size }, right)).toBe(false);
  });
  it('is a sheet below on a phone, and above for what lies at the bottom', () => {
    const phone = { width: 390, height: 844 };
    const sheet = { width: 370, height: 300 };
    const low = placePanel(sheet, { x: 40, y: 200, width: 90, height: 90 }, [], [], phone, true);
    expect(low.y).toBeGreaterThan(290);
    const thing = { x: 40, y: 700, width: 70, height: 80 };
    const high = placePanel(sheet, thing, [], [], phone, true);
    expect(meets({ ...high, ...sheet }, thing)).toBe(false);
  });
});

it('finds cards by all words of their name or text', () => {
  const groups = [
    { title: 'Fish', cards: [card('Moray Eel', '-2 per other Moray Eel'), card('Anthias', '+1 per adjacent fish')] },
    { title: 'Plants', cards: [card('Mangrove', '+1 per water')] },
  ];
  expect(searchCatalogue(groups, 'per EEL').map((group) => group.cards.map((each) => each.title))).toEqual([
    ['Moray Eel'],
  ]);
  expect(searchCatalogue(groups, 'per')).toHaveLength(2);
  expect(searchCatalogue(groups, 'nothing')).toEqual([]);
});

it('knows every place once', () => {
  const lines = [
    { points: 1, why: '', places: ['a1', 'b1'] },
    { points: 2, why: '', places: ['b1'] },
  ];
  expect(placesOf({ ...card('', ''), lines })).toEqual(['a1', 'b1']);
  expect(placesOf(null)).toEqual([]);
});
