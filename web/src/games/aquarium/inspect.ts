/** Aquarium's cards read large: their text, their points where they are, and all cards of the box. */
import type { BoxCard, CardFacts } from '../../lib/api/generated/view-aquarium';
import type { InspectContext, CardDetail, CatalogueGroup, DetailLine } from '../../lib/inspect/inspect';
import type { MoveOption } from '../../lib/board/selection';
import { capitalize, counted, displayText, seatName, withMinusSigns } from '../../lib/text';
import { TYPES_IN_ORDER, type CardType } from './material';
import { cardAt, caught, factsOf, keyAt, mainSeat, NET, readKey, tankOf, type AquaView } from './board';
import { SPACES } from './material';

const CARD = 'card:';
/** The key of a card in the store or in a hand. */
export const cardKey = (card: string): string => CARD + card;

/** The id of a card's picture, which also shows its type and points. */
const pictured = (card: string, facts: CardFacts): string => `${facts.type} ${facts.base} ${card}`;
export function readPictured(id: string): { name: string; type: CardType; base: number } {
  const [type = 'water', base = '0', ...name] = id.split(' ');
  return { name: name.join(' '), type: type as CardType, base: Number(base) };
}

function plain(card: string, facts: CardFacts): CardDetail {
  return {
    card: pictured(card, facts),
    title: card,
    kind: `${capitalize(facts.type)}, ${counted(facts.base, 'point')}`,
    text: [withMinusSigns(facts.text) || 'No bonus, wherever it lies.'],
    lines: [],
    total: null,
  };
}

/** A reason of the server without the card's name at its beginning. */
const reason = (why: string, card: string) => (why.startsWith(`${card}: `) ? why.slice(card.length + 2) : why);

export function inspect(view: AquaView, key: string, names: string[], context?: InspectContext): CardDetail | null {
  if (key.startsWith(CARD)) {
    const card = key.slice(CARD.length);
    return card in view.extra.cards ? plain(card, factsOf(view, card)) : null;
  }
  const { seat, space } = readKey(view, key);
  const at = SPACES.findIndex((each) => each === space);
  if (at < 0) return null;
  if (context?.ghost?.place === key) return ghostly(view, context.ghost, context, names);
  const tank = tankOf(view, seat);
  const card = tank.cards[at];
  const total = tank.values[at];
  if (card === undefined || total === undefined) return null;
  const facts = factsOf(view, card);
  const lines: DetailLine[] = [{ points: facts.base, why: 'On the card', places: [] }];
  for (const each of tank.reasons.filter((one) => one.space === space)) {
    const of = each.of.map((other) => tank.cards[SPACES.findIndex((one) => one === other)] ?? '');
    const helpers = of.length ? ` (${[...new Set(of)].join(', ')})` : '';
    lines.push({
      points: each.points,
      why: displayText(reason(each.why, card) || facts.text, names) + helpers,
      places: each.of.map((other) => keyAt(view, seat, other)),
    });
  }
  const sum = lines.reduce((points, line) => points + line.points, 0);
  if (sum < total) lines.push({ points: total - sum, why: 'A card never makes less than 0', places: [] });
  const whose = seat === view.seat ? 'your' : `${seatName(names, seat)}'s`;
  return { ...plain(card, facts), kind: `${capitalize(facts.type)} in ${whose} tank`, lines, total };
}

/** The card of the ghost: what would change in my tank. */
function ghostly(view: AquaView, ghost: MoveOption, { preview }: InspectContext, names: string[]): CardDetail {
  const one = caught(ghost.piece) ?? (ghost.piece === NET ? ghost.way : null);
  const card = one === null ? ghost.piece : cardAt(view, one);
  const mine = preview?.lines.filter((line) => line.seat === view.seat) ?? [];
  let lines: DetailLine[] = mine.map((line) => ({
    points: line.points,
    why: displayText(line.why, names),
    places: line.where.map((space) => keyAt(view, mainSeat(view), String(space))),
  }));
  // A secret card scores when all are revealed; the plan in the view tells how much.
  const gain = view.extra.plan?.gains[card]?.[ghost.place ?? ''];
  if (!lines.length && gain !== undefined) lines = [{ points: gain, why: 'When all is revealed', places: [] }];
  return {
    ...plain(card, factsOf(view, card)),
    lines,
    heading: 'What would change if it lies here',
    total: preview && view.seat !== null && mine.length ? (preview.gains[view.seat] ?? 0) : (gain ?? null),
  };
}

const copies = (count: number) => `${count} in the box`;

/** The server lists the usual cards. The view tells what other cards do, and the options list those of a card file. */
function cardsOf(view: AquaView | null, box: readonly unknown[]): BoxCard[] {
  const own = view?.position.options.cards;
  if (!view || own === undefined || own === 'balanced') return box as BoxCard[];
  if (own === 'standard') return (box as BoxCard[]).map((card) => ({ ...card, ...factsOf(view, card.name) }));
  return own.cards.map((card) => ({ ...card, starter: card.starter ?? false, text: factsOf(view, card.name).text }));
}

export function catalogue(view: AquaView | null, box: readonly unknown[]): CatalogueGroup[] {
  const cards = cardsOf(view, box).filter((card) => card.copies > 0);
  return TYPES_IN_ORDER.map((type) => ({
    title: capitalize(type),
    cards: cards
      .filter((card) => card.type === type)
      .map((card) => ({
        ...plain(card.name, card),
        kind: counted(card.base, 'point'),
        count: copies(card.copies),
        note: [
          card.starter ? 'Every tank begins with it.' : '',
          card.source === 'reconstructed' ? 'Value reconstructed.' : '',
        ]
          .filter(Boolean)
          .join(' '),
      })),
  })).filter((group) => group.cards.length > 0);
}
