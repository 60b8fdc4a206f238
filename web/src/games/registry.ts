/** The games that have a board: every folder here with an index.ts. A game's code is loaded when it is first needed. */
import type { Component } from 'svelte';
import type { GameBoard } from './game';

const boards = import.meta.glob<{ default: GameBoard }>('./*/index.ts');
const covers = import.meta.glob<{ default: Component }>('./*/Cover.svelte');

export const hasBoard = (game: string): boolean => `./${game}/index.ts` in boards;

export async function loadBoard(game: string): Promise<GameBoard | null> {
  const load = boards[`./${game}/index.ts`];
  return load ? (await load()).default : null;
}

export async function loadCover(game: string): Promise<Component | null> {
  const load = covers[`./${game}/Cover.svelte`];
  return load ? (await load()).default : null;
}
