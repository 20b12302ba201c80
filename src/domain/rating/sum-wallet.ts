import { sumActivity } from './activity.js';
import { countMarkets } from './both-sides.js';
import { dropRepeats } from './dedup.js';
import { sumEntries } from './entry-sums.js';
import type { Fill } from './fill.js';
import { type FirstEntry, findFirstEntries } from './first-entries.js';
import { sumPools } from './pools.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import { type RatingWindows, ratingWindows } from './rating-windows.js';
import { type ScoredEntry, scoreEntry } from './score-entry.js';
import { type TapeMarket, UNKNOWN_MARKET } from './tape-market.js';

type Markets = ReadonlyMap<string, TapeMarket>;

/**
 * Returns what a wallet's rating at `asOfS` is made of: each first entry mirrored with slippage and fees, held to resolution
 * (ratings design, section 2). `fills` may be in any order, repeated, and of other wallets too; those at or after `asOfS` are
 * not seen. Markets that are missing count as `UNKNOWN_MARKET`.
 */
export function sumWallet(
  wallet: string,
  fills: readonly Fill[],
  markets: Markets,
  asOfS: number,
  config: RatingConfig,
): RatingSums {
  const windows = ratingWindows(asOfS, config);
  const { inScope, upDown } = splitScope(ownFills(wallet, fills, asOfS, config), markets);
  const entries = scoreEntries(inScope, markets, asOfS, config);
  return {
    wallet,
    ...sumEntries(entries, config),
    ...countMarkets(entries, inScope),
    upDownExcluded: entriesInWindow(findFirstEntries(upDown, config), windows).length,
    ...sumActivity(inScope, windows),
    ...sumPools(entries, windows, config),
  };
}

/** Returns the first entries of the window with what copying them brought, of one wallet's fills in scope. */
export function scoreEntries(
  inScope: readonly Fill[],
  markets: Markets,
  asOfS: number,
  config: RatingConfig,
): readonly ScoredEntry[] {
  const entries = entriesInWindow(findFirstEntries(inScope, config), ratingWindows(asOfS, config));
  return entries.map((entry) => scoreEntry(entry, marketOf(markets, entry.clip.condition), asOfS, config));
}

/** Returns a wallet's fills that were there at `asOfS` and are not too small, each once. Small fills still identify repeats. */
export function ownFills(wallet: string, fills: readonly Fill[], asOfS: number, config: RatingConfig): readonly Fill[] {
  const own = fills.filter((fill) => fill.wallet === wallet && fill.timeS < asOfS);
  return dropRepeats(own).filter(({ sizeMicros }) => sizeMicros >= config.fillSharesMicrosMin);
}

/** Returns the fills that are rated, and those of crypto up/down markets, which are not. */
export function splitScope(
  fills: readonly Fill[],
  markets: Markets,
): { readonly inScope: readonly Fill[]; readonly upDown: readonly Fill[] } {
  const isUpDown = ({ condition }: Fill) => marketOf(markets, condition).upDown;
  return { inScope: fills.filter((fill) => !isUpDown(fill)), upDown: fills.filter(isUpDown) };
}

function marketOf(markets: Markets, condition: string): TapeMarket {
  return markets.get(condition) ?? { ...UNKNOWN_MARKET, condition };
}

function entriesInWindow(entries: readonly FirstEntry[], windows: RatingWindows): readonly FirstEntry[] {
  return entries.filter(({ clip }) => clip.timeS >= windows.fromS && clip.timeS < windows.asOfS);
}
