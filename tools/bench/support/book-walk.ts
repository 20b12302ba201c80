import type { BookSnapshot, Level } from '#domain/book/book';
import { BookTable } from '#domain/book/book-table';
import { Ladder } from '#domain/book/ladder';
import { OrderBook } from '#domain/book/order-book';
import type { Side } from '#domain/market';
import { opposite, type PriceChangeEntry, type PriceChangeFrame } from '#local/venue/frames/frames';
import { priceText, sizeText } from '#local/venue/market/book-view';
import { idsFromSlug, type MarketIds } from '#local/venue/market/live-market';
import { between, chance, pick, seededRandom } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';

/** The same seed gives the same books and frames on every machine. */
export const SEED = 20260714;
const LEVELS_A_SIDE = 40;
const STARTED_AT_MS = 1_784_000_000_000;
/** Price step of the walked markets: 0.001 USD. */
const STEP_TICKS = 10;

/**
 * Books of both tokens of some markets, and frames in the venue's current form that change them.
 */
export interface BookWalk {
  readonly snapshots: readonly BookSnapshot[];
  /** Texts of `price_change`, each with one change of either token. */
  readonly frames: readonly string[];
}

/** Lets the books of some markets walk for so many frames. */
export function walkBooks(marketCount: number, frameCount: number): BookWalk {
  const random = seededRandom(SEED);
  const markets = Array.from({ length: marketCount }, (_, i) => new WalkedMarket(idsFromSlug(`walk-${i}`), random));
  const snapshots = markets.flatMap((market) => market.snapshots());
  const next = (i: number) => JSON.stringify(pick(random, markets as [WalkedMarket]).step(STARTED_AT_MS + i));
  return { snapshots, frames: Array.from({ length: frameCount }, (_, i) => next(i)) };
}

/** Returns a table of books as they stood before the walk. */
export function openTable(snapshots: Iterable<BookSnapshot>): BookTable {
  const table = new BookTable();
  for (const snapshot of snapshots) {
    const book = new OrderBook(snapshot.tokenId, snapshot.conditionId);
    book.applySnapshot(snapshot, snapshot.timestampMs);
    table.add(book);
  }
  return table;
}

/**
 * Returns a book of the given price step around a random middle, every level of it within reach of
 * the best.
 */
export function randomSnapshot(
  random: Random,
  { conditionId, tokenIds }: MarketIds,
  stepTicks: number,
): BookSnapshot & { readonly bids: Level[]; readonly asks: Level[] } {
  const middle = between(random, 300, 700) * 10;
  const levels = (direction: 1 | -1) =>
    Array.from({ length: LEVELS_A_SIDE }, (_, depth) => ({
      priceTicks: middle + direction * stepTicks * (depth + 1),
      sizeMicros: randomSize(random),
    })).reverse();
  const fields = { minOrderSize: '5', tickSize: priceText(stepTicks), negRisk: false, lastTradePrice: '0.5' };
  const clock = { timestampMs: STARTED_AT_MS, hash: null };
  return { tokenId: tokenIds[0], conditionId, bids: levels(-1), asks: levels(1), ...clock, ...fields };
}

/** Returns 0.01 to 5,000 shares, in cents of a share as most sizes of the venue are. */
export function randomSize(random: Random): number {
  return between(random, 1, 500_000) * 10_000;
}

/**
 * A market whose orders come and go near the best prices. Kept in prices of its first token; the
 * second is the mirror.
 */
class WalkedMarket {
  readonly #ids: MarketIds;
  readonly #random: Random;
  readonly #bids = new Ladder('bids');
  readonly #asks = new Ladder('asks');
  readonly #first: BookSnapshot;

  constructor(ids: MarketIds, random: Random) {
    this.#ids = ids;
    this.#random = random;
    this.#first = randomSnapshot(random, ids, STEP_TICKS);
    this.#bids.replace(this.#first.bids);
    this.#asks.replace(this.#first.asks);
  }

  snapshots(): BookSnapshot[] {
    const first = this.#first;
    return [first, { ...first, tokenId: this.#ids.tokenIds[1], bids: mirror(first.asks), asks: mirror(first.bids) }];
  }

  step(atMs: number): PriceChangeFrame {
    const side: Side = chance(this.#random, 0.5) ? 'BUY' : 'SELL';
    const level = this.#nextLevel(side === 'BUY' ? this.#bids : this.#asks);
    const market = this.#ids.conditionId;
    const price_changes = [
      this.#entry(0, side, level),
      this.#entry(1, opposite(side), ...(mirror([level]) as [Level])),
    ];
    return { market, price_changes, timestamp: String(atMs), event_type: 'price_change' };
  }

  /**
   * Most changes touch one of the best few levels; the number of levels stays about what it was.
   */
  #nextLevel(ladder: Ladder): Level {
    const random = this.#random;
    const depth = Math.floor(8 * random.next() * random.next());
    const isNew = ladder.length < LEVELS_A_SIDE && chance(random, 0.6);
    const priceTicks = isNew ? this.#freePrice(ladder) : ladder.ticksAt(depth);
    const isGone = !isNew && ladder.length > LEVELS_A_SIDE - 4 && chance(random, 0.3);
    const level = { priceTicks, sizeMicros: isGone ? 0 : randomSize(random) };
    ladder.set(level.priceTicks, level.sizeMicros);
    return level;
  }

  /**
   * A price nobody quotes: inside the spread where there is room, else the first gap, else behind
   * the last level.
   */
  #freePrice(ladder: Ladder): number {
    const away = ladder === this.#bids ? -STEP_TICKS : STEP_TICKS;
    const better = ladder.ticksAt(0) - away;
    if (better > this.#bids.bestTicks! && better < this.#asks.bestTicks! && chance(this.#random, 0.5)) return better;
    let depth = 0;
    while (depth + 1 < ladder.length && ladder.ticksAt(depth) + away === ladder.ticksAt(depth + 1)) depth++;
    return ladder.ticksAt(depth) + away;
  }

  #entry(outcome: 0 | 1, side: Side, level: Level): PriceChangeEntry {
    const bid = outcome === 0 ? this.#bids.bestTicks! : 10_000 - this.#asks.bestTicks!;
    const ask = outcome === 0 ? this.#asks.bestTicks! : 10_000 - this.#bids.bestTicks!;
    return {
      asset_id: this.#ids.tokenIds[outcome],
      price: priceText(level.priceTicks),
      size: sizeText(level.sizeMicros),
      side,
      hash: Buffer.from(this.#random.bytes(20)).toString('hex'),
      best_bid: priceText(bid),
      best_ask: priceText(ask),
    };
  }
}

function mirror(levels: readonly Level[]): Level[] {
  return levels.map(({ priceTicks, sizeMicros }) => ({ priceTicks: 10_000 - priceTicks, sizeMicros }));
}
