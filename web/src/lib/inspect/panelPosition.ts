/** The position of the inspector's panel: beside the card, and if possible not over the spaces it refers to. */
import type { Box, Point } from '../board/geometry';

const GAP = 10;
/** Distances from the card that the panel may have, to leave its neighbours visible. */
const AWAY = [0, 120, 240, 360];

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * The upper left corner of a panel. `lit` are the spaces that bring the card's points, `others` everything else that
 * can be pointed at. In a narrow window the panel is a sheet of full width, at the top or at the bottom.
 */
export function placePanel(
  size: { width: number; height: number },
  thing: Box,
  lit: readonly Box[],
  others: readonly Box[],
  room: { width: number; height: number },
  sheet: boolean,
): Point {
  const [right, low] = [room.width - size.width - GAP, room.height - size.height - GAP];
  const x = (at: number) => Math.max(Math.min(GAP, right), Math.min(right, at));
  const y = (at: number) => Math.max(Math.min(GAP, low), Math.min(low, at));
  const middle = { x: thing.x + thing.width / 2, y: thing.y + thing.height / 2 };
  const [over, under] = [thing.y - size.height - GAP, thing.y + thing.height + GAP];
  const centred = x((room.width - size.width) / 2);
  const candidates: Point[] = sheet
    ? [low, GAP, y(over), y(under)].map((at) => ({ x: centred, y: at }))
    : [
        ...AWAY.flatMap((far) => [
          { x: x(thing.x + thing.width + GAP + far), y: y(middle.y - size.height / 2) },
          { x: x(thing.x - size.width - GAP - far), y: y(middle.y - size.height / 2) },
        ]),
        { x: x(middle.x - size.width / 2), y: y(over) },
        { x: x(middle.x - size.width / 2), y: y(under) },
        { x: x(GAP), y: y(GAP) },
        { x: x(right), y: y(GAP) },
        { x: x(GAP), y: y(low) },
        { x: x(right), y: y(low) },
      ];
  const cost = (at: Point): number => {
    const box = { ...at, ...size };
    const sum = (boxes: readonly Box[]) => boxes.reduce((area, each) => area + overlap(box, each), 0);
    const far = Math.hypot(at.x + size.width / 2 - middle.x, at.y + size.height / 2 - middle.y);
    return overlap(box, thing) * 1000 + sum(lit) * 30 + sum(others) * 0.1 + far * (sheet ? 1 : 40);
  };
  let best = candidates[0] ?? { x: GAP, y: GAP };
  for (const each of candidates) if (cost(each) < cost(best)) best = each;
  return best;
}
