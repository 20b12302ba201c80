import type { PaymentRow } from '../payment/payment-row.js';
import { type Exposure, exposureOf, NO_EXPOSURE, plus } from '../payment/proof.js';
import { broken, type StoreFault } from './fault.js';

/**
 * So many wallets to which something is owed on a word are far more than ever were; a few hundred
 * bytes each.
 */
const SUMS_MAX = 100_000;

/** What was given out on somebody's word, by "facilitator NAME" and "wallet ADDRESS". */
export type NamedSums = ReadonlyMap<string, Exposure>;

/** The two amounts of a sum: what may yet be proven comes and goes, what was refuted stays. */
export type ExposureAmount = 'unprovenMicros' | 'refutedMicros';

/** Sums what payments were given out on somebody's word, from their rows alone. */
export class ExposureSums {
  readonly #sums = new Map<string, Exposure>();
  #isCut = false;

  add(row: PaymentRow): void {
    const share = exposureOf(row);
    if (share === null) return;
    for (const who of [`facilitator ${share.facilitator}`, `wallet ${share.wallet}`]) {
      if (this.#sums.size < SUMS_MAX || this.#sums.has(who)) {
        this.#sums.set(who, plus(this.#sums.get(who) ?? NO_EXPOSURE, share.sums));
      } else this.#isCut = true;
    }
  }

  /** Returns whose sums are not those of the rows. Nobody's, where there was no room for all. */
  differing(stored: NamedSums, amount: ExposureAmount): readonly string[] {
    if (this.#isCut) return [];
    return [...new Set([...stored.keys(), ...this.#sums.keys()])].filter((who) => this.by(who, stored, amount) !== 0n);
  }

  /** Returns by how much a sum that is kept is more than that of the rows. */
  by(who: string, stored: NamedSums, amount: ExposureAmount): bigint {
    return (stored.get(who) ?? NO_EXPOSURE)[amount] - (this.#sums.get(who) ?? NO_EXPOSURE)[amount];
  }
}

/** Returns the fault of a sum that differs by so much from what the payments say. */
export function wrongExposure(who: string, stored: NamedSums, amount: ExposureAmount, by: bigint): StoreFault {
  const said = (stored.get(who) ?? NO_EXPOSURE)[amount];
  const word = amount === 'unprovenMicros' ? 'unproven' : 'refuted';
  return broken(`exposure of ${who}`, `it says ${said} ${word} micro-USDC, and the payments say ${said - by}`);
}
