import type { Level } from '#domain/book/book';
import type { ConditionId, TokenId } from '#domain/ids';
import { bookHash } from '#wire/polymarket/book-hash';

type Side = 'BUY' | 'SELL';

/** The venue's own book of one token: what it says of each change, with the hash that fits. */
export class VenueBook {
  readonly #levels: Record<Side, Map<number, number>> = {
    BUY: new Map([
      [4_800, 30_000_000],
      [4_900, 20_000_000],
    ]),
    SELL: new Map([
      [5_100, 40_000_000],
      [5_200, 50_000_000],
    ]),
  };
  timestampMs = 1_000;
  lastTradePrice = '0.490';
  tickSize = '0.01';

  constructor(
    readonly tokenId: TokenId,
    readonly conditionId: ConditionId,
  ) {}

  /** The whole book; `dump`: as it answers a subscription. */
  book(dump = false): object {
    const { tickSize, lastTradePrice } = this;
    return {
      event_type: 'book',
      ...this.#heading(),
      hash: this.hash,
      bids: this.levels('BUY').map(toWire),
      asks: this.levels('SELL').map(toWire),
      // The real channel leaves out two of these; a test of hashes needs all.
      ...(dump ? { tick_size: tickSize, last_trade_price: lastTradePrice, min_order_size: '5', neg_risk: false } : {}),
    };
  }

  /** Changes a level and tells of it. */
  change(atMs: number, priceTicks: number, sizeMicros: number, side: Side = 'BUY'): object {
    this.set(atMs, priceTicks, sizeMicros, side);
    const change = { ...toWire({ priceTicks, sizeMicros }), side, hash: this.hash, best_bid: '', best_ask: '' };
    const { market, asset_id, timestamp } = this.#heading();
    return { event_type: 'price_change', market, timestamp, price_changes: [{ asset_id, ...change }] };
  }

  /** Changes a level without a word. */
  set(atMs: number, priceTicks: number, sizeMicros: number, side: Side = 'BUY'): void {
    this.timestampMs = atMs;
    if (sizeMicros === 0) this.#levels[side].delete(priceTicks);
    else this.#levels[side].set(priceTicks, sizeMicros);
  }

  /** Takes from the best ask, without a word. */
  trade(atMs: number, price: string): void {
    const [priceTicks, sizeMicros] = [...this.#levels.SELL].sort(([a], [b]) => a - b)[0]!;
    this.set(atMs, priceTicks, sizeMicros - 1_000_000, 'SELL');
    this.lastTradePrice = price;
  }

  /** The announcement of a trade. */
  announcement(atMs: number, price: string): object {
    const about = { ...this.#heading(), timestamp: String(atMs) };
    return { event_type: 'last_trade_price', ...about, price, size: '1', side: 'BUY', fee_rate_bps: '0' };
  }

  tickAnnouncement(): object {
    return { event_type: 'tick_size_change', ...this.#heading(), new_tick_size: this.tickSize };
  }

  get hash(): string {
    const { tokenId, conditionId, timestampMs, lastTradePrice, tickSize } = this;
    const about = { tokenId, conditionId, timestampMs, lastTradePrice, tickSize, minOrderSize: '5', negRisk: false };
    return bookHash({ ...about, bidsAscending: this.levels('BUY'), asksDescending: this.levels('SELL') })!;
  }

  #heading() {
    return { market: this.conditionId, asset_id: this.tokenId, timestamp: String(this.timestampMs) };
  }

  /** The levels of a side, the best last. */
  levels(side: Side): Level[] {
    const sign = side === 'BUY' ? 1 : -1;
    return [...this.#levels[side]]
      .sort(([a], [b]) => sign * (a - b))
      .map(([priceTicks, sizeMicros]) => ({ priceTicks, sizeMicros }));
  }
}

function toWire({ priceTicks, sizeMicros }: Level) {
  return { price: String(priceTicks / 1e4), size: String(sizeMicros / 1e6) };
}
