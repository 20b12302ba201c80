import type { PoolSums } from './rating-sums.js';
import type { ScoredEntry } from './score-entry.js';

/** A scored entry's part of the sums of its event. */
interface EventSums {
  returnFeeNano: bigint;
  rootsNano: bigint;
}

/** Returns the sums over the scorable ones of these entries (docs/ratings.md, "Significance"). */
export function sumPool(entries: readonly ScoredEntry[]): PoolSums {
  const events = new Map<string, EventSums>();
  const sums = { entries: 0, wins: 0, returnSlippageNano: 0n, returnFeeNano: 0n, varianceNano: 0n };
  for (const { event, result, copierPriceMicros, feeRateMicros } of entries) {
    if (result === null) continue;
    const { varianceNano, rootNano } = evenVariance(copierPriceMicros, feeRateMicros);
    sums.entries += 1;
    if (result.slippageNano > 0n) sums.wins += 1;
    sums.returnSlippageNano += result.slippageNano;
    sums.returnFeeNano += result.feeNano;
    sums.varianceNano += varianceNano;
    const ofEvent = events.get(event) ?? { returnFeeNano: 0n, rootsNano: 0n };
    ofEvent.returnFeeNano += result.feeNano;
    ofEvent.rootsNano += rootNano;
    events.set(event, ofEvent);
  }
  return { ...sums, events: events.size, ...sumEvents([...events.values()]) };
}

function sumEvents(events: readonly EventSums[]): Pick<PoolSums, 'eventRootsAtto' | 'bestEventNano'> {
  const returns = events.map(({ returnFeeNano }) => returnFeeNano);
  return {
    eventRootsAtto: events.reduce((sum, { rootsNano }) => sum + rootsNano * rootsNano, 0n),
    bestEventNano: returns.length === 0 ? 0n : returns.reduce((best, sum) => (sum > best ? sum : best)),
  };
}

/**
 * The variance of a staked dollar's return if the copier exactly breaks even, and its root. The only floats of the sums: one
 * fixed order of operations, rounded to integers at once, so that every engine gets the same digits.
 */
function evenVariance(copierPriceMicros: number, feeRateMicros: number): { varianceNano: bigint; rootNano: bigint } {
  const p = copierPriceMicros / 1e6;
  const rate = feeRateMicros / 1e6;
  /** All-in cost of a claim on one dollar. */
  const c = p * (1 + rate * (1 - p));
  const v = (c * (1 - c)) / (p * p);
  return { varianceNano: BigInt(Math.round(v * 1e9)), rootNano: BigInt(Math.round(Math.sqrt(v) * 1e9)) };
}
