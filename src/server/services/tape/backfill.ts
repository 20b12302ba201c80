import type { WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { Tape } from '#ports/tape';
import type { TradePage, TradeSource } from '#ports/trade-source';
import type { Clock } from '#system/clock';
import { lostWithinFeed, noteWalk, readCoverage, type TradeCoverage, wantSpan } from './trade-coverage.js';
import { type TradeWalk, walkTrades } from './trade-walk.js';

export interface TapeBackfillDeps {
  readonly tape: Pick<Tape, 'addFills' | 'addRows' | 'progressOf' | 'saveProgress'>;
  readonly source: TradeSource;
  readonly clock: Clock;
}

/**
 * Whose trades: everybody's (as far back as the venue's feed goes), one market's, or one wallet's.
 */
export type BackfillTarget =
  | { readonly kind: 'feed' }
  | { readonly kind: 'market'; readonly condition: string }
  | { readonly kind: 'wallet'; readonly wallet: WalletAddress };

/** How far a backfill is; reported after every page. */
interface BackfillState {
  readonly target: BackfillTarget;
  readonly fromS: number;
  readonly toS: number;
  /** The walk under way is here; null before its first trade. */
  readonly reachedS: number | null;
  /** Of this run. */
  readonly pages: number;
  readonly fills: number;
  readonly skipped: number;
}

export interface BackfillOptions {
  /**
   * Begins the names of the job and of its segments: one for each that may run at the same time.
   */
  readonly job: string;
  /** Of this run; over it the rest waits for the next one. */
  readonly pagesMax?: number;
  readonly signal?: AbortSignal;
  readonly progress?: (state: BackfillState) => void;
  readonly isStored?: (fill: Fill) => boolean;
  readonly onAdded?: (fills: readonly Fill[]) => void;
}

export interface BackfillReport extends BackfillState {
  /**
   * Everything from `fromS` on is in the tape, or (if `endsS` is given) as much of it as the feed
   * has.
   */
  readonly complete: boolean;
  /** Where the venue's feed ends, if that is after `fromS`; null if it went all the way. */
  readonly endsS: number | null;
  /** Walks that wait for the next run. */
  readonly open: number;
  /** Stretches of time that could not be read as a whole; they are walked again later. */
  readonly lost: number;
}

/** A feed of ten million trades a day for a year; a run has to end some day. */
const PAGES_MAX = 5_000_000;

/**
 * Brings the trades of `fromS` to `toS` into the tape, newest first, and skips what earlier runs of
 * the same job brought. How far it came is kept in the tape after every page, so that a run that
 * was killed is gone on with by the next one. Rejects with an OutsideError; nothing is lost by it.
 */
export async function backfillTrades(
  deps: TapeBackfillDeps,
  target: BackfillTarget,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
  options: BackfillOptions,
): Promise<BackfillReport> {
  const nowS = Math.floor(deps.clock.nowMs() / 1_000);
  const job = jobName(options.job, target);
  let coverage = wantSpan(
    readCoverage(await deps.tape.progressOf(job), nowS),
    { from: fromS, to: Math.min(toS, nowS) },
    nowS,
  );
  let state: BackfillState = { target, fromS, toS, reachedS: null, pages: 0, fills: 0, skipped: 0 };

  const save = async (before: TradeWalk, walk: TradeWalk): Promise<void> => {
    coverage = noteWalk(coverage, walk, target.kind === 'feed', nowS);
    await deps.tape.saveProgress(job, coverage);
    state = {
      ...state,
      reachedS: walk.reachedS,
      pages: state.pages + 1,
      fills: state.fills + walk.fills - before.fills,
      skipped: state.skipped + walk.skipped - before.skipped,
    };
    options.progress?.(state);
  };

  for (const walk of coverage.open) {
    const pagesLeft = (options.pagesMax ?? PAGES_MAX) - state.pages;
    if (pagesLeft <= 0 || options.signal?.aborted) break;
    let last = walk;
    const saveNext = async (next: TradeWalk) => {
      await save(last, next);
      last = next;
    };
    const fetchPage = async (cursor: string | null) => {
      const page = await fetchFrom(deps.source, target, walk, cursor);
      // One short answer is no end of everybody's feed.
      const isDoubtful = target.kind === 'feed' && page.next === null;
      return isDoubtful ? fetchFrom(deps.source, target, walk, cursor) : page;
    };
    const { isStored, onAdded, signal } = options;
    await walkTrades({ tape: deps.tape, fetchPage, save: saveNext, isStored, onAdded }, job, walk, {
      pagesMax: pagesLeft,
      signal,
    });
  }
  return { ...state, ...outcomeOf(coverage, fromS) };
}

function outcomeOf(
  coverage: TradeCoverage,
  fromS: number,
): Pick<BackfillReport, 'complete' | 'endsS' | 'open' | 'lost'> {
  const { open, endsS } = coverage;
  const lost = lostWithinFeed(coverage);
  return {
    complete: open.length === 0 && lost.length === 0,
    open: open.length,
    lost: lost.length,
    endsS: endsS !== null && endsS > fromS ? endsS : null,
  };
}

function fetchFrom(
  source: TradeSource,
  target: BackfillTarget,
  { fromS, toS }: TradeWalk,
  cursor: string | null,
): Promise<TradePage> {
  switch (target.kind) {
    case 'feed':
      return source.fetchTrades(cursor);
    case 'market':
      return source.fetchMarketTrades(target.condition, { fromS, toS }, cursor);
    case 'wallet':
      return source.fetchWalletTrades(target.wallet, { fromS, toS }, cursor);
  }
}

function jobName(job: string, target: BackfillTarget): string {
  if (target.kind === 'feed') return job;
  return `${job}-${target.kind === 'market' ? target.condition : target.wallet}`;
}
