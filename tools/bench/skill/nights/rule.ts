import { zOf } from './bets.js';
import type { Candidate, WorldNight } from './candidates.js';

/** A rule under trial. */
export interface NightRule {
  readonly name: string;
  /** Returns the wallets of a night that it calls COPY. */
  copies(night: WorldNight): readonly Candidate[];
}

/** What a rule asks of the two months, beside its test of the 90 days. */
export interface Gates {
  readonly inSampleMin: number;
  readonly outOfSampleMin: number;
  readonly eventsMin: number;
  readonly outOfSampleZMin: number;
}

/** As score version 2 had them, as the rating has them, and between the two. */
export const STRICT_GATES: Gates = { inSampleMin: 20, outOfSampleMin: 15, eventsMin: 10, outOfSampleZMin: 0.5 };
export const WIDE_GATES: Gates = { inSampleMin: 10, outOfSampleMin: 8, eventsMin: 6, outOfSampleZMin: 0.5 };
export const MIDDLE_GATES: Gates = { inSampleMin: 15, outOfSampleMin: 10, eventsMin: 8, outOfSampleZMin: 0.5 };

/** Whether a wallet passes all rows of the decision table but those of the 90 days. */
export function passes({ isEligible, pools }: Candidate, gates: Gates): boolean {
  const { window, inSample, outOfSample } = pools;
  return (
    isEligible &&
    inSample.bets.length >= gates.inSampleMin &&
    inSample.returnFee > 0 &&
    outOfSample.bets.length >= gates.outOfSampleMin &&
    outOfSample.events.size >= gates.eventsMin &&
    outOfSample.returnFee > 0 &&
    zOf(outOfSample) >= gates.outOfSampleZMin &&
    window.returnFee - window.bestEventReturn > 0
  );
}

/** Returns a rule that judges each wallet alone. */
export function byWallet(name: string, gates: Gates, proves: (candidate: Candidate) => boolean): NightRule {
  return {
    name,
    copies: ({ candidates }) => candidates.filter((candidate) => passes(candidate, gates) && proves(candidate)),
  };
}

/** The rating of score version 2, by its exact sums: what all others are compared with. */
export const SCORE_2: NightRule = {
  name: 'score version 2',
  copies: ({ candidates }) => candidates.filter(({ isScore2Copy }) => isScore2Copy),
};

/** The rating in force, by its exact sums. */
export const IN_FORCE: NightRule = {
  name: 'the rating in force',
  copies: ({ candidates }) => candidates.filter(({ isCopy }) => isCopy),
};
