import { describe, expect, it } from 'vitest';
import type { TableInfo } from './api/types';
import { readHeader, readRecord, seatsForFriends, seatsToPlayOn } from './records';

const LEVELS = ['drizzle', 'storm'];
const record = (players: string, seats = 2) =>
  `Game: guppies\nRules: 1\nSeats: ${seats}\nPlayers: ${players}\n\n0 a1@0,0\n`;

describe('the header of a record', () => {
  it('has the number of seats and the names', () =>
    expect(readHeader(record('["Ann", "storm"]'))).toEqual({ seats: 2, names: ['Ann', 'storm'] }));
  it('may have no names', () => expect(readHeader('Game: guppies\nSeats: 3\n')).toEqual({ seats: 3, names: [] }));
  it('that is damaged is left to the engine', () => {
    expect(readHeader(record('["Ann'))).toEqual({ seats: 2, names: [] });
    expect(readHeader('no record at all')).toEqual({ seats: 1, names: [] });
  });
});

describe('a file', () => {
  const read = (text: string) => readRecord(new File([text], 'mine.txt'));

  it('that is a record is read, whoever saved it', async () => {
    for (const text of [record('["Ann"]'), `\ufeff${record('[]')}`, record('[]').replaceAll('\n', '\r\n')])
      expect(await read(text)).toBe(text.replace('\ufeff', ''));
  });
  it.each([
    ['', 'is empty.'],
    ['\u0089PNG\r\n', 'is not the record of a game.'],
    ['Game: the film\nA list of films', 'is not the record of a game.'],
    ['x'.repeat(1_600_001), 'is too large to be the record of a game.'],
    [record('[]') + '# more\n'.repeat(60_000), 'is too large to be the record of a game.'],
  ])('that is none is told, with what to do', (text, why) =>
    expect(read(text)).rejects.toThrow(`“mine.txt” ${why} Choose a file that was saved with`),
  );
});

describe('a game from a file that goes on', () => {
  it('gives bots their seats, and all others to people on this device', () =>
    expect(seatsToPlayOn(record('["Ann", "Storm", "bot:drizzle", ""]', 4), LEVELS)).toEqual([
      { kind: 'me', name: 'Ann' },
      { kind: 'bot', level: 'storm' },
      { kind: 'bot', level: 'drizzle' },
      { kind: 'me' },
    ]));
});

describe('a game that goes on with friends', () => {
  const table = (...seats: object[]) =>
    ({ seats: seats.map((each, seat) => ({ seat, mine: false, bot: null, ...each })) }) as unknown as TableInfo;
  const person = { kind: 'person', name: 'Ann', mine: true };
  const bot = { kind: 'bot', name: 'storm', bot: 'storm' };

  it('frees the chairs of those who shared the device, and keeps bots', () =>
    expect(seatsForFriends(table(bot, person, person))).toEqual([
      { kind: 'bot', level: 'storm' },
      { kind: 'me' },
      { kind: 'open' },
    ]));
  it('frees the chairs of the bots, where nobody else has played', () =>
    expect(seatsForFriends(table(person, bot, bot))).toEqual([{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }]));
});
