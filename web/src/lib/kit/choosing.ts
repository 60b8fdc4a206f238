/**
 * Choosing a move out of the legal ones: which piece, where, and in which of the ways that are left. Pure functions of the
 * server's list and a small local selection; what is legal is the server's business.
 */
import type { Legal } from '../api/types';

/** A legal move as the board sees it: with which piece, on which place (null: none needed), and in which way. */
export interface MoveOption<M extends Legal = Legal> {
  piece: string;
  place: string | null;
  way: string;
  move: M;
}

export interface Selection {
  piece: string | null;
  place: string | null;
  way: string | null;
}

export const NOTHING: Selection = { piece: null, place: null, way: null };

export interface Choice<M extends Legal = Legal> {
  /** The piece in hand: the one selected, or the only one there is. */
  piece: string | null;
  pieces: string[];
  /** Legal places of the piece, with the most points one can make there. */
  places: Map<string, number>;
  /** Places where only another piece (or face) would go. */
  elsewhere: Set<string>;
  /** The ways of the piece on the selected place. */
  ways: MoveOption<M>[];
  /** The move that is ready to be confirmed. */
  ready: MoveOption<M> | null;
}

/** The points a move promises: what it scores by itself, and what it lets its seat score at once. */
export function pointsOf(move: Legal): number {
  return (move.points ?? 0) + (move.offer ?? 0);
}

export function choose<M extends Legal>(options: readonly MoveOption<M>[], selection: Selection): Choice<M> {
  const pieces = [...new Set(options.map((option) => option.piece))];
  const only = pieces.length === 1 ? (pieces[0] ?? null) : null;
  const piece = selection.piece !== null && pieces.includes(selection.piece) ? selection.piece : only;
  const places = new Map<string, number>();
  const elsewhere = new Set<string>();
  for (const option of options) {
    if (option.place === null) continue;
    if (option.piece === piece) {
      places.set(option.place, Math.max(places.get(option.place) ?? -Infinity, pointsOf(option.move)));
    } else elsewhere.add(option.place);
  }
  for (const place of places.keys()) elsewhere.delete(place);
  const ways = options.filter(
    (option) =>
      option.piece === piece && (option.place === null ? selection.piece !== null : option.place === selection.place),
  );
  const ready = ways.find((option) => option.way === selection.way) ?? best(ways);
  return { piece, pieces, places, elsewhere, ways, ready };
}

function best<M extends Legal>(ways: readonly MoveOption<M>[]): MoveOption<M> | null {
  let found: MoveOption<M> | null = null;
  for (const option of ways) if (!found || pointsOf(option.move) > pointsOf(found.move)) found = option;
  return found;
}

/** Take a piece (a tile in hand, a face, a card). The place is kept if the piece can go there. */
export function takePiece(options: readonly MoveOption[], selection: Selection, piece: string): Selection {
  const fits = options.some((option) => option.piece === piece && option.place === selection.place);
  if (fits && piece === selection.piece) return selection;
  return { piece, place: fits ? selection.place : null, way: null };
}

/**
 * Point at a place: it is selected, and stays so. A place where only another piece goes changes the piece if `swaps`.
 * Null: nothing legal is there.
 */
export function takePlace(
  options: readonly MoveOption[],
  selection: Selection,
  place: string,
  { swaps }: { swaps: boolean },
): Selection | null {
  const { piece, ready } = choose(options, selection);
  if (selection.place === place && ready) return selection;
  if (options.some((option) => option.place === place && option.piece === piece)) return { piece, place, way: null };
  const other = options.find((option) => option.place === place);
  if (other && swaps) return { piece: other.piece, place, way: null };
  return null;
}

/** The next of the ways that are legal here. */
export function nextWay(options: readonly MoveOption[], selection: Selection, step: 1 | -1): Selection {
  const { ways, ready } = choose(options, selection);
  if (!ready || ways.length < 2) return selection;
  const at = ways.indexOf(ready);
  const next = ways[(at + step + ways.length) % ways.length] ?? ready;
  return { ...selection, piece: next.piece, way: next.way };
}

/** The next piece that can be played, as when a tile is flipped. */
export function nextPiece(options: readonly MoveOption[], selection: Selection, pieces: readonly string[]): Selection {
  const { piece } = choose(options, selection);
  const at = pieces.indexOf(piece ?? '');
  const next = pieces[(at + 1) % pieces.length];
  return next === undefined ? selection : takePiece(options, selection, next);
}

// --- several places in one go -----------------------------------------------------------------------------------------

/** A decision made of like moves one after the other, whose places can be chosen together. */
export interface Several<M extends Legal = Legal> {
  /** How many places may be chosen. */
  most: number;
  /** How often a place can be chosen; once if left out. */
  times?(option: MoveOption<M>): number;
  /** Whether two of them exclude each other: the later one is then chosen instead. */
  apart?(one: MoveOption<M>, other: MoveOption<M>): boolean;
}

/**
 * What is taken after pointing at a place: one more while the place has more to give, else one less. Null: nothing of
 * the kind is there, or enough is taken already.
 */
export function takeMore<M extends Legal>(
  options: readonly MoveOption<M>[],
  several: Several<M>,
  taken: readonly MoveOption<M>[],
  place: string,
): MoveOption<M>[] | null {
  const option = options.find((each) => each.place === place);
  if (!option) return null;
  const here = taken.filter((each) => each.place === place).length;
  const kept = taken.filter((each) => !several.apart?.(option, each));
  if (here < (several.times?.(option) ?? 1) && kept.length < several.most) return [...kept, option];
  if (!here) return null;
  const last = taken.findLastIndex((each) => each.place === place);
  return taken.filter((_, i) => i !== last);
}

/** Everything that can be taken, if all of it may be: then there is no choice but to leave some. */
export function takeAll<M extends Legal>(options: readonly MoveOption<M>[], several: Several<M>): MoveOption<M>[] {
  const all = options.flatMap((option) => Array.from({ length: several.times?.(option) ?? 1 }, () => option));
  const free = all.every((one, i) => all.every((other, k) => i === k || !several.apart?.(one, other)));
  return free && all.length <= several.most ? all : [];
}
