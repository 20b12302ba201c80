/** What a market of the local venue is: plain data, written down in listings/. */

/** 0 is the first outcome (Yes), 1 the second. */
export type OutcomeIndex = 0 | 1;

/**
 * A market's taker fee as Gamma and the CLOB publish it. `onGamma: false`: only `/clob-markets`
 * gives the curve.
 */
export interface FeeSpec {
  readonly type: string;
  readonly rate: number;
  readonly rebateRate: number;
  readonly onGamma: boolean;
}

/** How a simulated book looks and moves. Prices are 1e-4 USD ticks of the first outcome. */
export interface BookShape {
  /** Where the price is drawn back to. */
  readonly anchorTicks: number;
  /** Usual distance between best bid and best ask, in price steps of the market. */
  readonly spreadSteps: number;
  /** Fewest and most levels a side. */
  readonly levels: readonly [number, number];
  /** About how many USD rest on each side. */
  readonly depthUsd: number;
  /** How restless the price is: deviation of one change, in price steps. */
  readonly restlessness: number;
  /** `bids`: nobody sells, as in a market that looks won. */
  readonly sides: 'both' | 'bids';
}

/**
 * open: takes orders. proposed: a resolution is proposed, the book is gone. resolved: closed, first
 * outcome won. settled: the first outcome won, and the listing has not closed the market yet.
 * placeholder: a slot of an augmented negRisk event that names nobody yet. other: its explicit
 * "Other".
 */
type MarketStanding = 'open' | 'proposed' | 'resolved' | 'settled' | 'placeholder' | 'other';

/** v1: the protocol of all markets until 2026. v2: the second one, with other ids. */
export type Protocol = 'v1' | 'v2';

/** Every price step that the venue has, in USD. */
export type TickSize = '0.1' | '0.01' | '0.005' | '0.0025' | '0.001' | '0.0001';

/** A market that the local venue lists: what it says of itself, and how its book is shaped. */
export interface MarketSpec {
  readonly slug: string;
  readonly question: string;
  /** For people: what this market is good for in a test. */
  readonly purpose: string;
  readonly groupItemTitle: string;
  readonly outcomes: readonly [string, string];
  /** null: fee-free. */
  readonly fee: FeeSpec | null;
  readonly protocol: Protocol;
  readonly tickSize: TickSize;
  /** Venue-side matching delay; 0 if there is none. */
  readonly secondsDelay: number;
  readonly standing: MarketStanding;
  readonly shape: BookShape;
  /** Set on sports markets only. */
  readonly sportsMarketType?: string;
}

/** An event of the local venue, with its markets. */
export interface EventSpec {
  readonly slug: string;
  readonly title: string;
  readonly negRisk: boolean;
  /** Labels; the slug of a tag is its label in lower case with dashes. */
  readonly tags: readonly string[];
  readonly seriesSlug?: string;
  readonly markets: readonly MarketSpec[];
}

/**
 * Fees as published for 2026 (docs/venue.md, "Fees"); the maker rebate is what Gamma shows beside
 * the rate.
 */
export const FEES = {
  politics: { type: 'politics_fees', rate: 0.04, rebateRate: 0.25, onGamma: true },
  tech: { type: 'tech_fees', rate: 0.04, rebateRate: 0.25, onGamma: true },
  finance: { type: 'finance_prices_fees', rate: 0.04, rebateRate: 0.25, onGamma: true },
  economics: { type: 'economics_fees', rate: 0.05, rebateRate: 0.25, onGamma: true },
  culture: { type: 'culture_fees', rate: 0.05, rebateRate: 0.25, onGamma: true },
  weatherOnClobOnly: { type: 'weather_fees', rate: 0.05, rebateRate: 0.25, onGamma: false },
  general: { type: 'general_fees', rate: 0.05, rebateRate: 0.25, onGamma: true },
  sports: { type: 'sports_fees_v3', rate: 0.05, rebateRate: 0.15, onGamma: true },
  sportsBeforeJuly2026: { type: 'sports_fees_v2', rate: 0.03, rebateRate: 0.25, onGamma: true },
  crypto: { type: 'crypto_fees_v2', rate: 0.07, rebateRate: 0.2, onGamma: true },
} as const satisfies Record<string, FeeSpec>;

/** An ordinary liquid market; the listings override what makes theirs special. */
export const USUAL_SHAPE: BookShape = {
  anchorTicks: 5000,
  spreadSteps: 1,
  levels: [22, 38],
  depthUsd: 20_000,
  restlessness: 0.35,
  sides: 'both',
};

/** Returns a Yes/No market that takes orders, with what is given in place of the usual. */
export function yesNoMarket(
  given: Pick<MarketSpec, 'slug' | 'question' | 'purpose'> & Omit<Partial<MarketSpec>, 'shape'>,
  shape: Partial<BookShape> = {},
): MarketSpec {
  return {
    groupItemTitle: '',
    outcomes: ['Yes', 'No'],
    fee: FEES.politics,
    protocol: 'v1',
    tickSize: '0.01',
    secondsDelay: 0,
    standing: 'open',
    ...given,
    shape: { ...USUAL_SHAPE, ...shape },
  };
}

/** Returns an event that holds this one market under the market's own slug and question. */
export function eventOfOne(
  given: Parameters<typeof yesNoMarket>[0],
  shape: Partial<BookShape>,
  tags: readonly string[],
  seriesSlug?: string,
): EventSpec {
  const market = yesNoMarket(given, shape);
  const event = { slug: market.slug, title: market.question, negRisk: false, tags, markets: [market] };
  return seriesSlug === undefined ? event : { ...event, seriesSlug };
}
