import { LAST_MONTH_S } from './calendar.js';
import { pickByShare } from './pick-by-share.js';

/**
 * One sort of wallets. Prices and edges are in micros. Shares: docs/ratings.md, "Generated worlds".
 */
export interface Population {
  readonly name: string;
  /** Whether its wallets have, or once had, more than luck. */
  readonly skill: 'never' | 'skilled' | 'decayed';
  readonly share: number;
  /** Median of first entries in 90 days; the spread is lognormal with sigma 1. */
  readonly entriesMedian: number;
  /** How much more often its tokens win than their price says. */
  readonly edgeMicros: number;
  /** The edge is in proportion to the price, and `edgeMicros` at a price of 0.50. */
  readonly isProportional?: true;
  /** From this second on the edge is gone. */
  readonly edgeUntilS?: number;
  /** Buys at these prices alone. */
  readonly priceMicrosMin: number;
  readonly priceMicrosMax: number;
  /** Buys every market on both sides. */
  readonly bothSides?: true;
  /** Buys YES of by-date markets alone. */
  readonly byDateYes?: true;
  /**
   * Share of entries that go to a sibling market of the last one, on the same side. None where an
   * edge is planted: siblings win together, so one edge would leak into the next.
   */
  readonly siblingShare: number;
}

/** The lowest and highest price at which anybody buys. */
export const PRICE_MICROS_MIN = 1_000;
export const PRICE_MICROS_MAX = 999_000;

const ANY_PRICE = { priceMicrosMin: PRICE_MICROS_MIN, priceMicrosMax: PRICE_MICROS_MAX };
const NO_EDGE = { skill: 'never', edgeMicros: 0, siblingShare: 0.15 } as const;
const USUAL = { ...NO_EDGE, ...ANY_PRICE, entriesMedian: 14 };

const skilled = (cents: number): Population => ({
  ...ANY_PRICE,
  name: `skilled +${cents}c`,
  skill: 'skilled',
  share: 0.0025,
  entriesMedian: 60,
  edgeMicros: cents * 10_000,
  siblingShare: 0,
});

export const POPULATIONS: readonly Population[] = [
  { ...USUAL, name: 'no edge', share: 0.84 },
  { ...USUAL, name: 'poor (-1.5c)', share: 0.08, edgeMicros: -15_000, siblingShare: 0 },
  { ...USUAL, name: 'whale (-4c)', share: 0.02, entriesMedian: 70, edgeMicros: -40_000, siblingShare: 0 },
  { ...USUAL, name: 'both sides', share: 0.02, bothSides: true },
  { ...USUAL, name: 'near certain', share: 0.015, priceMicrosMin: 950_000 },
  { ...USUAL, name: 'longshot', share: 0.01, priceMicrosMax: 150_000 },
  { ...USUAL, name: 'few events', share: 0.0025, entriesMedian: 40, siblingShare: 0.9 },
  { ...skilled(12), name: 'decayed (+12c)', skill: 'decayed', edgeUntilS: LAST_MONTH_S },
  skilled(4),
  skilled(7),
  skilled(10),
  skilled(15),
];

/**
 * Wallets without skill whom a sample of settled entries alone would flatter (docs/ratings.md, "The
 * copier").
 */
export const BY_DATE_BUYERS: Population = {
  ...USUAL,
  name: 'by-date YES',
  share: 1,
  entriesMedian: 60,
  byDateYes: true,
};

/** Share of honest entries after which the other side is bought too, later. */
export const HEDGE_SHARE = 0.04;

/** Returns the same wallets with their skill in proportion to the price. */
export function withProportionalEdge(population: Population): Population {
  return population.skill === 'never' ? population : { ...population, isProportional: true };
}

/** Returns the same wallets without anybody's skill. */
export function withoutSkill(population: Population): Population {
  return population.skill === 'never' ? population : { ...population, skill: 'never', edgeMicros: 0 };
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Returns the population of a wallet. Numbers in a row are spread over all populations as evenly as
 * can be, so that any number of wallets has the shares of the table.
 */
export function populationOf(wallet: number): Population {
  return pickByShare(((wallet + 0.5) * GOLDEN) % 1, POPULATIONS);
}
