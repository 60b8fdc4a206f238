/**
 * The board of each game on the page. A folder here with an index.ts is a board drawn by hand; every other game has the
 * plain board. The code of a board is loaded when it is first needed.
 */
import type { Component } from 'svelte';
import { api } from '../lib/api/http';
import type { GameBoard } from './game';

const boards = import.meta.glob<{ default: GameBoard }>('./*/index.ts');
const covers = import.meta.glob<{ default: Component }>('./*/Cover.svelte');

export async function loadBoard(game: string): Promise<GameBoard> {
  const load = boards[`./${game}/index.ts`];
  if (load) return (await load()).default;
  const [{ plainBoard }, { secret }] = await Promise.all([import('./plain/plainBoard'), api.game(game)]);
  return plainBoard(secret);
}

export async function loadCover(game: string): Promise<Component | null> {
  const load = covers[`./${game}/Cover.svelte`];
  return load ? (await load()).default : null;
}
