/** Aquarium's moves and spaces: pieces are cards of the store or the hand, the net and the restock; spaces belong to tanks. */
import type { CardFacts, Extra, MoveFields, Position, Reason } from '../../lib/api/generated/view-aquarium';
import type { Legal, View } from '../../lib/api/types';
import { pointsOf, type Choice, type MoveOption, type Selection } from '../../lib/board/selection';
import type { BoardArea } from '../../lib/board/boardArea.svelte';
import type { Box } from '../../lib/board/geometry';
import type { Hop } from '../../lib/board/tracking';
import { counted, joinWithAnd, seatName, sentence } from '../../lib/text';
import type { Space } from '../game';
import { TYPES_IN_ORDER } from './material';
import { frameOf, onBoard, tanks, type TankPlace } from './layout';
import { SPACES } from './material';

export type AquaView = View<Position, Extra>;
export type AquaMove = Legal<MoveFields>;

export const NET = 'net';
export const RESTOCK = 'restock';
export const KEEP = 'keep net';

/** The seat whose tank is large. */
export const mainSeat = (view: AquaView): number => view.seat ?? 0;

/** The key of a space: my own as in notation, those of others with the seat before it. */
export const keyAt = (view: AquaView, seat: number, space: string): string =>
  seat === mainSeat(view) ? space : `${seat}.${space}`;

export function keyOf(view: AquaView, where: unknown, seat: number): string {
  return keyAt(view, seat < 0 ? mainSeat(view) : seat, String(where));
}

export function readKey(view: AquaView, key: string): { seat: number; space: string } {
  const [one = '', two] = key.split('.');
  return two === undefined ? { seat: mainSeat(view), space: one } : { seat: Number(one), space: two };
}

export interface Tank {
  cards: string[];
  values: number[];
  reasons: Reason[];
}

/** A tank as the viewer knows it: in the set-up, my own includes my secret cards. */
export function tankOf(view: AquaView, seat: number): Tank {
  const plan = seat === view.seat ? view.extra.plan : null;
  return {
    cards: (plan?.grid ?? view.position.seats[seat]?.grid ?? []).flat(),
    values: (plan?.values ?? view.extra.values[seat] ?? []).flat(),
    reasons: plan?.reasons ?? view.extra.reasons[seat] ?? [],
  };
}

export function cardAt(view: AquaView, key: string): string {
  const { seat, space } = readKey(view, key);
  return tankOf(view, seat).cards[SPACES.indexOf(space as (typeof SPACES)[number])] ?? '';
}

const UNKNOWN: CardFacts = { type: 'water', base: 0, text: '' };
export const factsOf = (view: AquaView, card: string): CardFacts => view.extra.cards[card] ?? UNKNOWN;

/** A card in words: name, type, points and bonus. */
export function cardWords(view: AquaView, card: string): string {
  const facts = factsOf(view, card);
  return `${card} (${facts.type}): ${facts.base}${facts.text ? `, ${facts.text}` : ''}`;
}

export function options(view: AquaView, legal: AquaMove[]): MoveOption<AquaMove>[] {
  const cards: MoveOption<AquaMove>[] = [];
  const nets: MoveOption<AquaMove>[] = [];
  const second: MoveOption<AquaMove>[] = [];
  const plain: MoveOption<AquaMove>[] = [];
  for (const move of legal) {
    switch (move.kind) {
      case 'put': {
        // A secret card scores later; the plan in the view tells how much.
        const points = view.extra.plan?.gains[move.card]?.[move.space] ?? 0;
        cards.push({ piece: move.card, place: move.space, way: '', move: { ...move, points } });
        break;
      }
      case 'take':
        cards.push({ piece: move.card, place: move.space, way: '', move });
        break;
      case 'net': {
        const [one = '', two = ''] = move.spaces;
        nets.push({ piece: NET, place: one, way: two, move }, { piece: NET, place: two, way: one, move });
        second.push(
          { piece: `${NET} ${one}`, place: two, way: '', move },
          { piece: `${NET} ${two}`, place: one, way: '', move },
        );
        break;
      }
      case 'restock':
        plain.push({ piece: RESTOCK, place: null, way: '', move });
        break;
      case 'keep net':
        plain.push({ piece: KEEP, place: null, way: '', move });
        break;
    }
  }
  return [...cards, ...nets, ...plain, ...second];
}

/** After the last turn only the net can be used. */
export function startPiece(view: AquaView): string | null {
  return view.position.phase === 'nets' && view.due.includes(view.seat ?? -1) ? NET : null;
}

/** The first space that the net has selected. */
export const caught = (piece: string | null): string | null =>
  piece?.startsWith(`${NET} `) ? piece.slice(NET.length + 1) : null;

/** The net selects two spaces, one after the other. Without a card in hand, pointing at a space selects it before the card. */
export function tap(
  view: AquaView,
  all: MoveOption<AquaMove>[],
  selection: Selection,
  place: string,
): Selection | null {
  const { seat } = readKey(view, place);
  const { piece } = selection;
  if (seat !== mainSeat(view)) return { piece: null, place, way: null };
  if (piece === NET) {
    const can = all.some((option) => option.piece === `${NET} ${place}`);
    return can ? { piece: `${NET} ${place}`, place: null, way: null } : null;
  }
  const first = caught(piece);
  if (first === place) return { piece: NET, place: null, way: null };
  if (piece === null || piece === RESTOCK || piece === KEEP) {
    return { piece: null, place: selection.place === place ? null : place, way: null };
  }
  return null;
}

/** In the set-up and at the last nets, everybody decides at the same time: it is nobody's turn. */
export function waiting(view: AquaView, names: string[]): string | null {
  const { phase } = view.position;
  if (phase !== 'setup' && phase !== 'nets') return null;
  const others = view.due.filter((seat) => seat !== view.seat).map((seat) => seatName(names, seat));
  if (!others.length) return null;
  const what =
    phase === 'setup'
      ? 'Everybody chooses three cards'
      : 'The last turn is over, and everybody who has a net left may use it';
  return `${what}; waiting for ${joinWithAnd(others)}.`;
}

export const tankPlaces = (view: AquaView, area: BoardArea): TankPlace[] =>
  tanks(view.seats, mainSeat(view), area.portrait);

export function spaces(view: AquaView, names: string[], area: BoardArea): Space[] {
  return tankPlaces(view, area).flatMap((place) => {
    const tank = tankOf(view, place.seat);
    const whose = place.seat === view.seat ? '' : `${names[place.seat] ?? `Tank ${place.seat + 1}`}, `;
    return SPACES.map((space, i): Space => {
      const card = tank.cards[i] ?? '';
      const facts = factsOf(view, card);
      const label = `${whose}${space}: ${card}, ${facts.type}, ${counted(tank.values[i] ?? 0, 'point')}${facts.text ? `; ${facts.base}, ${facts.text}` : ''}`;
      return {
        key: keyAt(view, place.seat, space),
        name: space,
        ...onBoard(place, i),
        label,
        badge: { x: -39, y: 19 },
        scale: place.scale === 1 ? undefined : place.scale,
      };
    });
  });
}

export const frame = (view: AquaView, area: BoardArea): Box => frameOf(tankPlaces(view, area), area.portrait);

/** The move that a person means who points at a space where the card or the net cannot go. */
export function attempt(view: AquaView, choice: Choice<AquaMove>, place: string): string | null {
  if (readKey(view, place).seat !== view.seat) return null;
  const first = caught(choice.piece);
  if (first !== null) return `net ${first} ${place}`;
  if (choice.piece === null || [NET, RESTOCK, KEEP].includes(choice.piece)) return null;
  return `${view.position.phase === 'setup' ? 'put' : 'take'} ${choice.piece}@${place}`;
}

export function prompt(view: AquaView, choice: Choice<AquaMove>, selection: Selection): string {
  const phase = view.position.phase;
  const mine = view.seat !== null && view.due.includes(view.seat);
  const first = caught(choice.piece);
  if (first !== null) return `The net holds ${cardAt(view, first)}. With which card does it change places?`;
  if (choice.piece === NET && phase === 'nets')
    return 'The last turn is over. Swap two cards with your net, or keep it: choose a space.';
  if (choice.piece === NET) return 'Your net swaps two cards of your tank. Choose the first.';
  if (selection.place !== null && choice.piece === null) {
    const { seat, space } = readKey(view, selection.place);
    const tank = tankOf(view, seat);
    const points = tank.values[SPACES.indexOf(space as (typeof SPACES)[number])] ?? 0;
    const ask = mine && seat === view.seat && phase !== 'nets' ? ' Choose a card to take its place.' : '';
    return `${cardWords(view, cardAt(view, selection.place))}. Here it makes ${points}.${ask}`;
  }
  if (choice.piece !== null && choice.places.size) return `${cardWords(view, choice.piece)}. Where in your tank?`;
  if (phase === 'setup') {
    const left = (view.extra.to_place ?? 3) - (view.extra.placed?.[view.seat ?? 0] ?? 0);
    return `In secret: put ${left === 3 ? 'three' : left === 2 ? 'two more' : 'one more'} of your cards into your tank.`;
  }
  if (!mine) return 'Others are choosing. You could use your net meanwhile.';
  return 'Your turn: take a card from the store; it replaces one of your tank.';
}

const gain = (move: AquaMove) => {
  const points = pointsOf(move);
  return points > 0 ? ` (+${points})` : points < 0 ? ` (−${-points})` : '';
};

export function describe(view: AquaView, option: MoveOption<AquaMove>): string {
  const { move } = option;
  switch (move.kind) {
    case 'take':
      return `Take ${move.card} in place of ${move.replaces}${gain(move)}?`;
    case 'put':
      return `Put ${move.card} in place of ${move.replaces}${gain(move)}?`;
    case 'net': {
      const [one = '', two = ''] = move.spaces;
      return `Swap ${cardAt(view, one)} and ${cardAt(view, two)}${gain(move)}?`;
    }
    case 'restock':
      return 'Discard the whole store and fill it again? You can do it once in the game.';
    case 'keep net':
      return 'Keep the net and leave your tank as it is?';
    default:
      return sentence(move.words);
  }
}

/** A secret card scores when all cards are revealed; `describe` says how much. */
export const unscored = (option: MoveOption<AquaMove>): string =>
  ['put', 'restock', 'keep net'].includes(option.move.kind) ? '' : 'No points';

/** The final points by the type of the cards. */
export function sources(view: AquaView): Map<string, number>[] {
  return view.position.seats.map((_, seat) => {
    const { cards, values } = tankOf(view, seat);
    const sums = new Map<string, number>();
    for (const type of TYPES_IN_ORDER) {
      const points = cards.reduce(
        (sum, card, i) => sum + (factsOf(view, card).type === type ? (values[i] ?? 0) : 0),
        0,
      );
      if (points) sums.set(type, points);
    }
    return sums;
  });
}

// --- what changed from one view to the next -------------------------------------------------------------------------------

const grids = (view: AquaView): string[][] => view.position.seats.map((seat) => seat.grid.flat());

export interface Taken {
  seat: number;
  /** The space by number. */
  space: number;
  /** The place in the store of the taken card, where the replaced one is now. */
  slot: number;
  card: string;
}

/** The card that was taken from the store between two views, if one was. */
export function taken(before: AquaView, now: AquaView): Taken | null {
  const [then, since] = [grids(before), grids(now)];
  for (const [seat, grid] of since.entries()) {
    const changed = grid.flatMap((card, i) => (card === then[seat]?.[i] ? [] : [i]));
    const [space] = changed;
    if (space === undefined || changed.length > 1) continue;
    const card = grid[space] ?? '';
    const gone = then[seat]?.[space];
    const slot = (before.position.store ?? []).findIndex(
      (lay, i) => lay === card && now.position.store?.[i] === gone && lay !== gone,
    );
    if (slot >= 0) return { seat, space, slot, card };
  }
  return null;
}

/** The two cards of a tank that a net swapped between two views. Places are `seat.space`, by number. */
export function swaps(before: AquaView, now: AquaView): Hop[] {
  const [then, since] = [grids(before), grids(now)];
  return since.flatMap((grid, seat): Hop[] => {
    const [one, two, more] = grid.flatMap((card, i) => (card === then[seat]?.[i] ? [] : [i]));
    if (one === undefined || two === undefined || more !== undefined) return [];
    if (grid[one] !== then[seat]?.[two] || grid[two] !== then[seat]?.[one]) return [];
    return [
      { from: `${seat}.${one}`, to: `${seat}.${two}` },
      { from: `${seat}.${two}`, to: `${seat}.${one}` },
    ];
  });
}

/** The points that a preview changes, by space of my tank. */
export function changes(
  lines: readonly { seat: number; points: number; where: unknown[] }[],
  seat: number | null,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const space = String(line.where[0]);
    if (line.seat === seat) sums.set(space, (sums.get(space) ?? 0) + line.points);
  }
  for (const [space, points] of sums) if (!points) sums.delete(space);
  return sums;
}
