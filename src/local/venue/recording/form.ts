import type { MarketIds } from '../market/live-market.js';

/** More than this is not a recording for development: about a day of a busy market. */
export const RECORDED_FRAMES_MAX = 2_000_000;

/** One message of the market channel in its current wire form. */
export interface RecordedFrame {
  /**
   * The venue's clock; never goes back from one frame to the next, even if the recorded timestamps
   * do.
   */
  readonly atMs: number;
  readonly text: string;
}

/** A market that appears in a recording. */
export interface RecordedMarket {
  readonly slug: string;
  readonly ids: MarketIds;
  readonly outcomes: readonly [string, string];
}

/** A stretch of the market channel, as it was recorded. */
export interface Recording {
  readonly name: string;
  readonly markets: readonly RecordedMarket[];
  readonly frames: readonly RecordedFrame[];
  readonly bookFrames: number;
  readonly priceChangeFrames: number;
  /** Rows or lines that were torn and left out. */
  readonly skipped: number;
}

const TIME_MS = /^\d{1,13}$/;

/**
 * Returns a recorded time of the venue's clock, or null if it is none in milliseconds: one that is
 * torn, or of another unit, would play all that follows at once, or never.
 */
export function parseRecordedMs(text: string | undefined): number | null {
  return text !== undefined && TIME_MS.test(text) ? Number(text) : null;
}
