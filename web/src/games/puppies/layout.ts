/**
 * The layout of the table: park and round at the top, my yard below, the other yards beside it or further down. It fills the
 * board's window. A unit is a pixel when the board is fitted, so no text may be smaller than 11.
 */
import type { Group } from '../../lib/api/generated/view-puppies';
import type { Entry } from '../../lib/api/types';
import type { BoardArea } from '../../lib/board/boardArea.svelte';
import type { Box, Point } from '../../lib/board/geometry';
import type { PuppiesView } from './board';
import { deckOf, levelOf, tensOf } from './material';

/** The size to fill, in pixels. */
export type Area = Pick<BoardArea, 'width' | 'height'>;
export interface CardSpot extends Point {
  w: number;
  h: number;
}
export type Words = 'full' | 'short' | 'name' | 'none';
/** The height of the words on a card of a given width. */
export const WORDS_HIGH: Record<Words, (w: number) => number> = {
  full: () => 94,
  short: (w) => (w < 76 ? 58 : 46),
  name: () => 35,
  none: () => 4,
};
export interface BoneSpot extends Point {
  key: string;
  level: number;
  /** Which of the bones of this value it is. */
  index: number;
}
export interface GroupSpot extends Point {
  key: string;
  seat: number;
  breed: string;
  tens: number;
  w: number;
  h: number;
  mine: boolean;
  /** Too small for dogs and bones: it shows a face and numbers. */
  chip: boolean;
  group: Group;
  points: number;
  bonus: number;
  /** The scale of its dogs. */
  dog: number;
  dogs: (Point & { card: number })[];
  /** The scale of its bones. */
  bone: number;
  bones: BoneSpot[];
  /** Positions for further bones. */
  spare: Point[];
}
export type Standing = 'waiting' | 'chosen' | 'coming' | 'now' | 'done';
export interface Slot extends CardSpot {
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
  /** A narrow screen. */
  compact: boolean;
  deck: CardSpot | null;
  park: (CardSpot & { card: number })[];
  /** The words on the cards of the park and of the round. */
  words: { park: Words; line: Words };
  /** Whether cards of the round are shown as a face and a number, because cards would not fit. */
  pills: boolean;
  line: Slot[];
  yards: Yard[];
  groups: GroupSpot[];
  heads: (Point & { text: string; end?: boolean })[];
}

/** The key of a group: its breed in my yard, seat and breed in another. */
export const groupKey = (focus: number, seat: number, breed: string): string =>
  seat === focus ? breed : `${seat}:${breed}`;
/** The key of a bone: group and value, and a number for further bones of the same value. */
export const boneKey = (group: string, value: number, index: number): string =>
  `${group}:${value}${index ? `:${index}` : ''}`;
export const focusOf = (view: PuppiesView): number => view.seat ?? 0;

/** Who acts with which card in this round: the chosen cards first, then the turns, highest number first. */
export function roundOf(view: PuppiesView, entries: readonly Entry[]): Omit<Slot, keyof CardSpot>[] {
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

/** The number of turns in a round, and of cards in a full park. */
const lengthOf = (view: PuppiesView): number => view.position.seats.length * (view.position.options.strategic ? 2 : 1);
const parkOf = (view: PuppiesView): number => (view.position.options.strategic ? 5 : view.position.seats.length + 1);

/** What the last reveal showed. */
function revealed(entries: readonly Entry[]): { seat: number; card: number }[] | null {
  for (let i = entries.length - 1; i >= 0; i--)
    for (const event of entries[i]?.events ?? [])
      if (event.kind === 'reveal') return event.data['turns'] as { seat: number; card: number }[];
  return null;
}

const EDGE = 8;
const GAP = 8;
/** The width of the stage's buttons: only lawn is drawn below them. */
const CORNER = 52;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export function layoutOf(view: PuppiesView, area: Area, entries: readonly Entry[] = []): Layout {
  const { seats, phase } = view.position;
  const compact = area.width < 600;
  const focus = focusOf(view);
  const out: Layout = {
    box: { x: 0, y: 0, width: area.width, height: area.height },
    focus,
    compact,
    deck: null,
    park: [],
    words: { park: 'short', line: 'name' },
    pills: false,
    line: [],
    yards: [],
    groups: [],
    heads: [],
  };
  if (seats.length === 1) return alone(view, out);
  const whole = { x: EDGE, y: EDGE, width: area.width - 2 * EDGE, height: area.height - 2 * EDGE };
  const top = phase === 'over' ? EDGE : above(view, out, whole, entries);
  const below = { ...whole, y: top, height: Math.max(whole.y + whole.height - top, compact ? 150 : 240) };
  const others = seats.map((_, i) => i).filter((i) => i !== focus);
  if (area.width >= 700 && area.width / area.height > 1.15) beside(view, out, below, others);
  else beneath(view, out, below, others);
  return out;
}

/** A table with a single yard is a diagram, as large as its groups. */
function alone(view: PuppiesView, out: Layout): Layout {
  const groups = view.position.seats[0]?.groups ?? [];
  const cols = Math.min(2, Math.max(1, groups.length));
  const rows = Math.max(1, Math.ceil(groups.length / cols));
  const box = { x: 0, y: 0, width: cols * 268 + GAP, height: rows * 186 + GAP };
  out.yards.push({ ...box, ...totals(view, 0), mine: true });
  groups.forEach((group, i) => {
    const at = { x: GAP + (i % cols) * 268, y: GAP + Math.floor(i / cols) * 186, width: 260, height: 178 };
    out.groups.push(groupIn(view, out, 0, group, at, false));
  });
  out.box = { x: -10, y: -8, width: box.width + 20, height: box.height + 16 };
  return out;
}

// --- the park and the round -------------------------------------------------------------------------------------------

/**
 * Places park and round at the top, and returns where the yards begin. They share a row if the cards are large enough; else the
 * round is a strip below the park.
 */
function above(view: PuppiesView, out: Layout, whole: Box, entries: readonly Entry[]): number {
  const slots = roundOf(view, entries);
  const [cards, turns] = [parkOf(view), lengthOf(view)];
  const gap = out.compact ? 5 : 9;
  const label = out.compact ? 15 : 24;
  const right = whole.x + whole.width;
  const share = out.compact ? 0.62 : 0.72;
  const one = (whole.width - gap * (cards + turns + 1) - 12) / (cards + 0.66 + turns * share);
  const row = one >= (out.compact ? 60 : 76);
  const two = (whole.width - gap * (cards - 1)) / cards;
  const full = one > 112 && whole.height > 560;
  const w = Math.min(row ? one : two, out.compact ? 84 : full ? 134 : 104);
  const picture = Math.min(w * 0.62, whole.height * (out.compact ? 0.095 : 0.13));
  const h = picture + WORDS_HIGH[full ? 'full' : 'short'](w);
  const y = whole.y + label + h / 2;
  const deck = row ? { w: w * 0.66, h: Math.min(w * 0.86, h) } : { w: 44, h: 30 };
  const left = whole.x + (row ? deck.w + gap + 4 : 0);
  out.heads.push({ x: left, y: whole.y + label - (out.compact ? 6 : 11), text: parkWords(view) });
  view.position.park.forEach((card, i) => out.park.push({ card, x: left + w / 2 + i * (w + gap), y, w, h }));
  out.words = { park: full ? 'full' : 'short', line: 'none' };
  out.pills = !row;
  if (!row) {
    const strip = whole.y + label + h + gap + 15;
    out.deck = { x: whole.x + 22, y: strip, ...deck };
    const pitch = Math.min(84, (whole.width - 50) / turns);
    for (const slot of slots) {
      const x = right - (turns - slot.index - 0.5) * pitch + 2;
      out.line.push({ ...slot, x, y: strip, w: pitch - 5, h: 30 });
    }
    return strip + 15 + 18;
  }
  const miniW = full ? Math.min(w, (right - left - cards * (w + gap)) / turns - gap) : w * share;
  out.words.line = out.compact ? 'none' : miniW > 110 ? 'full' : 'name';
  const miniH =
    out.words.line === 'full' ? h : Math.min(h - 18, miniW * (out.compact ? 1.3 : 0.72) + (out.compact ? 0 : 36));
  const mini = { w: miniW, h: miniH };
  out.deck = { x: whole.x + deck.w / 2, y: y - h / 2 + deck.h / 2, ...deck };
  out.heads.push({ x: right, y: whole.y + label - (out.compact ? 6 : 11), text: lineWords(view, out), end: true });
  for (const slot of slots) {
    const x = right - (turns - slot.index) * (mini.w + gap) + gap + mini.w / 2;
    out.line.push({ ...slot, x, y: y - h / 2 + mini.h / 2, ...mini });
  }
  return whole.y + label + Math.max(h, mini.h + (out.compact ? 17 : 22)) + GAP + 3;
}

const parkWords = (view: PuppiesView): string =>
  view.position.final ? 'Final round: the park stays empty' : `Park, round ${view.position.round}`;
const lineWords = (view: PuppiesView, { compact }: Layout): string =>
  compact
    ? view.position.turns
      ? 'Turns'
      : 'Choosing'
    : view.position.turns
      ? 'Turns, highest number first'
      : 'Everyone chooses a pup';

// --- the yards --------------------------------------------------------------------------------------------------------

function totals(view: PuppiesView, seat: number): { seat: number; points: number; bonus: number } {
  const groups = view.position.seats[seat]?.groups ?? [];
  return {
    seat,
    points: sum(groups.flatMap((group) => group.bones)),
    bonus: sum((view.extra.bonuses[seat] ?? []).map((each) => each.points)),
  };
}

/** On a wide screen the other yards are beside mine; more than two of them in two columns. */
function beside(view: PuppiesView, out: Layout, box: Box, others: readonly number[]): void {
  const columns = others.length > 2 ? 2 : 1;
  const free = box.width - CORNER;
  const width = columns > 1 ? Math.min(270, free * 0.24) : Math.min(360, free * 0.31);
  mineIn(view, out, { ...box, width: free - columns * (width + GAP) });
  const rows = Math.ceil(others.length / columns);
  others.forEach((seat, i) => {
    const column = i % columns;
    const inColumn = columns > 1 && column === 1 ? Math.floor(others.length / 2) : rows;
    const height = (box.height - (inColumn - 1) * GAP) / inColumn;
    const x = box.x + free - (columns - column) * (width + GAP) + GAP;
    otherIn(view, out, seat, { x, y: box.y + Math.floor(i / columns) * (height + GAP), width, height });
    const lawn = out.yards.at(-1);
    if (lawn && column === columns - 1) lawn.width += CORNER;
  });
}

/** On a tall screen the other yards are below mine. If they do not fit, people pan down to them. */
function beneath(view: PuppiesView, out: Layout, box: Box, others: readonly number[]): void {
  const cols = Math.floor((box.width - GAP) / (out.compact ? 118 : 146));
  const chipHigh = out.compact ? 50 : 66;
  const heights = others.map((seat) => {
    const groups = view.position.seats[seat]?.groups.length ?? 0;
    return 26 + Math.max(1, Math.ceil(groups / cols)) * (chipHigh + GAP) + 6;
  });
  const need = sum(heights) + GAP * heights.length;
  const mine = view.position.seats[out.focus]?.groups.length ?? 0;
  const rows = Math.max(1, Math.ceil(mine / 3));
  // A strip of the next yard shows that there is more.
  const left = box.height - need >= (out.compact ? 92 : 130) * rows + 40 ? need : 26;
  const height = Math.max(box.height - left, (out.compact ? 72 : 110) * rows + 34);
  mineIn(view, out, { ...box, height });
  out.box.height = Math.max(out.box.height, box.y + height + left);
  let y = box.y + height + GAP;
  others.forEach((seat, i) => {
    const height = heights[i] ?? 0;
    otherIn(view, out, seat, { x: box.x, y, width: box.width, height }, cols);
    y += height + GAP;
  });
}

/** My yard: as many columns of groups as make dogs and bones largest. */
function mineIn(view: PuppiesView, out: Layout, box: Box): void {
  const groups = view.position.seats[out.focus]?.groups ?? [];
  out.yards.push({ ...box, ...totals(view, out.focus), mine: true });
  const head = out.compact ? 25 : 36;
  const inner = { x: box.x + GAP, y: box.y + head, width: box.width - 2 * GAP, height: box.height - head - GAP };
  const number = Math.max(groups.length, out.compact ? 2 : 3);
  let best: { cols: number; worth: number } = { cols: 1, worth: -1 };
  for (let cols = 1; cols <= 4; cols++) {
    const size = cellSize(inner, cols, Math.ceil(number / cols));
    if (size.width < 110) break;
    const worth = sum(groups.map((group) => worthOf(fill(group, size, out.compact))));
    if (worth > best.worth) best = { cols, worth };
  }
  const rows = Math.ceil(number / best.cols);
  const size = cellSize(inner, best.cols, rows);
  groups.forEach((group, i) => {
    const row = Math.floor(i / best.cols);
    // In a row that is not full the groups are wider, except in the first row.
    const inRow = row ? Math.min(best.cols, groups.length - row * best.cols) : best.cols;
    const wide = Math.min(cellSize(inner, inRow, rows).width, size.width * 1.5);
    const at = {
      x: inner.x + (i % best.cols) * (wide + GAP),
      y: inner.y + row * (size.height + GAP),
      width: wide,
      height: size.height,
    };
    out.groups.push(groupIn(view, out, out.focus, group, at, false));
  });
}

const cellSize = (box: Box, cols: number, rows: number): { width: number; height: number } => ({
  width: (box.width - (cols - 1) * GAP) / cols,
  height: (box.height - (rows - 1) * GAP) / rows,
});

/** Another yard: the groups side by side, with dogs and bones if these are large enough, else as chips. */
function otherIn(view: PuppiesView, out: Layout, seat: number, box: Box, columns?: number): void {
  const groups = view.position.seats[seat]?.groups ?? [];
  out.yards.push({ ...box, ...totals(view, seat), mine: false });
  const head = 26;
  const inner = { x: box.x + 6, y: box.y + head, width: box.width - 12, height: box.height - head - 6 };
  const cols = columns ?? (groups.length < 2 ? 1 : 2);
  const rows = Math.max(1, Math.ceil(groups.length / cols));
  const cell = cellSize(inner, cols, rows);
  const chip = cell.height < 84 || groups.some((group) => fill(group, cell, true).bone < 0.5);
  const size = { width: cell.width, height: Math.min(cell.height, chip ? 66 : 170) };
  groups.forEach((group, i) => {
    const [column, row] = [i % cols, Math.floor(i / cols)];
    const at = { x: inner.x + column * (size.width + GAP), y: inner.y + row * (size.height + GAP), ...size };
    out.groups.push(groupIn(view, out, seat, group, at, chip));
  });
}

function groupIn(view: PuppiesView, out: Layout, seat: number, group: Group, box: Box, chip: boolean): GroupSpot {
  const key = groupKey(out.focus, seat, group.breed);
  const filled = chip ? null : fill(group, box, out.compact || seat !== out.focus);
  const at = (point: Point) => ({ x: box.x + point.x, y: box.y + point.y });
  const seen = [0, 0, 0, 0];
  return {
    key,
    seat,
    breed: group.breed,
    tens: tensOf(deckOf(view), group.breed),
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    w: box.width,
    h: box.height,
    mine: seat === out.focus,
    chip,
    group,
    points: sum(group.bones),
    bonus: view.extra.bonuses[seat]?.find((each) => each.breed === group.breed)?.points ?? 0,
    dog: filled?.dog ?? 0.5,
    dogs: filled?.dogs.map((point, i) => ({ ...at(point), card: group.pups[i] ?? 90 })) ?? [],
    bone: filled?.bone ?? 0.5,
    bones:
      filled?.bones.slice(0, group.bones.length).map((point, i) => {
        const value = group.bones[i] ?? 1;
        const level = levelOf(value);
        const index = seen[level] ?? 0;
        seen[level] = index + 1;
        return { ...at(point), key: boneKey(key, value, index), level, index };
      }) ?? [],
    spare: filled?.bones.slice(group.bones.length).map(at) ?? [],
  };
}

// --- dogs and bones in a group ----------------------------------------------------------------------------------------

const DOG = { w: 92, h: 106 };
const BONE = { w: 46, h: 55 };
/** How many positions for further bones each group has. */
const SPARE = 8;

interface Filled {
  dog: number;
  dogs: Point[];
  bone: number;
  bones: Point[];
}
/** The value of an arrangement: readable bones count most, then large dogs. */
const worthOf = ({ dog, bone }: Filled): number =>
  2 * Math.min(bone, 0.7) + 0.6 * Math.min(Math.max(bone - 0.7, 0), 0.25) + Math.min(dog, 1.2);

/** Arranges dogs above or beside their bones, whichever shows both larger. Positions are relative to the group's corner. */
function fill(group: Group, size: { width: number; height: number }, small: boolean): Filled {
  const head = small ? 21 : 27;
  const pad = small ? 6 : 9;
  const inner = { x: pad, y: head, width: size.width - 2 * pad, height: size.height - head - pad + 2 };
  const [pups, bones] = [group.pups.length, group.bones.length];
  if (!bones) return together(inner, dogsIn(inner, pups), bonesIn({ ...inner, width: inner.width / 2 }, 0, 0.8));
  let best: Filled | null = null;
  for (const share of [0.34, 0.42, 0.5, 0.58, 0.66]) {
    const [w, h] = [inner.width * share, inner.height * share];
    const earth = { ...inner, y: inner.y + h, height: inner.height - h };
    for (const found of [
      stacked(inner, dogsIn({ ...inner, height: h }, pups), bonesIn(earth, bones)),
      together(inner, dogsIn({ ...inner, width: w }, pups), bonesIn({ ...inner, width: inner.width - w - 6 }, bones)),
    ])
      if (!best || worthOf(found) > worthOf(best)) best = found;
  }
  return best as Filled;
}

interface Dogs {
  dog: number;
  dogs: Point[];
  wide: number;
}
interface Bones {
  bone: number;
  bones: Point[];
  wide: number;
}
const moved = (points: Point[], dx: number, right = Infinity): Point[] =>
  points.map(({ x, y }) => ({ x: Math.min(x + dx, right), y }));

/** Dogs, and their bones below them, both centred. */
function stacked(inner: Box, { dog, dogs, wide }: Dogs, { bone, bones, wide: row }: Bones): Filled {
  const right = inner.x + inner.width - (BONE.w / 2) * bone;
  return {
    dog,
    dogs: moved(dogs, (inner.width - wide) / 2),
    bone,
    bones: moved(bones, (inner.width - row) / 2, right),
  };
}

/** Dogs, and their bones beside them, all centred. */
function together(inner: Box, { dog, dogs, wide }: Dogs, { bone, bones, wide: row }: Bones): Filled {
  const gap = 8;
  const start = Math.max(0, (inner.width - wide - gap - row) / 2);
  const right = inner.x + inner.width - (BONE.w / 2) * bone;
  return { dog, dogs: moved(dogs, start), bone, bones: moved(bones, start + wide + gap, right) };
}

/** Dogs from the left of the box. */
function dogsIn(box: Box, number: number): Dogs {
  const dog = Math.min(box.height / DOG.h, box.width / (DOG.w + (number > 4 ? 40 : 54) * (number - 1)), 1.5);
  const step = number > 1 ? Math.min(78 * dog, (box.width - DOG.w * dog) / (number - 1)) : 0;
  const y = box.y + box.height - 50 * dog;
  const dogs = Array.from({ length: number }, (_, i) => ({ x: box.x + 38 * dog + i * step, y }));
  return { dog, dogs, wide: DOG.w * dog + step * (number - 1) };
}

/** Bones from the left of the box, followed by positions for further bones in the same row. */
function bonesIn(box: Box, number: number, largest = 1.15): Bones {
  let [bone, rows] = [0, 1];
  const shown = Math.max(1, number);
  for (let each = 1; each <= 4; each++) {
    const inRow = Math.ceil(shown / each);
    const size = Math.min(box.height / (each * BONE.h), box.width / (BONE.w + 37 * (inRow - 1)), largest);
    if (size > bone) [bone, rows] = [size, each];
  }
  const inRow = Math.ceil(shown / rows);
  const step = inRow > 1 ? Math.min(BONE.w * bone, (box.width - BONE.w * bone) / (inRow - 1)) : BONE.w * bone;
  const top = box.y + (box.height - rows * BONE.h * bone) / 2;
  const bones = Array.from({ length: number + SPARE }, (_, i) => {
    const row = Math.min(rows - 1, Math.floor(i / inRow));
    return {
      x: box.x + (BONE.w / 2) * bone + (i - row * inRow) * step,
      y: top + (row + 0.5) * BONE.h * bone,
    };
  });
  return { bone, bones, wide: number ? BONE.w * bone + step * (inRow - 1) : 0 };
}
