/** The same concept is in the same file in every game's folder. */
import { describe, expect, it } from 'vitest';

/** What each file holds; game.ts documents the components. */
const REQUIRED = [
  'index.ts', // the `GameBoard`
  'board.ts', // legal moves and spaces as the board shows them, and their texts
  'material.ts', // the pieces: kinds, names, how notation is read
  'layout.ts', // where pieces and spaces are
  'art.ts', // how they are drawn: paths and colours
  'inspect.ts', // cards and tiles read large, and the catalogue
  'history.ts', // how the log and the charts present a game
  'diagrams.ts', // pictures for the Learn page
  'guide.json', // the guided first game
  'board.test.ts',
  'Board.svelte',
  'Cover.svelte',
  'Miniature.svelte',
  'Picture.svelte',
  'SeatSummary.svelte',
  'Tray.svelte',
];
const OPTIONAL = ['Overlay.svelte'];
/** Components that draw single pieces. */
const PIECES = /^pieces\/[A-Z]\w*\.svelte$/;
/** The board of games that have none of their own. */
const NO_GAME = 'plain';

const folders = new Map<string, string[]>();
for (const path of Object.keys(import.meta.glob('./*/**'))) {
  const [, folder = '', ...rest] = path.split('/');
  if (folder !== NO_GAME) folders.set(folder, [...(folders.get(folder) ?? []), rest.join('/')]);
}

describe.each([...folders])('the folder of %s', (_, files) => {
  it('has every file that a board needs', () => {
    expect(files).toEqual(expect.arrayContaining(REQUIRED));
  });
  it('has no other files than the known ones and pieces', () => {
    const known = [...REQUIRED, ...OPTIONAL];
    expect(files.filter((file) => !known.includes(file) && !PIECES.test(file))).toEqual([]);
  });
});

it('there are five games', () => {
  expect([...folders.keys()].sort()).toEqual(['aquarium', 'guppies', 'marram', 'puppies', 'umbradeco']);
});
