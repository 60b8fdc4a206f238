/** Where tanks and their spaces are. Mine is large; the others are smaller, beside it or below. */
import type { Box, Point } from '../../lib/kit/geometry';
import { inkOutline } from '../../lib/kit/ink';

/** A card with its gap, and the card itself. */
export const PITCH = { x: 120, y: 132 };
export const CARD = { width: 113, height: 125 };
const RIM = 15;
const HEAD = 34;
export const TANK = { width: 3 * PITCH.x + 2 * RIM, height: 3 * PITCH.y + 2 * RIM + HEAD };
const GAP = 26;

export const SPACES = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'] as const;

export interface TankPlace extends Point {
  seat: number;
  scale: number;
}

export const SPACE_SHAPE = inkOutline(
  [
    { x: -CARD.width / 2, y: -CARD.height / 2 },
    { x: CARD.width / 2, y: -CARD.height / 2 },
    { x: CARD.width / 2, y: CARD.height / 2 },
    { x: -CARD.width / 2, y: CARD.height / 2 },
  ],
  0.8,
);

/** The tanks by their upper left corners, mine first. */
export function tanks(seats: number, mine: number, tall: boolean): TankPlace[] {
  const others = Array.from({ length: seats - 1 }, (_, i) => (mine + 1 + i) % seats);
  const found: TankPlace[] = [{ seat: mine, x: 0, y: 0, scale: 1 }];
  if (tall) {
    // In a row below mine; the corner at the lower right is left to the button.
    const scale = others.length > 2 ? 0.285 : others.length > 1 ? 0.37 : 0.42;
    const step = TANK.width * scale + (others.length > 2 ? 8 : GAP * 0.6);
    const left = others.length > 1 ? 0 : (TANK.width - TANK.width * scale) / 2;
    others.forEach((seat, i) => found.push({ seat, x: left + i * step, y: TANK.height + 6, scale }));
    return found;
  }
  const right = TANK.width + GAP * 1.4;
  if (others.length === 1) {
    const scale = 0.86;
    found.push({ seat: others[0] ?? 0, x: right, y: TANK.height * (1 - scale), scale });
  } else if (others.length === 2) {
    const scale = 0.62;
    others.forEach((seat, i) =>
      found.push({ seat, x: right + i * (TANK.width * scale + GAP), y: TANK.height * (1 - scale), scale }),
    );
  } else {
    const scale = 0.485;
    const step = TANK.width * scale + GAP;
    others.forEach((seat, i) =>
      found.push({
        seat,
        x: right + (i < 2 ? i * step : step / 2),
        y: i < 2 ? 0 : TANK.height * (1 - scale),
        scale,
      }),
    );
  }
  return found;
}

/** The middle of a space, within a tank's own measure. */
export function spot(space: number): Point {
  return {
    x: RIM + PITCH.x * ((space % 3) + 0.5),
    y: RIM + HEAD + PITCH.y * (Math.floor(space / 3) + 0.5),
  };
}

export function onBoard(tank: TankPlace, space: number): Point {
  const at = spot(space);
  return { x: tank.x + at.x * tank.scale, y: tank.y + at.y * tank.scale };
}

export function frameOf(places: readonly TankPlace[], tall: boolean): Box {
  const width = Math.max(...places.map((tank) => tank.x + TANK.width * tank.scale));
  const height = Math.max(...places.map((tank) => tank.y + TANK.height * tank.scale));
  if (tall) return { x: -8, y: -4, width: width + 16, height: height + 8 };
  return { x: -12, y: -8, width: width + (places.length > 1 ? 74 : 24), height: height + 20 };
}
