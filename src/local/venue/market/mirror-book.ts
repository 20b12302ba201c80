import type { Level } from '#domain/book/book';
import { type BookFields, type BookView, MIN_ORDER_SIZE, mirrored, ONE_USD_TICKS, stepTicksOf } from './book-view.js';
import { Ladder } from './ladder.js';
import type { MarketBooks, MarketIds } from './live-market.js';
import type { OutcomeIndex, TickSize } from './market-spec.js';

/**
 * The one set of orders of a simulated market, kept in prices of the first outcome.
 * The second outcome's book is its exact mirror, as on the venue: one order, two ways to see it.
 */
export class MirrorBook implements MarketBooks {
  readonly #ids: MarketIds;
  readonly #negRisk: boolean;
  readonly ladder = new Ladder();
  lastTradePrice = '';

  constructor(
    ids: MarketIds,
    negRisk: boolean,
    public tickSize: TickSize,
    public timestampMs: number,
  ) {
    this.#ids = ids;
    this.#negRisk = negRisk;
  }

  /** One price step in ticks. */
  get stepTicks(): number {
    return stepTicksOf(this.tickSize);
  }

  /**
   * Returns the middle of best bid and best ask; an empty side counts as one step from the other.
   */
  get midTicks(): number {
    const bid = this.ladder.best('BUY')?.priceTicks;
    const ask = this.ladder.best('SELL')?.priceTicks;
    if (bid !== undefined && ask !== undefined) return (bid + ask) / 2;
    return (bid ?? (ask ?? ONE_USD_TICKS) - this.stepTicks) + this.stepTicks / 2;
  }

  /**
   * Returns the venue time of the next change. It always grows, so that two changes never share a
   * timestamp by accident.
   */
  nextTimestampMs(nowMs: number): number {
    this.timestampMs = Math.max(nowMs, this.timestampMs + 1);
    return this.timestampMs;
  }

  view(outcome: OutcomeIndex): BookView {
    const { bids, asks } = this.ladder;
    if (outcome === 0) return this.#viewOf(outcome, bids, asks);
    return this.#viewOf(outcome, mirrored(asks), mirrored(bids));
  }

  #viewOf(outcome: OutcomeIndex, bidsAscending: Level[], asksDescending: Level[]): BookView {
    const fields: BookFields = {
      conditionId: this.#ids.conditionId,
      tokenId: this.#ids.tokenIds[outcome],
      timestampMs: this.timestampMs,
      minOrderSize: MIN_ORDER_SIZE,
      tickSize: this.tickSize,
      negRisk: this.#negRisk,
      lastTradePrice: this.lastTradePrice,
    };
    return { ...fields, bidsAscending, asksDescending };
  }
}
