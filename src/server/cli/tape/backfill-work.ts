import type { TapeModule, TapeSources } from '#compose/tape';
import type { ProgressLine } from './progress.js';

/** What each way of fetching trades needs of the command. */
export interface BackfillWork {
  readonly module: TapeModule;
  readonly sources: TapeSources;
  /** In seconds. */
  readonly fromS: number;
  readonly toS: number;
  readonly shown: ProgressLine;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}
