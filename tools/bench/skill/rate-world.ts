import { rateSums } from '#domain/rating/rate-sums';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { sumWallet } from '#domain/rating/sum-wallet';
import { AS_OF_S } from './calendar.js';
import { messyFills, tidyFills, walletAddress } from './entry-fills.js';
import { forwardOf, pastOf, type Truth } from './ground-truth.js';
import { type Population, populationOf, withoutSkill, withProportionalEdge } from './populations.js';
import { placeboMarkets } from './redraw-markets.js';
import { type Entry, entriesOf } from './wallet-entries.js';
import type { World } from './world.js';

/** A wallet as the rating sees it, beside what the generator knows about it. */
export interface RatedWallet {
  readonly population: Population;
  readonly sums: RatingSums;
  readonly rating: Rating;
  /**
   * The truth about the 90 days that were rated, and about what follows; null where it has no entry
   * that counts.
   */
  readonly past: Truth | null;
  readonly forward: Truth | null;
}

/**
 * The same wallets on three boards, one after the other; the rating sees only what was there at its
 * moment.
 */
export interface RatedOnBoards {
  readonly real: RatedWallet;
  /** The same wallet where nobody has skill: itself, unless an edge had to be taken away. */
  readonly unskilled: RatedWallet;
  /** The same entries with results drawn anew from their prices. */
  readonly placebo: RatedWallet;
}

export interface RateOptions {
  readonly world: World;
  readonly seed: number;
  /** Show the tape as a real source tells it: repeats, split orders, probes, sells. */
  readonly messy: boolean;
  readonly placeboDice: Float64Array;
  /** Edges are in proportion to the price instead of the same at every price. */
  readonly isEdgeProportional?: boolean;
}

/** Generates one wallet and rates it on all boards. Nothing of it is kept. */
export function rateOnBoards(wallet: number, options: RateOptions): RatedOnBoards {
  const { world, seed, placeboDice, isEdgeProportional } = options;
  const flat = populationOf(wallet);
  const population = isEdgeProportional === true ? withProportionalEdge(flat) : flat;
  const entries = entriesOf(world, population, seed, wallet);
  const real = rateEntries(wallet, population, entries, options);
  const bare = withoutSkill(population);
  const unskilled =
    bare === population ? real : rateEntries(wallet, bare, entriesOf(world, bare, seed, wallet), options);
  const placebo = rateEntries(wallet, bare, entries, options, (fills) =>
    placeboMarkets(fills, world.markets, placeboDice),
  );
  return { real, unskilled, placebo };
}

type Fills = ReturnType<typeof tidyFills>;

/** Rates what a wallet has bought, on the world's markets or on others. */
export function rateEntries(
  wallet: number,
  population: Population,
  entries: readonly Entry[],
  { world, seed, messy }: Pick<RateOptions, 'world' | 'seed' | 'messy'>,
  marketsFor: (fills: Fills) => World['markets'] = () => world.markets,
): RatedWallet {
  const address = walletAddress(seed, wallet);
  const past = entries.filter(({ timeS }) => timeS < AS_OF_S);
  const tidy = tidyFills(world, address, past);
  const fills = messy ? messyFills(tidy, seed, wallet) : tidy;
  const sums = sumWallet(address, fills, marketsFor(tidy), AS_OF_S, RATING_CONFIG);
  const rating = rateSums(sums, AS_OF_S, RATING_CONFIG);
  return { population, sums, rating, past: pastOf(world, entries), forward: forwardOf(world, entries) };
}
