import type { TapeWallet } from '../ids.js';
import { toEnd } from '../steps.js';
import { sumActivity } from './activity.js';
import { findBothSided } from './both-sides.js';
import { dropRepeats } from './dedup.js';
import type { Fill } from './fill.js';
import { type FirstEntry, findFirstEntries } from './first-entries.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import { type RatingWindows, ratingWindows } from './rating-windows.js';
import { type ScoredEntry, scoreEntry } from './score-entry.js';
import { type TapeMarket, UNKNOWN_MARKET } from './tape-market.js';
import { sumWalletEntries, type WalletEntries } from './wallet-entries.js';

type Markets = ReadonlyMap<string, TapeMarket>;

/** Fills that one step looks at, give or take those of a token: a few milliseconds of work. */
export const FILLS_PER_STEP = 2_000;

/**
 * Returns what a wallet's rating at `asOfS` is made of: each first entry mirrored with slippage and
 * fees, held to resolution (docs/ratings.md, "The copier"). `fills` may be in any order, repeated,
 * and of other wallets too; those at or after `asOfS` are not seen. Markets that are missing count
 * as `UNKNOWN_MARKET`.
 */
export function sumWallet(
  wallet: TapeWallet,
  fills: readonly Fill[],
  markets: Markets,
  asOfS: number,
  config: RatingConfig,
): RatingSums {
  const found = toEnd(findWalletEntries(wallet, fills, markets, asOfS, config));
  return toEnd(sumWalletEntries(found, asOfS, config));
}

/**
 * Returns what of these fills a rating is made of, step by step: the busiest wallets have hundreds
 * of thousands of fills, and others want their turn meanwhile.
 */
export function* findWalletEntries(
  wallet: TapeWallet,
  fills: readonly Fill[],
  markets: Markets,
  asOfS: number,
  config: RatingConfig,
): Generator<void, WalletEntries, void> {
  const windows = ratingWindows(asOfS, config);
  const tally: Tally = { inScope: [], bought: [], entries: [], upDownExcluded: 0 };
  let left = FILLS_PER_STEP;
  for (const ofToken of (yield* groupTokens(wallet, fills)).values()) {
    addToken(tally, ownFills(wallet, ofToken, asOfS, config), markets, windows, config);
    left -= ofToken.length;
    if (left > 0) continue;
    yield;
    left = FILLS_PER_STEP;
  }
  const { inScope, bought, entries, upDownExcluded } = tally;
  const activity = sumActivity(inScope, windows);
  yield;
  const conditions = new Set(entries.map(({ clip }) => clip.condition));
  const undescribedMarkets = [...conditions].filter((condition) => !markets.has(condition)).length;
  return { wallet, entries, bothSided: findBothSided(bought), upDownExcluded, undescribedMarkets, ...activity };
}

/** What was found in the tokens so far. */
interface Tally {
  readonly inScope: Fill[];
  /** First entries of all times. */
  readonly bought: FirstEntry[];
  /** Those of the window. */
  readonly entries: ScoredEntry[];
  upDownExcluded: number;
}

function addToken(
  tally: Tally,
  fills: readonly Fill[],
  markets: Markets,
  windows: RatingWindows,
  config: RatingConfig,
): void {
  const { inScope, upDown } = splitScope(fills, markets);
  const bought = findFirstEntries(inScope, config);
  for (const fill of inScope) tally.inScope.push(fill);
  tally.bought.push(...bought);
  tally.entries.push(...scoreInWindow(bought, windows, markets, config));
  tally.upDownExcluded += entriesInWindow(findFirstEntries(upDown, config), windows).length;
}

/**
 * Nothing is judged across tokens but markets and events, so that a wallet can be taken token by
 * token.
 */
function* groupTokens(
  wallet: TapeWallet,
  fills: readonly Fill[],
): Generator<void, ReadonlyMap<string, readonly Fill[]>> {
  const tokens = new Map<string, Fill[]>();
  for (const [i, fill] of fills.entries()) {
    if (i % FILLS_PER_STEP === FILLS_PER_STEP - 1) yield;
    if (fill.wallet !== wallet) continue;
    const ofToken = tokens.get(fill.token);
    if (ofToken === undefined) tokens.set(fill.token, [fill]);
    else ofToken.push(fill);
  }
  return tokens;
}

/**
 * Returns the first entries of the window with what copying them brought, of one wallet's fills in
 * scope.
 */
export function scoreEntries(
  inScope: readonly Fill[],
  markets: Markets,
  asOfS: number,
  config: RatingConfig,
): readonly ScoredEntry[] {
  return scoreInWindow(findFirstEntries(inScope, config), ratingWindows(asOfS, config), markets, config);
}

function scoreInWindow(
  entries: readonly FirstEntry[],
  windows: RatingWindows,
  markets: Markets,
  config: RatingConfig,
): readonly ScoredEntry[] {
  return entriesInWindow(entries, windows).map((entry) =>
    scoreEntry(entry, marketOf(markets, entry.clip.condition), windows.asOfS, config),
  );
}

/**
 * Returns a wallet's fills that were there at `asOfS` and are not too small, each once. Small fills
 * still identify repeats.
 */
export function ownFills(
  wallet: TapeWallet,
  fills: readonly Fill[],
  asOfS: number,
  config: RatingConfig,
): readonly Fill[] {
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
