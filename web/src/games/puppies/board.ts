/** Good Puppies' moves and spaces: pieces are actions (choose a card, bury, upgrade…), spaces are groups, bones and cards. */
import type { AnyMove, Extra, Position } from '../../lib/api/generated/view-puppies';
import type { Entry, GameEvent, Legal, View } from '../../lib/api/types';
import type { Choice, MoveOption, MultiSelect } from '../../lib/board/selection';
import type { Box } from '../../lib/board/geometry';
import type { BoardArea } from '../../lib/board/boardArea.svelte';
import { counted, joinWithAnd, seatName, sentence } from '../../lib/text';
import type { Space } from '../game';
import { outline } from './art';
import { deckOf, groupName, number, titleOf, trickOf } from './material';
import { boneKey, focusOf, groupKey, layoutOf, type GroupSpot, type Layout } from './layout';
import { counts, VALUES } from './material';

export type PuppiesView = View<Position, Extra>;
export type PuppiesMove = Legal<AnyMove>;

export function options(view: PuppiesView, legal: PuppiesMove[]): MoveOption<PuppiesMove>[] {
  // Bones of one value share a move, but each has its own space.
  const each = (piece: string, group: string, value: number, move: PuppiesMove): MoveOption<PuppiesMove>[] =>
    Array.from({ length: Math.max(1, bonesToTurn(view, group, value)) }, (_, i) => ({
      piece,
      place: boneKey(group, value, i),
      way: '',
      move,
    }));
  return legal.flatMap((move): MoveOption<PuppiesMove>[] => {
    switch (move.kind) {
      case 'choose':
        return [{ piece: `choose ${move.card}`, place: null, way: '', move }];
      case 'take':
        return [{ piece: 'take', place: `park:${move.card}`, way: '', move }];
      case 'join':
      case 'bury':
        return [{ piece: move.kind, place: move.group, way: '', move }];
      case 'up':
        return each('up', move.group, move.value, move);
      case 'move':
        return each('move', move.from, move.value, move);
      case 'dig':
        return [{ piece: 'draw', place: 'deck', way: '', move }];
      case 'stop':
        return [{ piece: 'stop', place: null, way: '', move }];
      default:
        return [];
    }
  });
}

/** The number of bones of a value in my group that the current trick has not used yet. */
function bonesToTurn(view: PuppiesView, breed: string, value: number): number {
  const trick = view.position.tricks?.at(-1);
  if (trick?.bone) return 1;
  const group = view.position.seats[focusOf(view)]?.groups.find((other) => other.breed === breed);
  const had = trick?.touched?.filter((bone) => bone.group === breed && bone.value === value).length ?? 0;
  return (group?.bones.filter((bone) => bone === value).length ?? 0) - had;
}

/** The server says when a part of a trick leaves nothing to decide. */
export const forced = (view: PuppiesView, all: MoveOption<PuppiesMove>[]): MoveOption<PuppiesMove> | null =>
  all.find((option) => option.move.move === view.extra.plain) ?? null;

/** A trick that buries, upgrades or moves several bones lets the person select them together. */
export function several(view: PuppiesView, all: MoveOption<PuppiesMove>[]): MultiSelect<PuppiesMove> | null {
  const { most = 1, groups } = view.extra;
  const kind = all[0]?.move.kind;
  if (kind !== 'bury' && kind !== 'up' && kind !== 'move') return null;
  const groupOf = ({ move }: MoveOption<PuppiesMove>) =>
    move.kind === 'move' ? move.from : 'group' in move ? move.group : '';
  return {
    most,
    times: () => (kind === 'bury' && groups !== 'each' ? most : 1),
    excludes: (one, other) =>
      one.place !== other.place &&
      ((groups === 'each' && groupOf(one) === groupOf(other)) || (groups === 'one' && groupOf(one) !== groupOf(other))),
  };
}

/** An action on the board is selected from the start; choosing a card and ending a trick are not. */
export function startPiece(_view: PuppiesView, all: MoveOption<PuppiesMove>[]): string | null {
  return all.find((option) => option.place !== null)?.piece ?? null;
}

// --- places -----------------------------------------------------------------------------------------------------------

export function bonesWords(bones: readonly number[]): string {
  if (!bones.length) return 'no bones';
  return counts(bones)
    .flatMap((n, i) => (n ? [`${n} worth ${VALUES[i]}`] : []))
    .join(', ')
    .replace(/^/, 'bones: ');
}

function groupLabel(view: PuppiesView, spot: GroupSpot, names: readonly string[] | undefined): string {
  const deck = deckOf(view);
  const owner = spot.seat === view.seat ? 'Your' : `${seatName(names, spot.seat)}:`;
  const pups = spot.group.pups.map((card) => `${number(card)} ${trickOf(deck, card).name}`).join(', ');
  const bonus = spot.bonus ? `, bonus ${spot.bonus} as it stands` : '';
  return `${owner} ${groupName(deck, spot.breed)}: ${counted(spot.group.pups.length, 'pup')} (${pups}); ${bonesWords(spot.group.bones)}; ${counted(spot.points, 'point')}${bonus}`;
}

export function spaces(view: PuppiesView, names: string[], area: BoardArea): Space[] {
  return spacesOf(view, layoutOf(view, area), names);
}

export function spacesOf(view: PuppiesView, layout: Layout, names?: string[]): Space[] {
  const deck = deckOf(view);
  const joining = view.position.phase === 'join' || view.position.phase === 'leftover';
  const moving = view.extra.asks.includes(': move ');
  // Bones are spaces while a trick asks for bones, and in diagrams; else the whole group is one space.
  const loose = moving || view.extra.asks.includes(': upgrade ') || view.position.seats.length === 1;
  const found: Space[] = [];
  if (layout.deck) {
    const { x, y, w, h } = layout.deck;
    const label = `The deck: ${counted(view.position.deck, 'card')}; in the box ${view.position.box}`;
    found.push({ key: 'deck', x, y, label, badge: null, shape: outline(w, h) });
  }
  for (const { card, x, y, w, h } of layout.park) {
    const label = `In the park: ${number(card)} ${titleOf(deck, card)}. ${trickOf(deck, card).text}`;
    found.push({ key: `park:${card}`, x, y, label, badge: null, shape: outline(w, h) });
  }
  for (const slot of layout.line) {
    const who = seatName(names, slot.seat);
    const what = slot.card === null ? '' : `: ${number(slot.card)} ${titleOf(deck, slot.card)}`;
    const words = {
      waiting: `${who} is choosing`,
      chosen: `${who} has chosen`,
      coming: `${who} comes later`,
      now: `${who} acts now`,
      done: `${who} has acted`,
    };
    const shape = outline(slot.w, slot.h);
    found.push({ key: slot.key, x: slot.x, y: slot.y, label: `${words[slot.standing]}${what}`, badge: null, shape });
  }
  for (const yard of layout.yards) {
    if (layout.groups.some((spot) => spot.seat === yard.seat) || !layout.deck) continue;
    const whose = yard.seat === view.seat ? 'Your yard' : `The yard of ${seatName(names, yard.seat)}`;
    found.push({
      key: `yard:${yard.seat}`,
      x: yard.x + yard.width / 2,
      y: yard.y + yard.height / 2,
      label: `${whose}: no pups yet`,
      badge: null,
      shape: outline(yard.width - 10, yard.height - 10),
    });
  }
  for (const spot of layout.groups) {
    found.push({
      key: spot.key,
      x: spot.x,
      y: spot.y,
      label: groupLabel(view, spot, names),
      badge: joining ? null : { x: spot.w / 2 - 20, y: spot.h / 2 - 20 },
      shape: outline(spot.w, spot.h, 26),
    });
    if (!spot.mine || !loose) continue;
    for (const { key, level, index, x, y } of spot.bones) {
      const [value, n] = [VALUES[level] ?? 1, counts(spot.group.bones)[level] ?? 1];
      found.push({
        key,
        x,
        y,
        label: `A bone worth ${value}${n > 1 ? ` (${index + 1} of ${n})` : ''}, of the ${groupName(deck, spot.breed)}`,
        badge: moving || spot.bone < 0.85 ? null : { x: 0, y: 19 * spot.bone },
        shape: outline(44 * spot.bone, 52 * spot.bone, 8),
      });
    }
  }
  return found;
}

export function frame(view: PuppiesView, area: BoardArea): Box {
  return layoutOf(view, area).box;
}

export function placesOf(view: PuppiesView, event: GameEvent): string[] {
  const focus = focusOf(view);
  const key = (name: string) => groupKey(focus, event.seat, String(event.data[name]));
  switch (event.kind) {
    case 'join':
    case 'bury':
    case 'up':
      return [key('group')];
    case 'move':
      return [key('to'), key('from')];
    case 'bonus':
      return [key('breed')];
    case 'park':
      return [`park:${event.data['card']}`];
    case 'reveal':
      return (event.data['turns'] as { card: number }[]).map((turn) => `round:${turn.card}`);
    default:
      return [];
  }
}

// --- words ------------------------------------------------------------------------------------------------------------

/** The part of a trick to decide now, with N and "here" filled in. */
export function asked(view: PuppiesView): string {
  const trick = view.position.tricks?.at(-1);
  const deck = deckOf(view);
  if (!trick) return '';
  const words = view.extra.asks.replace(/^[^:]*: /, '').replace(/ \(N = .*$/, '');
  const here = groupName(deck, trick.here);
  return filled(words, trick.n)
    .replace(/\bto here\b/, `to the ${here}`)
    .replace(/\bhere\b/, `with the ${here}`)
    .replace(/\bmy\b/g, 'your')
    .replace(/\bas I like\b/, 'as you like');
}
export function filled(text: string, n: number): string {
  return text
    .replace(/\bN (different )?(bones|groups|times)\b/g, (_, different: string | undefined, what: string) =>
      n === 1 && what !== 'times'
        ? `1 ${different ?? ''}${what.slice(0, -1)}`
        : n === 1
          ? 'once'
          : `${n} ${different ?? ''}${what}`,
    )
    .replace('up to once', 'once');
}

const VERBS: Record<string, readonly [one: string, several: string]> = {
  bury: ['Tap a glowing group to bury a bone', 'Tap the groups, a bone for each tap'],
  up: ['Tap a glowing bone to turn it up', 'Tap the bones to turn up'],
  move: ['Tap a glowing bone to carry it over', 'Tap the bones to carry over'],
  draw: ['Tap the deck to draw a pup', 'Tap the deck to draw a pup'],
};

export function prompt(view: PuppiesView, choice: Choice<PuppiesMove>): string {
  const position = view.position;
  const deck = deckOf(view);
  const own = view.seat === null ? undefined : position.seats[view.seat];
  switch (position.phase) {
    case 'choose': {
      const last = position.final ? ' This is the final round.' : '';
      if (position.options.strategic)
        return (own?.chosen ?? null) === null ? `Choose two pups for this round.${last}` : 'And now the second pup.';
      return `Choose a pup for this round, in secret. The highest number acts first.${last}`;
    }
    case 'take':
      return 'Take a card from the park into your hand.';
    case 'join':
    case 'leftover': {
      const pup = position.pup === undefined ? 'The Doggo' : titleOf(deck, position.pup);
      return `${pup} joins one of your groups for good: which one?`;
    }
    case 'trick': {
      const trick = position.tricks?.at(-1);
      const title = trick ? titleOf(deck, trick.card) : '';
      const piece = choice.pieces.find((each) => each !== 'stop') ?? '';
      const done = trick?.done ? ` ${trick.done} done.` : '';
      const verb = VERBS[piece]?.[(view.extra.most ?? 1) > 1 ? 1 : 0] ?? '';
      return `${title}: ${asked(view)}. ${verb}, or leave it.${done}`;
    }
    default:
      return 'Your turn.';
  }
}

export function waiting(view: PuppiesView, names: string[]): string | null {
  const position = view.position;
  const deck = deckOf(view);
  const who = view.active.filter((seat) => seat >= 0).map((seat) => seatName(names, seat));
  if (!who.length) return null;
  const all = joinWithAnd(who);
  switch (position.phase) {
    case 'choose': {
      const own = view.seat === null ? null : (position.seats[view.seat]?.chosen ?? null);
      return `${own === null ? '' : 'You have chosen. '}Waiting for ${all}.`;
    }
    case 'trick': {
      const trick = position.tricks?.at(-1);
      return `${all} has ${trick ? titleOf(deck, trick.card) : 'a trick'}: ${asked(view).replace(/\byour\b/g, 'their')}.`;
    }
    case 'take':
      return `${all} takes a card from the park.`;
    case 'join':
    case 'leftover':
      return `${all} finds a group for ${position.pup === undefined ? 'a Doggo' : titleOf(deck, position.pup)}.`;
    default:
      return null;
  }
}

export function describe(view: PuppiesView, option: MoveOption<PuppiesMove>): string {
  const deck = deckOf(view);
  const move = option.move;
  const group = (key: string) => `the ${groupName(deck, key)}`;
  switch (move.kind) {
    case 'choose': {
      const { text } = trickOf(deck, move.card);
      return `Play ${number(move.card)} ${titleOf(deck, move.card)}? ${text}`;
    }
    case 'take': {
      const { text } = trickOf(deck, move.card);
      return `Take ${number(move.card)} ${titleOf(deck, move.card)}? ${text}`;
    }
    case 'join':
      return `Let it join ${group(move.group)}?`;
    case 'bury':
      return `Bury a bone with ${group(move.group)}?`;
    case 'up':
      return `Turn a ${move.value} of ${group(move.group)} to ${move.becomes}?`;
    case 'move':
      return `Carry a ${move.value} from ${group(move.from)} to ${group(move.to)}?`;
    case 'dig':
      return 'Draw a pup and play it?';
    case 'stop':
      return view.position.tricks?.at(-1)?.done ? 'Enough of this trick?' : 'Leave this part of the trick?';
    default:
      return sentence(move.words);
  }
}

/** Nobody expects points from choosing, taking and placing cards. */
export const unscored = (option: MoveOption<PuppiesMove>): string =>
  ['choose', 'take', 'join', 'dig', 'stop'].includes(option.move.kind) ? '' : 'No points';

/** The move that a person means who points at a group or bone which the trick does not allow; null elsewhere. */
export function attempt(view: PuppiesView, _choice: Choice<PuppiesMove>, place: string): string | null {
  const [first = '', second] = place.split(':');
  if (view.position.phase !== 'trick' || /^(park|deck|round|yard|\d+)$/.test(first)) return null;
  const asks = view.extra.asks;
  if (/bur(y|ies)/.test(asks)) return `bury ${first}`;
  if (second === undefined) return null;
  if (asks.includes(': move ')) return `move ${second} ${first} ${view.position.tricks?.at(-1)?.here ?? first}`;
  return `up ${second} ${first}`;
}

// --- tracking bones -----------------------------------------------------------------------------------------------------

export interface Bone {
  id: number;
  pile: string;
}

let serial = 0;

/**
 * Identifies bones from one view to the next. Events say which bone moved from which pile to which; the rest of the difference
 * is bones that are new or gone.
 */
export function trackBones(
  before: readonly Bone[],
  now: ReadonlyMap<string, number>,
  hops: readonly { from: string; to: string }[],
): Bone[] {
  const piles = new Map<string, number[]>();
  const pile = (key: string): number[] => {
    let list = piles.get(key);
    if (!list) piles.set(key, (list = []));
    return list;
  };
  for (const bone of before) pile(bone.pile).push(bone.id);
  for (const hop of hops) {
    const id = pile(hop.from).pop();
    if (id !== undefined) pile(hop.to).push(id);
  }
  const after: Bone[] = [];
  for (const [key, count] of now) {
    const ids = pile(key).slice(0, count);
    while (ids.length < count) ids.push(++serial);
    for (const id of ids) after.push({ id, pile: key });
  }
  return after;
}

/** The bones of a seat that changed their pile, from the log. */
export function boneHops(entries: readonly Entry[], seat: number): { from: string; to: string }[] {
  return entries.flatMap((entry) =>
    entry.events.flatMap((event) => {
      const data = event.data;
      if (event.seat !== seat) return [];
      if (event.kind === 'up')
        return [{ from: `${data['group']}:${data['value']}`, to: `${data['group']}:${data['becomes']}` }];
      if (event.kind === 'move')
        return [{ from: `${data['from']}:${data['value']}`, to: `${data['to']}:${data['value']}` }];
      return [];
    }),
  );
}

/** The cards that came to the park after an entry of the log. */
export function parkedSince(entries: readonly Entry[], number: number): Set<number> {
  const cards = entries.flatMap((entry) =>
    entry.number > number
      ? entry.events.flatMap((event) => (event.kind === 'park' ? [Number(event.data['card'])] : []))
      : [],
  );
  return new Set(cards);
}
