/** Where everything lies: the park and the round above, my yard below it, the other yards beside it or further down. */
import type { Group } from '../../lib/api/made/view-puppies';
import type { Entry, View } from '../../lib/api/types';
import type { Extra, Position } from '../../lib/api/made/view-puppies';
import type { Box, Point } from '../../lib/kit/geometry';
import { deckOf, tensOf } from './cards';

export type PuppiesView = View<Position, Extra>;

export const CARD = { w: 84, h: 108 } as const;
export const VALUES = [1, 2, 5, 10] as const;
export const levelOf = (value: number): number => VALUES.indexOf(value as 1);

export interface Spot extends Point {
  s: number;
}
export interface GroupSpot extends Point {
  key: string;
  seat: number;
  breed: string;
  tens: number;
  w: number;
  h: number;
  mine: boolean;
  group: Group;
  points: number;
  bonus: number;
  /** The scale of its dogs. */
  dog: number;
  dogs: (Point & { card: number })[];
  /** The scale of its bones, and the middle of each value's pile. */
  bone: number;
  piles: Point[];
}
export type Standing = 'waiting' | 'chosen' | 'coming' | 'now' | 'done';
export interface Slot extends Spot {
  key: string;
  seat: number;
  /** Which of the round's turns it is. */
  index: number;
  card: number | null;
  standing: Standing;
}
export interface Yard extends Box {
  seat: number;
  mine: boolean;
  points: number;
  bonus: number;
}
export interface Layout {
  box: Box;
  focus: number;
  compact: boolean;
  deck: Spot | null;
  park: (Spot & { card: number })[];
  line: Slot[];
  yards: Yard[];
  groups: GroupSpot[];
  heads: (Point & { text: string; end?: boolean })[];
}

/** A group of the yard in front is called by its breed, one of another yard by seat and breed. */
export const groupKey = (focus: number, seat: number, breed: string): string =>
  seat === focus ? breed : `${seat}:${breed}`;
export const focusOf = (view: PuppiesView): number => view.seat ?? 0;

/** Who acts with which card in this round: what is chosen while all choose, then the turns, highest first. */
export function roundOf(view: PuppiesView, entries: readonly Entry[]): Omit<Slot, keyof Spot>[] {
  const position = view.position;
  if (position.phase === 'choose' || position.phase === 'deal' || position.phase === 'park') {
    const picks = position.options.strategic ? 2 : 1;
    return position.seats.flatMap((seat, i) => {
      const chosen = seat.chosen === null ? [] : Array.isArray(seat.chosen) ? seat.chosen : [seat.chosen];
      return Array.from({ length: picks }, (_, k) => ({
        key: `round:${i}.${k}`,
        index: i * picks + k,
        seat: i,
        card: typeof chosen[k] === 'number' ? chosen[k] : null,
        standing: (chosen[k] === undefined ? 'waiting' : 'chosen') as Standing,
      }));
    });
  }
  const turns = position.turns ?? [];
  const total = lengthOf(view);
  const shown = revealed(entries) ?? [];
  const done = turns.every((turn) => shown.some((other) => other.card === turn.card))
    ? shown.slice(0, Math.max(0, shown.length - turns.length))
    : [];
  return [
    ...done.map((turn, i) => ({ ...turn, key: `round:${turn.card}`, index: i, standing: 'done' as Standing })),
    ...turns.map((turn, i) => ({
      ...turn,
      key: `round:${turn.card}`,
      index: total - turns.length + i,
      standing: (i ? 'coming' : 'now') as Standing,
    })),
  ];
}

/** How many turns a round has. */
const lengthOf = (view: PuppiesView): number => view.position.seats.length * (view.position.options.strategic ? 2 : 1);

/** What the last reveal showed. */
function revealed(entries: readonly Entry[]): { seat: number; card: number }[] | null {
  for (let i = entries.length - 1; i >= 0; i--)
    for (const event of entries[i]?.events ?? [])
      if (event.kind === 'reveal') return event.data['turns'] as { seat: number; card: number }[];
  return null;
}

interface Measures {
  width: number;
  cols: number;
  w: number;
  h: number;
  gap: number;
  dog: number;
  bone: number;
  pitch: number;
  chipCols: number;
  chipW: number;
  chipH: number;
}
const WIDE: Measures = {
  width: 1136,
  cols: 3,
  w: 254,
  h: 174,
  gap: 10,
  dog: 0.74,
  bone: 1,
  pitch: 60,
  chipCols: 2,
  chipW: 152,
  chipH: 62,
};
const TALL: Measures = {
  width: 404,
  cols: 2,
  w: 194,
  h: 126,
  gap: 6,
  dog: 0.56,
  bone: 0.8,
  pitch: 46,
  chipCols: 3,
  chipW: 128,
  chipH: 56,
};

/** How wide another yard is, beside mine. */
const OTHERS = 324;
const wholeWidth = (view: PuppiesView, m: Measures): number =>
  m === WIDE && view.position.seats.length > 3 ? m.width + OTHERS + 10 : m.width;

export function layoutOf(view: PuppiesView, compact: boolean, entries: readonly Entry[] = []): Layout {
  const position = view.position;
  const m = compact ? TALL : WIDE;
  const focus = focusOf(view);
  const alone = position.seats.length === 1;
  const over = position.phase === 'over';
  const out: Layout = {
    box: { x: 0, y: 0, width: 0, height: 0 },
    focus,
    compact,
    deck: null,
    park: [],
    line: [],
    yards: [],
    groups: [],
    heads: [],
  };
  let top = 0;
  if (!over && !alone) top = compact ? tallTop(view, out, entries) : wideTop(view, out, entries);
  const mine = yard(view, out, focus, m, { x: 0, y: top }, alone, over);
  let low = top + mine;
  const others = position.seats.map((_, i) => i).filter((i) => i !== focus);
  // Many yards stand in two columns.
  const columns = !compact && others.length > 2 ? 2 : 1;
  const ends = Array.from({ length: columns }, () => (compact ? low + 8 : top));
  others.forEach((seat, i) => {
    const column = i % columns;
    const y = ends[column] ?? top;
    const x = compact ? 0 : m.width - OTHERS + column * (OTHERS + 10);
    ends[column] = y + small(view, out, seat, m, { x, y }, others.length > 1) + 8;
  });
  if (others.length) low = Math.max(low, ...ends.map((end) => end - 8));
  // Side by side, the lawns end on one line.
  if (!compact) for (const each of out.yards) if (each.mine) each.height = low - each.y;
  const width = alone ? mineWidth(view, m) : wholeWidth(view, m);
  // On a narrow screen what I play with comes first: if all of it would be too small to read, the other yards are below.
  const shown = compact && low > 720 ? top + mine : low;
  // On a small screen a strip below is left to the button in the corner.
  out.box = { x: -10, y: -8, width: width + 20, height: shown + (compact && out.deck ? 42 : 16) };
  return out;
}

function wideTop(view: PuppiesView, out: Layout, entries: readonly Entry[]): number {
  const width = wholeWidth(view, WIDE);
  const big = view.position.seats.length < 4 ? 1.18 : 1.3;
  const y = 26 + (CARD.h * big) / 2;
  const slots = roundOf(view, entries);
  out.deck = { x: 46 * big, y, s: big };
  out.heads.push({ x: 128 * big, y: 14, text: parkWords(view) });
  view.position.park.forEach((card, i) => out.park.push({ card, x: (170 + i * 92) * big, y, s: big }));
  const pitch = Math.min(
    86 * big,
    (width - (170 + 92 * (view.position.options.strategic ? 5 : view.position.seats.length + 1)) * big + 30) /
      lengthOf(view),
  );
  const s = Math.min(0.9 * big, (pitch - 8) / CARD.w);
  const from = width - lengthOf(view) * pitch + pitch / 2 - 4;
  out.heads.push({ x: width - 4, y: 14, text: lineWords(view), end: true });
  slots.forEach((slot) => out.line.push({ ...slot, x: from + slot.index * pitch, y: y - 4 * big, s }));
  return 40 + (CARD.h + 14) * big;
}

/** On a narrow screen the round stands beside the park if both fit, and below it if not. */
function tallTop(view: PuppiesView, out: Layout, entries: readonly Entry[]): number {
  const park = view.position.park;
  const slots = roundOf(view, entries);
  const beside = lengthOf(view) < 3;
  const room = TALL.width - 72 - (beside ? 112 : 0);
  const step = Math.min(80, room / Math.max(1, park.length));
  const size = Math.min(0.86, (step - 5) / CARD.w);
  const high = CARD.h * Math.max(0.72, size);
  const y = 18 + high / 2;
  out.deck = { x: 33, y, s: 0.72 };
  out.heads.push({ x: 74, y: 11, text: parkWords(view) });
  park.forEach((card, i) => out.park.push({ card, x: 74 + step * (i + 0.5), y, s: size }));
  if (beside) {
    out.heads.push({ x: TALL.width - 2, y: 11, text: view.position.turns ? 'Turns' : 'Choosing', end: true });
    slots.forEach((slot) => out.line.push({ ...slot, x: TALL.width - 82 + slot.index * 55, y: y - 6, s: 0.58 }));
    return 28 + high;
  }
  const pitch = Math.min(84, TALL.width / lengthOf(view));
  const at = 18 + high + 20;
  out.heads.push({ x: 4, y: at - 4, text: lineWords(view) });
  slots.forEach((slot) => out.line.push({ ...slot, x: pitch * (slot.index + 0.5), y: at + 32, s: 0.54 }));
  return at + 84;
}

const parkWords = (view: PuppiesView): string =>
  view.position.final ? 'Final round: the park stays empty' : `Park, round ${view.position.round}`;
const lineWords = (view: PuppiesView): string =>
  view.position.turns ? 'Turns, highest number first' : 'Everyone chooses a pup';

function mineWidth(view: PuppiesView, m: Measures): number {
  const cols = Math.min(2, Math.max(1, view.position.seats[0]?.groups.length ?? 1));
  return cols * (m.w + m.gap) + m.gap;
}

function bonusOf(view: PuppiesView, seat: number, breed: string): number {
  return view.extra.bonuses[seat]?.find((each) => each.breed === breed)?.points ?? 0;
}
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The large yard in front. */
function yard(
  view: PuppiesView,
  out: Layout,
  seat: number,
  m: Measures,
  at: Point,
  alone: boolean,
  over: boolean,
): number {
  const groups = view.position.seats[seat]?.groups ?? [];
  const deck = deckOf(view);
  const head = alone ? 6 : 38;
  const cols = alone ? Math.min(2, Math.max(1, groups.length)) : m.cols;
  const rows = Math.max(alone ? 1 : over ? 1 : 2, Math.ceil(groups.length / cols));
  const height = head + rows * (m.h + m.gap) + 6;
  const width = alone ? mineWidth(view, m) : out.compact ? m.width : 802;
  out.yards.push({
    seat,
    mine: true,
    ...at,
    width,
    height,
    points: sum(groups.flatMap((group) => group.bones)),
    bonus: sum((view.extra.bonuses[seat] ?? []).map((each) => each.points)),
  });
  groups.forEach((group, i) => {
    const x = at.x + m.gap + (m.w + m.gap) * (i % cols) + m.w / 2;
    const y = at.y + head + (m.h + m.gap) * Math.floor(i / cols) + m.h / 2;
    const left = x - m.w / 2 + 14 + 34 * m.dog;
    const room = m.w - 28 - 74 * m.dog;
    const step = Math.min(78 * m.dog, room / Math.max(1, group.pups.length - 1));
    out.groups.push({
      key: groupKey(out.focus, seat, group.breed),
      seat,
      breed: group.breed,
      tens: tensOf(deck, group.breed),
      x,
      y,
      w: m.w,
      h: m.h,
      mine: true,
      group,
      points: sum(group.bones),
      bonus: bonusOf(view, seat, group.breed),
      dog: m.dog,
      dogs: group.pups.map((card, k) => ({
        card,
        x: left + k * step,
        y: y - m.h / 2 + (out.compact ? 20 : 26) + 52 * m.dog,
      })),
      bone: m.bone,
      piles: VALUES.map((_, k) => ({
        x: x - m.w / 2 + 34 * m.bone + 4 + k * m.pitch,
        y: y + m.h / 2 - 32 * m.bone - 2,
      })),
    });
  });
  return height;
}

/** Another yard: a chip for each group. */
function small(view: PuppiesView, out: Layout, seat: number, m: Measures, at: Point, many: boolean): number {
  const groups = view.position.seats[seat]?.groups ?? [];
  const deck = deckOf(view);
  const rows = Math.max(many || out.compact ? 1 : 3, Math.ceil(groups.length / m.chipCols));
  const head = 28;
  const height = head + rows * (m.chipH + 4) + 6;
  out.yards.push({
    seat,
    mine: false,
    ...at,
    width: out.compact ? m.width : OTHERS,
    height,
    points: sum(groups.flatMap((group) => group.bones)),
    bonus: sum((view.extra.bonuses[seat] ?? []).map((each) => each.points)),
  });
  groups.forEach((group, i) => {
    out.groups.push({
      key: groupKey(out.focus, seat, group.breed),
      seat,
      breed: group.breed,
      tens: tensOf(deck, group.breed),
      x: at.x + 8 + (m.chipW + 4) * (i % m.chipCols) + m.chipW / 2,
      y: at.y + head + (m.chipH + 4) * Math.floor(i / m.chipCols) + m.chipH / 2,
      w: m.chipW,
      h: m.chipH,
      mine: false,
      group,
      points: sum(group.bones),
      bonus: bonusOf(view, seat, group.breed),
      dog: 0.5,
      dogs: [],
      bone: 0.4,
      piles: [],
    });
  });
  return height;
}

/** How many bones of each value a group has. */
export function counts(bones: readonly number[]): number[] {
  return VALUES.map((value) => bones.filter((bone) => bone === value).length);
}
