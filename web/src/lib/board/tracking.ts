/** Identifies pieces from one view to the next, so that a piece can glide from its old space to its new one. */

export interface Tracked {
  id: string;
  place: string;
  kind: string;
}

/** A piece moved, as the log says. */
export interface Hop {
  from: string;
  to: string;
}

let serial = 0;

/**
 * Gives every piece of the new view an id. A piece keeps its id if it is where a piece of its kind was, or where events say that
 * piece moved; any other piece is new. Several pieces may share a space: a stack, lowest first.
 */
export function track(
  before: readonly Tracked[],
  now: readonly Omit<Tracked, 'id'>[],
  hops: readonly Hop[],
): Tracked[] {
  const free = new Map<string, Tracked[]>();
  const put = (place: string, piece: Tracked) => {
    const key = `${place}|${piece.kind}`;
    const list = free.get(key);
    if (list) list.push(piece);
    else free.set(key, [piece]);
  };
  const moved = new Map(hops.map((hop) => [hop.from, hop.to]));
  const hopped = new Set<string>();
  for (const piece of before) {
    const to = moved.get(piece.place);
    const lands =
      to !== undefined && !hopped.has(piece.id) && now.some((next) => next.place === to && next.kind === piece.kind);
    if (lands && to !== undefined) {
      put(to, piece);
      hopped.add(piece.id);
    } else put(piece.place, piece);
  }
  return now.map((piece) => {
    const same = free.get(`${piece.place}|${piece.kind}`)?.shift();
    return { ...piece, id: same?.id ?? `p${++serial}` };
  });
}
