import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { asObject } from '#domain/json';
import { USD_MAX } from '#domain/order/thresholds';

/** One level of the book that the order would take, wholly or in part. */
export interface TakenLevel {
  /** As the venue wrote it. */
  readonly price: string;
  /** What stands there, and what of it the order takes, in shares and USD. */
  readonly shares: number;
  readonly usd: number;
  readonly takenUsd: number;
}

export interface LevelsTaken {
  /** Best first; never empty. The last one has the worst price that the order gets. */
  readonly levels: readonly TakenLevel[];
  /** What the book cannot fill. */
  readonly unfilledUsd: number;
}

/** A tick is 1e-4 USD and sizes are micro-shares, so their product counts in 1e-10 USD. */
const UNITS_PER_USD = 1e10;
const UNITS_PER_USD_MICRO = 10_000n;

/**
 * Returns the levels that the order of an answer takes, from its evidence; null if it carries none
 * that can be read. The walk is exact, so that the level that fills the order is the last one.
 */
export function levelsTaken(body: unknown): LevelsTaken | null {
  const order = asObject(asObject(body)?.order);
  const payload = asObject(asObject(asObject(body)?.evidence)?.payload);
  const side = asObject(payload?.book)?.[order?.side === 'SELL' ? 'bids' : 'asks'];
  const requested = order?.usd;
  if (!Array.isArray(side) || side.length === 0) return null;
  if (typeof requested !== 'number' || !(requested > 0 && requested <= USD_MAX)) return null;
  let rest = BigInt(Math.round(requested * 1e6)) * UNITS_PER_USD_MICRO;
  const levels: TakenLevel[] = [];
  for (let at = side.length - 1; at >= 0 && rest > 0n; at--) {
    const level = readLevel(side[at]);
    if (level === null) return null;
    const taken = level.units < rest ? level.units : rest;
    rest -= taken;
    const { price, shares, units } = level;
    levels.push({ price, shares, usd: Number(units) / UNITS_PER_USD, takenUsd: Number(taken) / UNITS_PER_USD });
  }
  return levels.length === 0 ? null : { levels, unfilledUsd: Number(rest) / UNITS_PER_USD };
}

function readLevel(level: unknown) {
  const [price, size] = Array.isArray(level) ? level : [];
  if (typeof price !== 'string' || typeof size !== 'string') return null;
  const [ticks, micros] = [parsePriceTicks(price), parseSizeMicros(size)];
  if (ticks === null || micros === null) return null;
  return { price, shares: micros / 1e6, units: BigInt(ticks) * BigInt(micros) };
}
