/** Records in and out: games as files, and games that move from this device to the server. */
import { api, ApiError, deviceApi } from './api/http';
import type { SeatWish, TableInfo } from './api/types';
import { me } from './identity.svelte';
import { forPeople } from './levels/levels';
import { isOnDevice } from './local/where';
import { prepareDevice } from './newTable';

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

/** Puts a game from a file on this device: a finished one to be replayed, any other to be played on. */
export async function openRecord(record: string): Promise<TableInfo> {
  await prepareDevice();
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
