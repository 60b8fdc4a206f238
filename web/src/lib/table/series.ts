/** Seats in charts: a colour and a dash each, so that lines are told apart without colour too. */
export const SEAT_COLOURS = ['#b14a10', '#2f7f8f', '#6b4fa0', '#3f7a46', '#a6324f', '#7a6a2a'] as const;
export const SEAT_DASHES = ['', '7 4', '2 4', '10 3 2 3', '4 2', '1 5'] as const;
export const RULE_COLOURS = [
  '#e08a3c',
  '#5fa3b0',
  '#9a84c7',
  '#7fb56c',
  '#d9788a',
  '#c2a94b',
  '#8a97a0',
  '#b88a66',
] as const;
