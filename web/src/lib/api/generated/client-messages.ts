// Made by `npm run types` from schemas/client-messages.json. Do not edit.

export type Message = AnswerUndo | AskHint | AskPlan | AskUndo | AskWhy | Ping | Play | Preview | Say | Undo;

export interface Shapes {
  Message?: Message;
  AnswerUndo?: AnswerUndo;
  AskHint?: AskHint;
  AskPlan?: AskPlan;
  AskUndo?: AskUndo;
  AskWhy?: AskWhy;
  Ping?: Ping;
  Play?: Play;
  Preview?: Preview;
  Say?: Say;
  Undo?: Undo;
}
/**
 * Answer such a question, named by the number of its entry. Who asked takes it back with `accept` false.
 */
export interface AnswerUndo {
  accept: boolean;
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  request: number;
  type: 'answer_undo';
}
export interface AskHint {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  type: 'hint';
}
/**
 * Which moves could this seat choose from, if it were its turn now?
 */
export interface AskPlan {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  type: 'plan';
}
/**
 * Ask the other people at the table to let one's last decision be taken back.
 */
export interface AskUndo {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  type: 'ask_undo';
}
/**
 * Which rule forbids this move? `ahead`: if it were this seat's turn now.
 */
export interface AskWhy {
  ahead?: boolean;
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  /**
   * A move in the game's notation.
   */
  move: string;
  type: 'why';
}
export interface Ping {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id?: string;
  type: 'ping';
}
/**
 * Make a move. With `decision` the move is refused as stale if that decision is no longer open.
 */
export interface Play {
  decision?: string | null;
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  /**
   * A move in the game's notation.
   */
  move: string;
  type: 'play';
}
/**
 * What would this move do and score, without doing it? `ahead`: if it were this seat's turn now.
 */
export interface Preview {
  ahead?: boolean;
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  /**
   * A move in the game's notation.
   */
  move: string;
  type: 'preview';
}
export interface Say {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  text: string;
  type: 'chat';
}
/**
 * Go back to one's last decision, where nobody need be asked.
 */
export interface Undo {
  /**
   * Chosen by the client; the answer carries it back.
   */
  id: string;
  type: 'undo';
}
