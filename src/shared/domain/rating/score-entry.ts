import { divideSafe } from '../money.js';
import type { FirstEntry } from './first-entries.js';
import { toMixCategory } from './market-category.js';
import type { RatingConfig } from './rating-config.js';
import type { MixCategory, TapeMarket } from './tape-market.js';

/** One dollar, in micros: what a share is worth at most. */
const DOLLAR_MICROS = 1_000_000;
const DOLLAR_NANO = 1_000_000_000;

/**
 * What one dollar staked on a copied entry returned, in nano-dollars: 0.5 dollars won is 500 000
 * 000.
 */
interface EntryReturn {
  /** What a share paid, in micros of a dollar. */
  readonly payoutMicros: number;
  /** Net of slippage, before fees. */
  readonly slippageNano: bigint;
  /** Net of both. */
  readonly feeNano: bigint;
}

/** What a share of an entry's outcome paid, in micros of a dollar, and since when that was known. */
interface Settlement {
  readonly atS: number;
  readonly payoutMicros: number;
}

/** A first entry as a copier would have lived it. */
export interface ScoredEntry extends FirstEntry {
  readonly event: string;
  readonly category: MixCategory;
  readonly feeRateMicros: number;
  readonly copierPriceMicros: number;
  /** Taker fee per dollar staked. */
  readonly feePerDollarNano: bigint;
  /**
   * Settled, though its scheduled end is still to come: not counted yet, because markets that
   * resolve early lean to YES.
   */
  readonly earlyResolved: boolean;
  /** null while it is pending. */
  readonly result: EntryReturn | null;
  /** When the market was meant to end; null if it has no end. */
  readonly scheduledEndS: number | null;
  /** How and when the market was settled, as far as that was known; null: it was not. */
  readonly settled: Settlement | null;
  /** The result is a clear last price, which nobody has confirmed. */
  readonly isUnconfirmed: boolean;
}

/**
 * Returns what copying an entry brought, as far as it was known at `asOfS` (docs/ratings.md,
 * "Returns").
 */
export function scoreEntry(entry: FirstEntry, market: TapeMarket, asOfS: number, config: RatingConfig): ScoredEntry {
  const { clip, clips, roundTrip, sellFirst } = entry;
  const copierPriceMicros = Math.min(clip.priceMicros + config.slippageMicros, config.copierPriceMicrosMax);
  const feePerDollarNano = BigInt(divideSafe(market.feeRateMicros * (DOLLAR_MICROS - copierPriceMicros), 1000));
  const settled = settlementOf(market, clip.outcomeIndex, asOfS);
  const matured = market.scheduledEndS === null || market.scheduledEndS <= asOfS;
  const result =
    settled === null || !matured ? null : returnOf(settled.payoutMicros, copierPriceMicros, feePerDollarNano);
  // Member by member: with the entry spread into it, V8 takes ten times as long to make this object.
  return {
    clip,
    clips,
    roundTrip,
    sellFirst,
    event: market.event || clip.event || clip.condition,
    category: toMixCategory(market.category),
    feeRateMicros: market.feeRateMicros,
    copierPriceMicros,
    feePerDollarNano,
    earlyResolved: settled !== null && !matured,
    result,
    scheduledEndS: market.scheduledEndS,
    settled,
    isUnconfirmed: result !== null && market.payoutSource === 'price',
  };
}

/**
 * The payout vector that was known then, and nothing else: prices and position lists show winners
 * only (docs/ratings.md, "Payouts").
 */
function settlementOf(
  { resolvedAtS, payoutMicros: payouts }: TapeMarket,
  outcomeIndex: number,
  asOfS: number,
): Settlement | null {
  const payoutMicros = payouts?.[outcomeIndex];
  if (resolvedAtS === null || resolvedAtS > asOfS || payoutMicros === undefined) return null;
  return { atS: resolvedAtS, payoutMicros };
}

function returnOf(payoutMicros: number, copierPriceMicros: number, feePerDollarNano: bigint): EntryReturn {
  // Payouts are a dollar at most, so that the product is safe.
  const slippageNano = BigInt(divideSafe(payoutMicros * DOLLAR_NANO, copierPriceMicros) - DOLLAR_NANO);
  return { payoutMicros, slippageNano, feeNano: slippageNano - feePerDollarNano };
}
