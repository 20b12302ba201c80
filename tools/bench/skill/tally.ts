import type { RatingReason } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { RatedWallet } from './rate-world.js';
import type { Rule } from './rules.js';

/** A mean that is fed one value at a time. */
export class Mean {
  count = 0;
  #sum = 0;

  add(value: number): void {
    this.count += 1;
    this.#sum += value;
  }

  /** NaN while there is nothing. */
  get value(): number {
    return this.#sum / this.count;
  }
}

/** Whether copying the wallet truly pays, by the planted chances. */
export const isTrulyGood = ({ forward }: RatedWallet): boolean => forward !== null && forward.expectedRoi > 0;

/**
 * Whether the wallet has enough entries for rows 7 and 9 of the decision table, so that it is told
 * from luck or not.
 */
export function isTestable({ sums: { inSample, outOfSample } }: RatedWallet): boolean {
  const { inSampleEntriesMin, outOfSampleEntriesMin, outOfSampleEventsMin } = RATING_CONFIG;
  return (
    inSample.entries >= inSampleEntriesMin &&
    outOfSample.entries >= outOfSampleEntriesMin &&
    outOfSample.events >= outOfSampleEventsMin
  );
}

export const isCovered = ({ sums }: RatedWallet): boolean => sums.firstEntries >= RATING_CONFIG.coverageFloor;

const SHRINK_ENTRIES = 100;

/**
 * Some wallets, and what became of them. ROIs are means over wallets, in fractions of a staked
 * dollar.
 */
export class WalletTally {
  wallets = 0;
  neverSkilled = 0;
  decayed = 0;
  trulyGood = 0;
  readonly observedRoi = new Mean();
  /**
   * The observed ROI as if 100 entries of no return came on top (docs/ratings.md, "Error rates").
   */
  readonly shrunkRoi = new Mean();
  readonly expectedRoi = new Mean();
  readonly realisedRoi = new Mean();

  add(wallet: RatedWallet): void {
    const { population, rating, forward, sums } = wallet;
    this.wallets += 1;
    if (population.skill === 'never') this.neverSkilled += 1;
    if (population.skill === 'decayed') this.decayed += 1;
    if (isTrulyGood(wallet)) this.trulyGood += 1;
    if (rating.window.roiFee !== null) this.observedRoi.add(rating.window.roiFee);
    this.shrunkRoi.add(Number(sums.window.returnFeeNano) / 1e9 / (sums.window.entries + SHRINK_ENTRIES));
    if (forward === null) return;
    this.expectedRoi.add(forward.expectedRoi);
    this.realisedRoi.add(forward.realisedRoi);
  }
}

/** Wallets by what a rule calls COPY. */
export class RuleTally {
  readonly copies = new WalletTally();

  constructor(readonly rule: Rule) {}

  add(wallet: RatedWallet): void {
    if (this.rule.copies(wallet)) this.copies.add(wallet);
  }
}

/** Wallets by the row of the decision table that decided. */
export class ReasonTally {
  readonly #rows = new Map<RatingReason, WalletTally>();

  add(wallet: RatedWallet): void {
    this.of(wallet.rating.reason).add(wallet);
  }

  of(reason: RatingReason): WalletTally {
    const row = this.#rows.get(reason) ?? new WalletTally();
    this.#rows.set(reason, row);
    return row;
  }
}

/** How often the 95 % interval of a rating holds the true ROI of the entries of its window. */
export class CoverageTally {
  wallets = 0;
  held = 0;

  add({ rating: { window }, past }: RatedWallet): void {
    if (past === null || window.ciLow === null || window.ciHigh === null) return;
    if (window.entries < RATING_CONFIG.sampleFairMin) return;
    this.wallets += 1;
    if (window.ciLow <= past.expectedRoi && past.expectedRoi <= window.ciHigh) this.held += 1;
  }
}

/**
 * Activity in filtered, scorable entries of the window: each from its first number to below the
 * next.
 */
export const ACTIVITIES = [0, 35, 100, 200] as const;

/** How many of the skilled a rule finds, by their edge and activity. */
export class PowerTally {
  constructor(readonly rule: Rule) {}

  readonly #cells = new Map<string, { wallets: number; copies: number }>();

  add(wallet: RatedWallet): void {
    const { population, sums } = wallet;
    if (population.skill !== 'skilled') return;
    const cell = this.of(
      population.edgeMicros,
      ACTIVITIES.findLastIndex((least) => sums.window.entries >= least),
    );
    cell.wallets += 1;
    if (this.rule.copies(wallet)) cell.copies += 1;
  }

  of(edgeMicros: number, activity: number): { wallets: number; copies: number } {
    const key = `${edgeMicros} ${activity}`;
    const cell = this.#cells.get(key) ?? { wallets: 0, copies: 0 };
    this.#cells.set(key, cell);
    return cell;
  }
}
