import { BY_DATE_BUYERS } from './populations.js';
import { rateEntries } from './rate-world.js';
import { settledOnlyMarkets } from './redraw-markets.js';
import { CHOSEN, NAIVE } from './rules.js';
import { RuleTally } from './tally.js';
import { entriesOf } from './wallet-entries.js';
import type { World } from './world.js';

/**
 * What two ways to choose entries make of wallets without skill that buy YES of by-date markets.
 */
export interface ByDateTrap {
  readonly wallets: number;
  /** Entries are scored once their scheduled end has passed, as the rating does. */
  readonly matured: { readonly chosen: RuleTally; readonly naive: RuleTally };
  /**
   * Entries are scored as soon as they are settled: YES settles early, so winners are seen before
   * losers.
   */
  readonly settled: { readonly chosen: RuleTally; readonly naive: RuleTally };
}

const twoRules = () => ({ chosen: new RuleTally(CHOSEN), naive: new RuleTally(NAIVE) });

export const emptyTrap = (): ByDateTrap => ({ wallets: 0, matured: twoRules(), settled: twoRules() });

/**
 * Rates `wallets` more of them and adds them to what was found before (docs/ratings.md, "The
 * copier").
 */
export function springTrap(before: ByDateTrap, world: World, seed: number, wallets: number): ByDateTrap {
  const options = { world, seed: seed + 1_000_000, messy: false };
  for (let wallet = 0; wallet < wallets; wallet++) {
    const entries = entriesOf(world, BY_DATE_BUYERS, options.seed, wallet);
    const matured = rateEntries(wallet, BY_DATE_BUYERS, entries, options);
    const settled = rateEntries(wallet, BY_DATE_BUYERS, entries, options, (fills) =>
      settledOnlyMarkets(fills, world.markets),
    );
    for (const tally of [before.matured.chosen, before.matured.naive]) tally.add(matured);
    for (const tally of [before.settled.chosen, before.settled.naive]) tally.add(settled);
  }
  return { ...before, wallets: before.wallets + wallets };
}
