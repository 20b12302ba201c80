import { LRUCache } from 'lru-cache';
import { OutsideError } from '#domain/errors';
import type { Tape } from '#ports/tape';
import type { MarketFacts } from '#ports/trade-source';
import type { Clock } from '#system/clock';
import { lruOptions } from '../lru-options.js';

export interface TapeMarketsDeps {
  readonly tape: Pick<Tape, 'addRows' | 'unknownConditions' | 'unresolvedConditions'>;
  readonly facts: MarketFacts;
  readonly clock: Clock;
  /** Conditions whose last question is remembered; over it the oldest may be asked again sooner. */
  readonly requestedMax?: number;
}

/** What one refresh did. */
interface MarketsRefresh {
  /** Markets that got their first row. */
  readonly described: number;
  /** Markets that got their payout vector. */
  readonly resolved: number;
  /** Conditions that the venue was asked for. */
  readonly asked: number;
  /** Conditions about which the last question failed, in this refresh or before. */
  readonly unasked: number;
  /** Conditions that were asked for in this refresh or before, these among them. */
  readonly everAsked: number;
}

export interface TapeMarkets {
  /**
   * Asks the venue for markets that the tape has fills of and no row, and for payouts of those that
   * should have ended; until nothing is left that was not asked a short while ago, or
   * `conditionsMax` were asked. Rejects with an OutsideError; what was learnt stays.
   */
  refresh(options?: {
    readonly conditionsMax?: number;
    readonly progress?: (refresh: MarketsRefresh) => void;
    readonly signal?: AbortSignal;
  }): Promise<MarketsRefresh>;
}

/** Conditions of one question to the adapter, which cuts it further. */
const CONDITIONS_PER_STEP = 200;
/** How long a condition is left alone that the venue did not know, or had no payout for. */
export const ASK_AGAIN_MS = 600_000;
/** The same of one about which a question failed. */
const TRY_AGAIN_MS = 60_000;
const REQUESTED_MAX = 100_000;

/** Returns what keeps the tape's markets complete. */
export function createTapeMarkets({ tape, facts, clock, requestedMax = REQUESTED_MAX }: TapeMarketsDeps): TapeMarkets {
  /** When a condition may be asked for again. */
  const dueAtMs = new LRUCache<string, number>(lruOptions(requestedMax));
  const failing = new LRUCache<string, true>(lruOptions(requestedMax));

  /**
   * The tape names those it lacks, also those that were just asked for: so as many more are listed
   * as were.
   */
  async function nextToAsk(list: (limit: number) => Promise<readonly string[]>): Promise<readonly string[]> {
    const listed = await list(CONDITIONS_PER_STEP + dueAtMs.size);
    const isDue = (condition: string) => clock.elapsedMs() >= (dueAtMs.get(condition) ?? Number.NEGATIVE_INFINITY);
    return listed.filter(isDue).slice(0, CONDITIONS_PER_STEP);
  }

  async function ask(conditions: readonly string[]): Promise<{ readonly found: number; readonly resolved: number }> {
    const { found, unasked } = await facts.fetchMarketFacts(conditions);
    const markets = [...found.values()];
    if (markets.length > 0) await tape.addRows('markets', markets);
    for (const condition of conditions) {
      const isFailing = unasked.has(condition);
      dueAtMs.set(condition, clock.elapsedMs() + (isFailing ? TRY_AGAIN_MS : ASK_AGAIN_MS));
      if (isFailing) failing.set(condition, true);
      else failing.delete(condition);
    }
    return { found: markets.length, resolved: markets.filter(({ payoutMicros }) => payoutMicros !== null).length };
  }

  const counts = () => ({ unasked: failing.size, everAsked: dueAtMs.size });

  return {
    // What is asked has to be remembered, or it would be asked for again and never come to an end.
    async refresh({ conditionsMax = requestedMax, progress, signal } = {}) {
      let done: MarketsRefresh = { described: 0, resolved: 0, asked: 0, ...counts() };
      const nowS = Math.floor(clock.nowMs() / 1_000);
      const lists = [
        { isNew: true, list: (limit: number) => tape.unknownConditions(limit) },
        { isNew: false, list: (limit: number) => tape.unresolvedConditions(nowS, limit) },
      ];
      for (const { isNew, list } of lists) {
        while (done.asked < conditionsMax && !signal?.aborted) {
          const conditions = (await nextToAsk(list)).slice(0, conditionsMax - done.asked);
          if (conditions.length === 0) break;
          const { found, resolved } = await ask(conditions);
          done = {
            described: done.described + (isNew ? found : 0),
            resolved: done.resolved + resolved,
            asked: done.asked + conditions.length,
            ...counts(),
          };
          progress?.(done);
        }
      }
      return done;
    },
  };
}

/**
 * More than these, and one in so many of all that were asked about, are no oddities of single
 * markets, but an outage of the venue.
 */
export const UNASKED_MAX = 50;
const UNASKED_ONE_IN = 20;

/**
 * Refreshes the markets for a board. Rejects with a retryable OutsideError while the venue cannot
 * be asked about many of them: a board without their results would be wrong for a day.
 */
export async function refreshForBoard(markets: TapeMarkets, signal?: AbortSignal): Promise<void> {
  const { unasked, everAsked } = await markets.refresh(signal ? { signal } : {});
  if (unasked <= UNASKED_MAX || unasked * UNASKED_ONE_IN <= everAsked) return;
  const why = `questions about ${unasked} markets failed; the board is made when the venue answers`;
  throw new OutsideError('markets', why, { failure: 'retryable' });
}
