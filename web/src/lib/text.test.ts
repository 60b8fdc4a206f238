import { describe, expect, it } from 'vitest';
import {
  ago,
  clockText,
  counted,
  displayText,
  errorText,
  joinWithAnd,
  minutesText,
  promptFor,
  seatsText,
  sentence,
  signed,
} from './text';

describe('ranges', () => {
  it('have the same dash everywhere', () => {
    expect([seatsText(2, 4), seatsText(1, 1)]).toEqual(['2–4 players', '1 player']);
    expect([minutesText('20-30'), minutesText('5')]).toEqual(['20–30 min', '5 min']);
  });
});

describe('numbers with words', () => {
  it('are one thing or several', () => {
    expect([0, 1, 2, 0.5].map((number) => counted(number, 'choice'))).toEqual([
      '0 choices',
      '1 choice',
      '2 choices',
      '0.5 choices',
    ]);
    expect(counted(1, 'half', 'halves')).toBe('1 half');
    expect(counted(2, 'half', 'halves')).toBe('2 halves');
  });
});

describe('texts of the server', () => {
  const names = ['Ann', '[Ben]'];
  it('have names in them, and no notation', () => {
    expect(displayText('{0} opens red [at 1,-1] beside {1} [such as red@1,-1].', names)).toBe(
      'Ann opens red beside [Ben].',
    );
    expect(displayText('It is {4}’s turn.', names)).toBe('It is Seat 5’s turn.');
    expect(displayText('-2 per other Moray Eel (-4), half-way 3-4.', names)).toBe(
      '\u22122 per other Moray Eel (\u22124), half-way 3-4.',
    );
  });
  it('become sentences', () => {
    expect(displayText(sentence('lay the tile for 3 points [face a at 1,-1]'), names)).toBe(
      'Lay the tile for 3 points.',
    );
    expect(sentence('')).toBe('');
  });
  it('are put errorText where they are for programs', () => {
    expect(errorText('bad_notation', "'x' is not a move: write face, turn and place, such as a2@1,-1.")).not.toContain(
      '@',
    );
    expect(errorText('illegal', 'Two touching spaces never show the same colour.')).toContain('colour');
  });
});

describe('words', () => {
  it('tells time', () => {
    expect(clockText(61_000)).toBe('1:01');
    expect(clockText(7_260_000)).toBe('2 h 1 min');
    expect(clockText(200_000_000)).toBe('2 d 7 h');
    expect(ago(0, 59 * 60_000)).toBe('59 min ago');
    expect(joinWithAnd(['a', 'b', 'c'])).toBe('a, b and c');
    expect([signed(4), signed(-2), signed(0)]).toEqual(['+4', '\u22122', '+0']);
  });
});

describe('several people at one device', () => {
  it('are told by name whose turn it is, and never "your turn"', () => {
    expect(promptFor('Ann', 'Your turn: lay the tile on a glowing space.')).toBe(
      "Ann's turn: lay the tile on a glowing space.",
    );
    expect(promptFor('Ann', 'Your turn.')).toBe("Ann's turn.");
    expect(promptFor('Ann', 'Choose a face.')).toBe("Ann's turn. Choose a face.");
  });
});
