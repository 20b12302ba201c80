import type { WalletAddress } from '../ids.js';
import type { PaymentRow } from '../payment/payment-row.js';
import { type Exposure, exposureOf, NO_EXPOSURE, plus } from '../payment/proof.js';
import { broken, type StoreFault } from './fault.js';

/** So many wallets to which something is owed on a word are far more than ever were; a few hundred bytes each. */
const WALLETS_MAX = 100_000;

/** How much a sum that is kept differs from that of the rows. */
export interface ExposureDifference {
  readonly who: string;
  readonly kept: Exposure;
  readonly ofRows: Exposure;
}

/** Sums what payments were given out on somebody's word, from their rows alone. */
export class ExposureSums {
  readonly #facilitators = new Map<string, Exposure>();
  readonly #wallets = new Map<WalletAddress, Exposure>();
  /** Wallets that were not summed for want of room. */
  #isCut = false;

  add(row: PaymentRow): void {
    const share = exposureOf(row);
    if (share === null) return;
    const { facilitator, wallet, sums } = share;
    this.#facilitators.set(facilitator, plus(this.#facilitators.get(facilitator) ?? NO_EXPOSURE, sums));
    if (this.#wallets.size >= WALLETS_MAX && !this.#wallets.has(wallet)) this.#isCut = true;
    else this.#wallets.set(wallet, plus(this.#wallets.get(wallet) ?? NO_EXPOSURE, sums));
  }

  /** Returns the sums that are not those of the rows. Wallets are only compared where all were summed. */
  differences(
    facilitators: ReadonlyMap<string, Exposure>,
    wallets: ReadonlyMap<string, Exposure>,
  ): readonly ExposureDifference[] {
    const ofFacilitators = compare('facilitator', facilitators, this.#facilitators);
    return this.#isCut ? ofFacilitators : [...ofFacilitators, ...compare('wallet', wallets, this.#wallets)];
  }
}

function compare(
  kind: string,
  kept: ReadonlyMap<string, Exposure>,
  ofRows: ReadonlyMap<string, Exposure>,
): readonly ExposureDifference[] {
  const names = new Set([...kept.keys(), ...ofRows.keys()]);
  return [...names]
    .map((name) => ({
      who: `exposure of ${kind} ${name}`,
      kept: kept.get(name) ?? NO_EXPOSURE,
      ofRows: ofRows.get(name) ?? NO_EXPOSURE,
    }))
    .filter(({ kept, ofRows }) => !isSame(kept, ofRows));
}

function isSame(kept: Exposure, ofRows: Exposure): boolean {
  return kept.unprovenMicros === ofRows.unprovenMicros && kept.refutedMicros === ofRows.refutedMicros;
}

/** Returns the differences of two looks that were there at both: the rest came from writing in between. */
export function lastingDifferences(
  first: readonly ExposureDifference[],
  second: readonly ExposureDifference[],
): readonly StoreFault[] {
  const before = new Set(first.map(nameOf));
  return second
    .filter((one) => before.has(nameOf(one)))
    .map(({ who, kept, ofRows }) => {
      const what = `it says ${text(kept)}, and the payments say ${text(ofRows)}`;
      return broken(who, what);
    });
}

function nameOf({ who, kept, ofRows }: ExposureDifference): string {
  const unproven = kept.unprovenMicros - ofRows.unprovenMicros;
  return `${who} ${unproven} ${kept.refutedMicros - ofRows.refutedMicros}`;
}

function text({ unprovenMicros, refutedMicros }: Exposure): string {
  return `${unprovenMicros} unproven and ${refutedMicros} refuted micro-USDC`;
}
