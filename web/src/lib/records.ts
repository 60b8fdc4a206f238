/** Records in and out: games as files, and games that move from this device to the server. */
import { api, ApiError, deviceApi } from './api/http';
import type { SeatWish, TableInfo } from './api/types';
import { me } from './identity.svelte';
import { forPeople } from './levels/levels';
import { isOnDevice } from './local/where';
import { prepareDevice } from './newTable';
import { capitalize } from './text';

/** The record of a game. On this device that of an unfinished game can be had, too. */
const recordOf = (table: TableInfo, invite: string | null = null): Promise<string> =>
  isOnDevice(table.id) ? deviceApi.record(table.id) : api.record(table.id, invite);

/** Lets the browser save the record of a game as a file. */
export async function saveRecord(table: TableInfo, invite: string | null = null): Promise<void> {
  const text = await recordOf(table, invite);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `${table.game}-${table.id}.wellies`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The number of seats and the names in the header of a record. What else it says is for the engine to read. */
export function readHeader(record: string): { seats: number; names: string[] } {
  const field = (key: string) => new RegExp(`^${key}: *(.*)$`, 'm').exec(record)?.[1]?.trim() ?? '';
  let names: unknown = [];
  try {
    names = JSON.parse(field('Players') || '[]');
  } catch {
    // The engine says what is wrong with it.
  }
  const seats = Math.min(12, Math.max(1, Number(field('Seats')) || 1));
  return { seats, names: Array.isArray(names) ? names.map(String) : [] };
}

/** Who sits where in a game that goes on: bots keep their seats, all others are people on this device. */
export function seatsToPlayOn(record: string, levels: readonly string[]): SeatWish[] {
  const { seats, names } = readHeader(record);
  return Array.from({ length: seats }, (_, seat) => {
    const name = names[seat]?.trim() ?? '';
    const level = name.replace(/^bot:/, '').toLowerCase();
    if (levels.includes(level)) return { kind: 'bot', level };
    return name ? { kind: 'me', name } : { kind: 'me' };
  });
}

/** The longest record that tables are made from, in characters. */
const MOST_RECORD = 400_000;
/** The status of an answer to a record with a mistake. */
const CANNOT_BE_READ = 400;
const WHERE_FROM = 'Choose a file that was saved with “Download the record”: its name ends in .wellies.';

/** The text of a file that is a record, as far as one can tell without the engine; an error says what is wrong. */
export async function readRecord(file: File): Promise<string> {
  const refused = (why: string) => new Error(`“${file.name}” ${why} ${WHERE_FROM}`);
  if (!file.size) throw refused('is empty.');
  // A character has four bytes at most.
  if (file.size > 4 * MOST_RECORD) throw refused('is too large to be the record of a game.');
  const text = await file.text();
  if (!['Game', 'Seats'].every((key) => new RegExp(`^${key}:`, 'm').test(text)))
    throw refused('is not the record of a game.');
  if (text.length > MOST_RECORD) throw refused('is too large to be the record of a game.');
  return text;
}

/** Puts a game from a file on this device: a finished one to be replayed, any other to be played on. */
export async function openRecord(record: string): Promise<TableInfo> {
  await prepareDevice();
  try {
    return await putOnDevice(record);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== CANNOT_BE_READ) throw error;
    const why = capitalize(error.message);
    throw new Error(`This record cannot be opened. ${why} If you changed the file, take the one that was saved.`, {
      cause: error,
    });
  }
}

async function putOnDevice(record: string): Promise<TableInfo> {
  try {
    return await api.import(record, 'device');
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_finished') throw error;
    const levels = forPeople(await api.bots()).map((bot) => bot.name);
    return api.create({ record, seats: seatsToPlayOn(record, levels), start: true }, 'device');
  }
}

/** Who sits where when a game of this device goes on with friends: I have my first seat, and they have those of the others. */
export function seatsForFriends(table: TableInfo): SeatWish[] {
  const mine = table.seats.find((seat) => seat.mine)?.seat ?? 0;
  const alone = table.seats.every((seat) => seat.seat === mine || seat.kind === 'bot');
  return table.seats.map((seat): SeatWish => {
    if (seat.seat === mine) return { kind: 'me' };
    return seat.kind === 'bot' && !alone ? { kind: 'bot', level: seat.bot ?? seat.name } : { kind: 'open' };
  });
}

/** Takes a game of this device to the server: a finished one to be shown to others, any other to be played on with them. */
export async function takeToServer(table: TableInfo): Promise<TableInfo> {
  const record = await recordOf(table);
  if (table.state === 'finished') return api.import(record, 'server');
  const name = me.chosenName;
  return api.create({ record, seats: seatsForFriends(table), start: false, ...(name ? { name } : {}) }, 'server');
}
