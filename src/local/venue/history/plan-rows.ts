import type { Side } from '#domain/market';
import type { Random } from '#system/random';
import { hash32 } from '../market/deterministic-ids.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import { between, chance, seededRandom, seedFor } from '../market/seeded-random.js';
import type { TapeRow } from '../market/tape-rows.js';
import type { VenueWallet } from '../market/wallets.js';
import { HOUR_S } from './calendar.js';
import type { PlannedEntry } from './choose-entries.js';
import { type PlannedMarket, plannedPrice } from './planned-market.js';
import { MARKET_MAKERS } from './roles.js';

/**
 * One side of one fill of the past; the row of the tape without its market, which is listed later.
 */
export interface PlannedRow extends Omit<TapeRow, 'market'> {
  readonly market: PlannedMarket;
}

/** How often the past is untidy, per entry. See docs/ratings.md, "Generated worlds". */
const MESS = {
  makerToo: 0.6,
  restingOrder: 0.3,
  splitOrder: 0.25,
  secondClipSameSecond: 0.05,
  laterClip: 0.25,
  tinyProbe: 0.08,
  soldLater: 0.15,
  soldBefore: 0.01,
  repeated: 0.02,
} as const;

/** Leaderboard entries begin at 10 shares, so an entry has a few more. */
const SHARES_MIN = 12;

/**
 * Returns the rows of one entry: its order, the maker's side of it, and now and then what makes
 * real tapes untidy.
 */
export function rowsOfEntry(wallet: VenueWallet, entry: PlannedEntry, seed: number): PlannedRow[] {
  const random = seededRandom(seedFor(seed, `rows:${wallet.name}:${entry.market.spec.slug}:${entry.outcome}`));
  const writer = new RowWriter(wallet, entry, random);
  const shares = Math.max(SHARES_MIN, cents(entry.usd / entry.price));
  if (chance(random, MESS.soldBefore)) writer.order('SELL', 40, entry.atS - between(random, 60, 900));
  if (chance(random, MESS.tinyProbe))
    writer.order('BUY', cents(1 + 3 * random.next()), entry.atS - between(random, 10, 300));
  writer.order('BUY', shares, entry.atS);
  if (chance(random, MESS.secondClipSameSecond)) writer.order('BUY', cents(shares / 2), entry.atS, 0.01);
  if (chance(random, MESS.laterClip))
    writer.order('BUY', cents(shares * random.next() + 5), entry.atS + between(random, 300, 10 * HOUR_S));
  if (chance(random, MESS.soldLater))
    writer.order('SELL', cents(shares * random.next() + 5), entry.atS + between(random, 2 * HOUR_S, 30 * HOUR_S));
  return writer.rows;
}

/** A wallet buys a combo with one entry of so many. */
const ENTRIES_PER_COMBO = 12;

/** Returns the combos that a wallet buys beside its entries. */
export function combosOf(wallet: VenueWallet, entries: readonly PlannedEntry[]): PlannedRow[] {
  return entries
    .filter((_, n) => n % ENTRIES_PER_COMBO === 0)
    .map(({ market, outcome, price, atS }) => ({
      wallet,
      market,
      outcome,
      side: 'BUY',
      shares: SHARES_MIN,
      price: cents(price / 2),
      timestampS: atS + 30,
      transactionHash: hash32(`combo:${wallet.name}:${market.spec.slug}:${outcome}`),
      taker: true,
      isCombo: true,
    }));
}

class RowWriter {
  readonly #wallet: VenueWallet;
  readonly #entry: PlannedEntry;
  readonly #random: Random;
  readonly rows: PlannedRow[] = [];
  #orders = 0;

  constructor(wallet: VenueWallet, entry: PlannedEntry, random: Random) {
    this.#wallet = wallet;
    this.#entry = entry;
    this.#random = random;
  }

  /**
   * Writes an order of the wallet at the price of that moment, unless the market is not open then.
   */
  order(side: Side, shares: number, atS: number, worseBy = 0): void {
    const { market, outcome } = this.#entry;
    if (atS <= market.startS || atS >= market.closeS) return;
    const random = this.#random;
    const price = Math.min(cents(plannedPrice(market, outcome, atS) * 10 + worseBy * 10) / 10, 0.999);
    const transactionHash = hash32(`past:${this.#wallet.name}:${market.spec.slug}:${outcome}:${this.#orders++}`);
    const taker = !chance(random, MESS.restingOrder);
    const parts = taker || !chance(random, MESS.splitOrder) ? [shares] : halves(shares);
    // Objects written out: there are tens of thousands of them, and copies of copies cost seconds.
    for (const part of parts) {
      const row = {
        wallet: this.#wallet,
        market,
        outcome,
        side,
        shares: part,
        price,
        timestampS: atS,
        transactionHash,
        taker,
      };
      this.#write(row);
    }
    if (!chance(random, MESS.makerToo)) return;
    // Against a buyer of one outcome another buys the other one: the venue mints the pair.
    const wallet = MARKET_MAKERS[between(random, 0, MARKET_MAKERS.length - 1)] ?? this.#wallet;
    const otherPrice = Math.round((1 - price) * 1_000) / 1_000;
    const other: OutcomeIndex = outcome === 0 ? 1 : 0;
    this.#write({
      wallet,
      market,
      outcome: other,
      side,
      shares,
      price: otherPrice,
      timestampS: atS,
      transactionHash,
      taker: !taker,
    });
  }

  #write(row: PlannedRow): void {
    this.rows.push(row);
    if (chance(this.#random, MESS.repeated)) this.rows.push(row);
  }
}

/** Fills of one transaction are seldom of one size: the second one is a hair larger. */
function halves(shares: number): number[] {
  const half = cents(shares / 2);
  return [half, cents(half + 0.01)];
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
