import type { Level } from '#domain/book/book';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import type { WireLevel } from '../frames/frames.js';
import { type BookView, MIN_ORDER_SIZE, mirrored, tradePriceText } from '../market/book-view.js';
import { Ladder } from '../market/ladder.js';
import type { MarketBooks, MarketIds } from '../market/live-market.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import type { PlayableFrame } from './recorded-frames.js';

/** The book of one outcome of a recorded market. */
interface ReplayedBook {
  readonly ladder: Ladder;
  timestampMs: number;
}

/**
 * The books of a recorded market, as far as the recording has been played. Each outcome has the
 * book that was recorded for it; where none was (a recorder that listened to one token), it is
 * shown as the mirror of the other.
 */
export class ReplayBooks implements MarketBooks {
  readonly #ids: MarketIds;
  tickSize = '0.01';
  #lastTradePrice = '';
  readonly #books: [ReplayedBook | null, ReplayedBook | null] = [null, null];

  constructor(ids: MarketIds) {
    this.#ids = ids;
  }

  outcomeOf(tokenId: string): OutcomeIndex | null {
    const [first, second] = this.#ids.tokenIds;
    return tokenId === first ? 0 : tokenId === second ? 1 : null;
  }

  /**
   * Plays one message into the books, at this venue time. Returns the old price step where the
   * message refined it.
   */
  apply(frame: PlayableFrame, timestampMs: number): { readonly oldTickSize: string } | null {
    const oldTickSize = this.tickSize;
    if (frame.event_type === 'book') this.#applyBook(frame, timestampMs);
    else if (frame.event_type === 'price_change') this.#applyChanges(frame, timestampMs);
    else if (frame.event_type === 'tick_size_change') this.tickSize = frame.new_tick_size;
    else this.#lastTradePrice = frame.price;
    return this.tickSize === oldTickSize || frame.event_type === 'tick_size_change' ? null : { oldTickSize };
  }

  view(outcome: OutcomeIndex): BookView {
    const own = this.#books[outcome];
    const other = this.#books[outcome === 0 ? 1 : 0];
    return {
      conditionId: this.#ids.conditionId,
      tokenId: this.#ids.tokenIds[outcome],
      timestampMs: own?.timestampMs ?? other?.timestampMs ?? 0,
      bidsAscending: own?.ladder.bids ?? mirrored(other?.ladder.asks ?? []),
      asksDescending: own?.ladder.asks ?? mirrored(other?.ladder.bids ?? []),
      minOrderSize: MIN_ORDER_SIZE,
      tickSize: this.tickSize,
      negRisk: false,
      lastTradePrice: this.#lastTradePrice,
    };
  }

  #applyBook(frame: Extract<PlayableFrame, { event_type: 'book' }>, timestampMs: number): void {
    const outcome = this.outcomeOf(frame.asset_id);
    if (outcome === null) return;
    const ladder = this.#books[outcome]?.ladder ?? new Ladder();
    ladder.replace(levelsOf(frame.bids), levelsOf(frame.asks));
    this.#books[outcome] = { ladder, timestampMs };
    if (frame.tick_size !== undefined) this.tickSize = frame.tick_size;
    else this.#refineFor([...ladder.bids, ...ladder.asks]);
    if (frame.last_trade_price !== undefined) this.#lastTradePrice = frame.last_trade_price;
    else if (this.#lastTradePrice === '') this.#lastTradePrice = guessedTradePrice(ladder);
  }

  #applyChanges(frame: Extract<PlayableFrame, { event_type: 'price_change' }>, timestampMs: number): void {
    for (const entry of frame.price_changes) {
      const outcome = this.outcomeOf(entry.asset_id);
      const book = outcome === null ? null : this.#books[outcome];
      const [level] = levelsOf([entry]);
      if (book === null || level === undefined) continue;
      book.ladder.set(entry.side, level.priceTicks, level.sizeMicros);
      book.timestampMs = timestampMs;
      this.#refineFor([level]);
    }
  }

  /**
   * Recorders keep no tick_size_change: a price off the coarse grid shows that the step had
   * changed.
   */
  #refineFor(levels: readonly Level[]): void {
    if (this.tickSize === '0.01' && levels.some((level) => level.priceTicks % 100 !== 0)) this.tickSize = '0.001';
  }
}

function levelsOf(levels: readonly WireLevel[]): Level[] {
  return levels.flatMap(({ price, size }) => {
    const [priceTicks, sizeMicros] = [parsePriceTicks(price), parseSizeMicros(size)];
    return priceTicks === null || sizeMicros === null ? [] : [{ priceTicks, sizeMicros }];
  });
}

/**
 * The hash covers a last trade price, and these recordings have none: the middle of the first book
 * stands in.
 */
function guessedTradePrice(ladder: Ladder): string {
  const middle = ((ladder.best('BUY')?.priceTicks ?? 0) + (ladder.best('SELL')?.priceTicks ?? 10_000)) / 2;
  return tradePriceText(Math.round(middle / 10) * 10);
}
