import { normalCdf } from '../normal.js';
import { zOf } from './bets.js';
import type { Candidate } from './candidates.js';
import { type Gates, type NightRule, passes, STRICT_GATES, WIDE_GATES } from './rule.js';
import { edgesNow, shareFrom } from './shrunken.js';

/** Rules that bound the share of false COPY on a board (docs/ratings.md, "What was tried"). */
export const DISCOVERY: readonly NightRule[] = [
  ...[0.05, 0.1, 0.2].map(benjaminiHochberg),
  localDiscovery(0.1, STRICT_GATES),
  localDiscovery(0.2, STRICT_GATES),
  localDiscovery(0.2, WIDE_GATES),
];

/** Over all wallets that can be tested, by the z of the 90 days; then the rows of the table. */
function benjaminiHochberg(share: number): NightRule {
  return {
    name: `Benjamini-Hochberg at ${share}`,
    copies({ candidates, testable }) {
      const tested = candidates
        .filter((candidate) => passes(candidate, STRICT_GATES))
        .map((candidate) => ({ candidate, p: 1 - normalCdf(zOf(candidate.pools.window)) }))
        .toSorted((a, b) => a.p - b.p);
      const last = tested.findLastIndex(({ p }, i) => p <= (share * (i + 1)) / testable);
      return tested.slice(0, last + 1).map(({ candidate }) => candidate);
    },
  };
}

/** The longest list, most certain first, whose mean probability of no edge is at most the share. */
function localDiscovery(share: number, gates: Gates): NightRule {
  const asked = gates === WIDE_GATES ? ', 10/8/6 entries' : '';
  return {
    name: `local false discovery at ${share}${asked}`,
    copies(night) {
      const { prior } = night;
      if (prior === null) return [];
      const ranked = night.candidates
        .filter((candidate) => passes(candidate, gates))
        .map((candidate) => ({ candidate, none: 1 - shareFrom(edgesNow(candidate.pools, prior), 0.01) }))
        .toSorted((a, b) => a.none - b.none);
      const copies: Candidate[] = [];
      let sum = 0;
      for (const { candidate, none } of ranked) {
        sum += none;
        if (sum > share * (copies.length + 1)) break;
        copies.push(candidate);
      }
      return copies;
    },
  };
}
