import type { Level } from '#domain/book/book';
import type { Side } from '#domain/market';
import type { Random } from '#system/random';
import {
  bestBidAskFrame,
  bookFrame,
  type ChannelFrame,
  type LastTradeFrame,
  opposite,
  priceChangeEntry,
  tickSizeFrame,
} from '../frames/frames.js';
import { type BookView, hashOf, ONE_USD_TICKS, sizeText, tradePriceText } from '../market/book-view.js';
import type { LiveMarket } from '../market/live-market.js';
import type { LevelSet, Quoting } from '../market/quoting.js';
import { chance } from '../market/seeded-random.js';
import type { Tape } from '../market/tape.js';
import { filledMicros, letSomeoneTrade, priceFor, sideTakenBy, type Trade, tapeRows } from './trading.js';

/** Of the first outcome and of the second. */
type Pair<T> = readonly [T, T];

/**
 * One simulated market at work: its market maker acts, its book changes, and the channel hears of
 * it.
 */
export class Exchange {
  readonly #random: Random;
  readonly #tape: Tape;
  readonly #publish: (frame: ChannelFrame) => void;

  constructor(
    readonly market: LiveMarket,
    readonly quoting: Quoting,
    random: Random,
    tape: Tape,
    publish: (frame: ChannelFrame) => void,
  ) {
    this.#random = random;
    this.#tape = tape;
    this.#publish = publish;
  }

  /**
   * Lets the next thing happen, at this time, and publishes it. Does nothing once the market has no
   * book.
   */
  step(nowMs: number): void {
    if (!this.market.hasBook) return;
    const action = this.quoting.next();
    let trade: Trade | null = null;
    if (action.kind === 'levels') this.#changeLevels(action.changes, nowMs);
    else if (action.kind === 'tick_size') this.#refineTickSize(nowMs);
    else trade = this.#trade(nowMs);
    this.afterStep?.(trade);
  }

  /** Is told of each step, and of the trade in it, by whoever has orders of its own in the book. */
  afterStep: ((trade: Trade | null) => void) | null = null;

  /** Adds to a level of the first outcome's book, or takes away from it, and publishes it. */
  addTo(side: Side, priceTicks: number, micros: number, nowMs: number): void {
    const size = this.quoting.book.ladder.sizeAt(side, priceTicks);
    this.#changeLevels([{ side, priceTicks, sizeMicros: Math.max(0, size + micros) }], nowMs);
  }

  /**
   * Takes what the trade met out of the book, and publishes it as every trade. Returns the hash of
   * its transaction.
   */
  take(trade: Trade, nowMs: number): string {
    const { ladder } = this.quoting.book;
    const topBefore = this.#top();
    const eats = sideTakenBy(trade);
    for (const { priceTicks, sizeMicros } of trade.fills) {
      ladder.set(eats, priceTicks, Math.max(0, ladder.sizeAt(eats, priceTicks) - sizeMicros));
    }
    return this.#report(trade, topBefore, nowMs);
  }

  /**
   * A batch is sent as the venue sends it: one frame per level, all with one timestamp and, per
   * token, one hash, which is that of the book after the last of them. Tops are those after each
   * single change.
   */
  #changeLevels(changes: readonly LevelSet[], nowMs: number): void {
    const { book } = this.quoting;
    const topBefore = this.#top();
    const timestampMs = book.nextTimestampMs(nowMs);
    const states = changes.map((change) => {
      book.ladder.set(change.side, change.priceTicks, change.sizeMicros);
      return { change, views: [frozen(book.view(0)), frozen(book.view(1))] as const };
    });
    const hashes = [hashOf(book.view(0)), hashOf(book.view(1))] as const;
    for (const { change, views } of states) {
      this.#publish({ ...this.#changeOf(change, views, hashes, timestampMs), event_type: 'price_change' });
    }
    this.#publishTopIfMoved(topBefore);
  }

  /** A change of one level, as the books of both tokens have it. */
  #changeOf(change: LevelSet, views: Pair<BookView>, hashes: Pair<string>, timestampMs: number) {
    const mirror: Level = { ...change, priceTicks: ONE_USD_TICKS - change.priceTicks };
    return {
      market: this.market.ids.conditionId,
      price_changes: [
        priceChangeEntry(views[0], change.side, change, hashes[0]),
        priceChangeEntry(views[1], opposite(change.side), mirror, hashes[1]),
      ],
      timestamp: String(timestampMs),
    };
  }

  #refineTickSize(nowMs: number): void {
    const { book } = this.quoting;
    const old = book.tickSize;
    book.tickSize = '0.001';
    book.nextTimestampMs(nowMs);
    for (const outcome of [0, 1] as const) this.#publish(tickSizeFrame(book.view(outcome), old));
  }

  /**
   * A trade is sent as last_trade_price and both books; what it ate appears in price_change only
   * where a fault says so.
   */
  #trade(nowMs: number): Trade | null {
    const topBefore = this.#top();
    const trade = letSomeoneTrade(this.quoting, this.#random);
    if (trade !== null) this.#report(trade, topBefore, nowMs);
    return trade;
  }

  #report(trade: Trade, topBefore: string, nowMs: number): string {
    const { book } = this.quoting;
    const timestampMs = book.nextTimestampMs(nowMs);
    book.lastTradePrice = tradePriceText(trade.fills.at(-1)?.priceTicks ?? 0);
    const transactionHash = this.#tape.nextTransactionHash();
    this.#tape.add(tapeRows(trade, this.market, timestampMs, transactionHash));
    this.#publishTaken(trade, timestampMs);
    const books = [bookFrame(book.view(0)), bookFrame(book.view(1))];
    const last = this.#lastTradeFrame(trade, timestampMs, transactionHash);
    const ordered = chance(this.#random, 0.15) ? [...books, last] : [last, ...books];
    for (const frame of ordered) this.#publish(frame);
    this.#publishTopIfMoved(topBefore);
    return transactionHash;
  }

  /** What the trade met, as it is now: less of it, nothing, or what was left of the order. */
  #publishTaken(trade: Trade, timestampMs: number): void {
    const { book } = this.quoting;
    const views = [book.view(0), book.view(1)] as const;
    const hashes = [hashOf(views[0]), hashOf(views[1])] as const;
    for (const { priceTicks } of trade.fills) {
      for (const side of ['BUY', 'SELL'] as const) {
        const change = { side, priceTicks, sizeMicros: book.ladder.sizeAt(side, priceTicks) };
        this.#publish({ ...this.#changeOf(change, views, hashes, timestampMs), event_type: 'trade_changes' });
      }
    }
  }

  #lastTradeFrame(trade: Trade, timestampMs: number, transactionHash: string): LastTradeFrame {
    const { ids, spec } = this.market;
    return {
      market: ids.conditionId,
      asset_id: ids.tokenIds[trade.outcome],
      price: tradePriceText(priceFor(trade.outcome, trade.fills.at(-1)?.priceTicks ?? 0)),
      size: sizeText(filledMicros(trade)),
      fee_rate_bps: spec.fee === null ? '' : '0',
      side: trade.side,
      timestamp: String(timestampMs),
      event_type: 'last_trade_price',
      transaction_hash: transactionHash,
    };
  }

  #top(): string {
    const { ladder } = this.quoting.book;
    return `${ladder.best('BUY')?.priceTicks}/${ladder.best('SELL')?.priceTicks}`;
  }

  #publishTopIfMoved(before: string): void {
    if (this.#top() === before) return;
    for (const outcome of [0, 1] as const) this.#publish(bestBidAskFrame(this.quoting.book.view(outcome)));
  }
}

/**
 * The first outcome's view shares the live arrays; a batch needs its tops as they were after each
 * change.
 */
function frozen(view: BookView): BookView {
  return { ...view, bidsAscending: view.bidsAscending.slice(-1), asksDescending: view.asksDescending.slice(-1) };
}
