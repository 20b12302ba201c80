import { edgeEvidence } from '../rate-pool.js';
import type { RatingConfig } from '../rating-config.js';
import type { PoolSums } from '../rating-sums.js';
import { type EdgeEvidence, STRENGTH } from './edge-grid.js';

/** Wallets of which about the same is seen. */
export interface EdgeCell extends EdgeEvidence {
  readonly wallets: number;
}

/** Cells are half a cent wide, and standard errors in one differ by a tenth. */
const MEAN_STEP = 0.005;
const ERROR_STEP = Math.log(1.1);
/** What lies beyond counts as here, so that the number of cells is bounded. */
const MEAN_MAX = 0.5;
const ERROR_MIN = 0.005;
const ERROR_MAX = 0.5;

/**
 * Counts what is seen of the wallets of a board, in cells: counts depend neither on the order of
 * the wallets nor on how many are held at once.
 */
export class EdgeTally {
  readonly #config: RatingConfig;
  readonly #cells = new Map<string, EdgeCell>();

  constructor(config: RatingConfig) {
    this.#config = config;
  }

  /** `window`: the sums of a wallet over all 90 days. */
  add(window: PoolSums): void {
    const evidence = window.entries < STRENGTH.entriesMin ? null : edgeEvidence(window, this.#config);
    if (evidence === null) return;
    const meanNo = Math.round(clamp(evidence.mean, -MEAN_MAX, MEAN_MAX) / MEAN_STEP);
    const errorNo = Math.round(Math.log(clamp(evidence.standardError, ERROR_MIN, ERROR_MAX)) / ERROR_STEP);
    const key = `${errorNo} ${meanNo}`;
    const wallets = (this.#cells.get(key)?.wallets ?? 0) + 1;
    this.#cells.set(key, { mean: meanNo * MEAN_STEP, standardError: Math.exp(errorNo * ERROR_STEP), wallets });
  }

  /** In one order, whatever the wallets came in. */
  cells(): readonly EdgeCell[] {
    return [...this.#cells].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
