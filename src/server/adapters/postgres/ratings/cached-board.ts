import type { Pool } from 'pg';
import type { Board } from '#ports/ratings-store';
import type { Stopwatch } from '#system/stopwatch';
import { decodeBoard } from '../../rows/rating-rows.js';
import { fromDoc } from '../doc.js';
import { queryRows } from '../query.js';

/** How long a replica may go on with a board that another one has replaced. */
export const BOARD_CACHED_MS = 5_000;

/** The board in force, asked for every five seconds at most however many calls need it. */
export class CachedBoard {
  readonly #pool: Pool;
  readonly #stopwatch: Stopwatch;
  #cached: { readonly board: Board | null; readonly atMs: number } | null = null;
  #asking: Promise<Board | null> | null = null;
  /** Grows when what is under way may already be out of date. */
  #changes = 0;

  constructor(pool: Pool, stopwatch: Stopwatch) {
    this.#pool = pool;
    this.#stopwatch = stopwatch;
  }

  async read(): Promise<Board | null> {
    if (this.#cached !== null && this.#stopwatch.elapsedMs() - this.#cached.atMs < BOARD_CACHED_MS)
      return this.#cached.board;
    if (this.#asking !== null) return this.#asking;
    const asking = this.#queryRows().finally(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }

  /** This process has put a board in force. */
  put(board: Board): void {
    this.#changes++;
    this.#cached = { board, atMs: this.#stopwatch.elapsedMs() };
  }

  /** This run was met in the store: another board than the kept one is asked for anew. */
  noteRun(run: number | null): void {
    if (this.#cached !== null && (this.#cached.board?.run ?? null) !== run) this.expire();
  }

  /** The next one who reads gets the board as it is then. */
  expire(): void {
    this.#changes++;
    this.#asking = null;
    if (this.#cached !== null) this.#cached = { ...this.#cached, atMs: Number.NEGATIVE_INFINITY };
  }

  async #queryRows(): Promise<Board | null> {
    const [changes, atMs] = [this.#changes, this.#stopwatch.elapsedMs()];
    const cached = this.#cached?.board ?? null;
    // A board has long lists: it comes only if it is another one.
    const text = 'SELECT run, CASE WHEN run = $1 THEN NULL ELSE doc END AS doc FROM board';
    const [row] = await queryRows<{ run: number; doc: string | null }>(this.#pool, {
      text,
      values: [cached?.run ?? null],
    });
    const found = row === undefined ? null : row.doc === null ? cached : fromDoc('board', row.doc, decodeBoard);
    if (changes === this.#changes) this.#cached = { board: found, atMs };
    return found;
  }
}
