import { ENTRIES_PER_STEP } from '../steps.js';
import type { PoolSums } from './rating-sums.js';
import type { ScoredEntry } from './score-entry.js';

/** A scored entry's part of the sums of its event. */
interface EventSums {
  returnFeeNano: bigint;
  rootsNano: bigint;
  weightRootsNano: bigint;
}

/** Returns the sums over the scorable ones of these entries (docs/ratings.md, "Significance"), step by step. */
export function* sumPool(entries: readonly ScoredEntry[]): Generator<void, PoolSums, void> {
  const events = new Map<string, EventSums>();
  const sums = {
    ...{ entries: 0, wins: 0, returnSlippageNano: 0n, returnFeeNano: 0n },
    ...{ varianceNano: 0n, scoreNano: 0n, weightNano: 0n },
  };
  for (const [at, { event, result, copierPriceMicros, feeRateMicros }] of entries.entries()) {
    if (at % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
    if (result === null) continue;
    const bet = weighBet(copierPriceMicros, feeRateMicros, result.payoutMicros);
    sums.entries += 1;
    if (result.slippageNano > 0n) sums.wins += 1;
    sums.returnSlippageNano += result.slippageNano;
    sums.returnFeeNano += result.feeNano;
    sums.varianceNano += bet.varianceNano;
    sums.scoreNano += bet.scoreNano;
    sums.weightNano += bet.weightNano;
    const ofEvent = events.get(event) ?? { returnFeeNano: 0n, rootsNano: 0n, weightRootsNano: 0n };
    ofEvent.returnFeeNano += result.feeNano;
    ofEvent.rootsNano += bet.rootNano;
    ofEvent.weightRootsNano += bet.weightRootNano;
    events.set(event, ofEvent);
  }
  return { ...sums, events: events.size, ...sumEvents([...events.values()]) };
}

function sumEvents(
  events: readonly EventSums[],
): Pick<PoolSums, 'eventRootsAtto' | 'eventWeightRootsAtto' | 'bestEventNano'> {
  const returns = events.map(({ returnFeeNano }) => returnFeeNano);
  return {
    eventRootsAtto: events.reduce((sum, { rootsNano }) => sum + rootsNano * rootsNano, 0n),
    eventWeightRootsAtto: events.reduce((sum, { weightRootsNano }) => sum + weightRootsNano * weightRootsNano, 0n),
    bestEventNano: returns.length === 0 ? 0n : returns.reduce((best, sum) => (sum > best ? sum : best)),
  };
}

/** What one bet weighs, in nano. */
interface Weighed {
  /** Variance of a staked dollar's return if the copier exactly breaks even, and its root. */
  readonly varianceNano: bigint;
  readonly rootNano: bigint;
  /**
   * The efficient score of the payout, its variance if the copier exactly breaks even, and the root
   * of that.
   */
  readonly scoreNano: bigint;
  readonly weightNano: bigint;
  readonly weightRootNano: bigint;
}

/**
 * The only floats of the sums: one fixed order of operations, rounded to integers at once, so that
 * every engine gets the same digits. A claim that costs its whole dollar or more cannot be weighed
 * and counts nothing in the score.
 */
function weighBet(copierPriceMicros: number, feeRateMicros: number, payoutMicros: number): Weighed {
  const p = copierPriceMicros / 1e6;
  const rate = feeRateMicros / 1e6;
  /** All-in cost of a claim on one dollar. */
  const c = p * (1 + rate * (1 - p));
  const spread = c * (1 - c);
  const v = spread / (p * p);
  const w = spread > 0 ? 1 / spread : 0;
  const u = spread > 0 ? (payoutMicros / 1e6 - c) / spread : 0;
  return {
    varianceNano: toNano(v),
    rootNano: toNano(Math.sqrt(v)),
    scoreNano: toNano(u),
    weightNano: toNano(w),
    weightRootNano: toNano(Math.sqrt(w)),
  };
}

/** Half away from zero, as SQL rounds. */
function toNano(value: number): bigint {
  return BigInt(Math.sign(value) * Math.round(Math.abs(value) * 1e9));
}
