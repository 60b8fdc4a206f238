/** The games, their rules and the bots, as the server describes them: a file of the page, for when there is no server. */
import engine from 'virtual:engine';
import { ROOT } from './address';

let loaded: Promise<Record<string, unknown>> | null = null;

async function load(): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(engine.catalogue, ROOT));
  if (!answer.ok) throw new Error(`The list of games is missing (${answer.status}).`);
  return (await answer.json()) as Record<string, unknown>;
}

/** What `GET /api/v1…` answers at this path; undefined if it is not about games or bots. */
export async function lookUp(path: string): Promise<unknown> {
  loaded ??= load();
  loaded.catch(() => (loaded = null));
  return (await loaded)[path];
}
