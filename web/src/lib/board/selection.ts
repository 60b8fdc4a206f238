/**
 * Selecting one of the legal moves: with which piece, on which space, and in which way. Pure functions of the server's list of
 * legal moves and a small local selection.
 */
import type { Legal } from '../api/types';

/**
 * A legal move as the board shows it: with which piece, on which space (null: it needs none), and in which way, such as a
 * turn or a direction.
 */
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

export const NO_SELECTION: Selection = { piece: null, place: null, way: null };

export interface Choice<M extends Legal = Legal> {
  /** The piece in hand: the one selected, or the only one there is. */
  piece: string | null;
  pieces: string[];
  /** The legal spaces of the piece, with the most points that it can score there. */
  places: Map<string, number>;
  /** Spaces where only another piece is legal. */
  elsewhere: Set<string>;
  /** The ways of the piece on the selected space. */
  ways: MoveOption<M>[];
  /** The move to confirm: the selected way, or the one that scores most. */
  ready: MoveOption<M> | null;
}

/** The points of a move: what it scores by itself, and what it lets its seat score at once. */
export function pointsOf(move: Legal): number {
  return (move.points ?? 0) + (move.offer ?? 0);
}

/** What a selection means, given the legal moves. */
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

/** Selects a piece, such as a tile in hand. The space stays selected if the piece can go there. */
export function selectPiece(options: readonly MoveOption[], selection: Selection, piece: string): Selection {
  const fits = options.some((option) => option.piece === piece && option.place === selection.place);
  if (fits && piece === selection.piece) return selection;
  return { piece, place: fits ? selection.place : null, way: null };
}

/** Selects a space. If only another piece is legal there, `swaps` selects that piece too. Null: nothing is legal there. */
export function selectPlace(
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

/** Selects the next or previous way that is legal on the selected space. */
export function nextWay(options: readonly MoveOption[], selection: Selection, step: 1 | -1): Selection {
  const { ways, ready } = choose(options, selection);
  if (!ready || ways.length < 2) return selection;
  const at = ways.indexOf(ready);
  const next = ways[(at + step + ways.length) % ways.length] ?? ready;
  return { ...selection, piece: next.piece, way: next.way };
}

/** Selects the next of these pieces, as when a tile is flipped. */
export function nextPiece(options: readonly MoveOption[], selection: Selection, pieces: readonly string[]): Selection {
  const { piece } = choose(options, selection);
  const at = pieces.indexOf(piece ?? '');
  const next = pieces[(at + 1) % pieces.length];
  return next === undefined ? selection : selectPiece(options, selection, next);
}

// --- several spaces together ------------------------------------------------------------------------------------------

/** A decision that consists of several similar moves, whose spaces can be selected together. */
export interface MultiSelect<M extends Legal = Legal> {
  /** How many spaces may be selected. */
  most: number;
  /** How often one space can be selected; once if left out. */
  times?(option: MoveOption<M>): number;
  /** Whether two moves exclude each other: selecting one then removes the other. */
  excludes?(one: MoveOption<M>, other: MoveOption<M>): boolean;
}

/**
 * The selected moves after pointing at a space: one more while the space allows it, else one less. Null: nothing can be selected
 * there, or enough is selected already.
 */
export function togglePlace<M extends Legal>(
  options: readonly MoveOption<M>[],
  several: MultiSelect<M>,
  taken: readonly MoveOption<M>[],
  place: string,
): MoveOption<M>[] | null {
  const option = options.find((each) => each.place === place);
  if (!option) return null;
  const here = taken.filter((each) => each.place === place).length;
  const kept = taken.filter((each) => !several.excludes?.(option, each));
  if (here < (several.times?.(option) ?? 1) && kept.length < several.most) return [...kept, option];
  if (!here) return null;
  const last = taken.findLastIndex((each) => each.place === place);
  return taken.filter((_, i) => i !== last);
}

/** All moves, if all of them may be selected together; else none. */
export function selectAll<M extends Legal>(
  options: readonly MoveOption<M>[],
  several: MultiSelect<M>,
): MoveOption<M>[] {
  const all = options.flatMap((option) => Array.from({ length: several.times?.(option) ?? 1 }, () => option));
  const free = all.every((one, i) => all.every((other, k) => i === k || !several.excludes?.(one, other)));
  return free && all.length <= several.most ? all : [];
}
