/**
 * A puzzle as a table with one decision: boards, gestures and previews are those of a table. A move is not made: it is the
 * answer, and the engine judges it.
 */
import { api } from '../api/http';
import type { Preview, Puzzle, PuzzleVerdict, TableInfo } from '../api/types';
import { TableSession } from '../tableSession.svelte';

function tableOf(puzzle: Puzzle, id: string, me: string): TableInfo {
  return {
    id,
    game: puzzle.game,
    title: puzzle.title,
    state: 'playing',
    seats: puzzle.names.map((name, seat) => ({
      seat,
      kind: 'person',
      name: seat === puzzle.seat ? me : name,
      mine: seat === puzzle.seat,
      person: null,
      bot: null,
      once: false,
      why: '',
    })),
    badges: true,
    hints: 'off',
    takebacks: 'off',
    clock: { kind: 'none' },
    created: 0,
    started: 0,
    finished: null,
    host: '',
    hosting: false,
    imported: false,
    invite: null,
    options: {},
    outcome: null,
    private: true,
    updated: 0,
    goes_on: false,
    rated: false,
    rematch: null,
    scores: puzzle.view.scores,
    seed: null,
    seed_hash: '',
    version: 0,
    waiting: puzzle.view.due,
  };
}

export class PuzzleSession extends TableSession {
  readonly puzzle: Puzzle;
  /** What the engine said about the last move that was tried. */
  verdict: PuzzleVerdict | null = $state.raw(null);
  /** Called with every verdict. */
  onVerdict: (verdict: PuzzleVerdict) => void = () => undefined;

  constructor(puzzle: Puzzle, me: string) {
    // Nobody else is at this table, as at one on the device.
    super(`local-puzzle-${puzzle.game}-${puzzle.date}`, null);
    this.puzzle = puzzle;
    this.table = tableOf(puzzle, this.id, me);
    this.seat = puzzle.seat;
    this.view = puzzle.view;
    this.legal = puzzle.legal;
    this.decision = { id: 'puzzle', due: true };
    this.status = 'live';
  }

  override async play(move: string): Promise<void> {
    const verdict = await api.tryPuzzle(this.puzzle, move);
    this.verdict = verdict;
    this.decision = { id: 'puzzle', due: false };
    this.onVerdict(verdict);
  }

  override async preview(move: string): Promise<Preview> {
    return { ...(await api.previewPuzzleMove(this.puzzle, move)), type: 'preview', id: '' };
  }

  override async refusalFor(move: string): Promise<string | null> {
    const { refusal } = await api.whyPuzzleMove(this.puzzle, move);
    return refusal === null ? null : this.text(refusal);
  }
}
