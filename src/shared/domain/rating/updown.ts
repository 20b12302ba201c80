const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const TICKERS = '(?:btc|eth|sol|xrp|doge|bnb|hype|zec)';
const NAMES = '(?:bitcoin|ethereum|solana|xrp|dogecoin|bnb|hype)';

/**
 * Market slugs of the known coins, by window start, by hour and by day (docs/venue.md, "Crypto
 * up/down").
 */
export const UP_DOWN_SLUGS: readonly string[] = [
  `^${TICKERS}-updown-(?:5m|15m|4h)-\\d{10}$`,
  `^${NAMES}-up-or-down-${MONTH}-\\d{1,2}(?:-\\d{4})?-\\d{1,2}(?:am|pm)-et$`,
  `^${NAMES}-up-or-down-on-${MONTH}-\\d{1,2}(?:-\\d{4})?$`,
];
const MARKET_SLUGS = UP_DOWN_SLUGS.map((pattern) => new RegExp(pattern));

const SERIES_SLUG = /^(?:btc|eth|sol|solana|xrp|doge|dogecoin|bnb|hype|zec)-up-or-down-(?:5m|15m|4h|hourly|daily)$/;

/**
 * Of the same shape and not crypto, though `coin` (the Coinbase share) or a miner's may be tagged
 * so.
 */
const NOT_COINS = /^(?:nvda|tsla|aapl|amzn|googl|msft|meta|nflx|pltr|hood|coin|mstr|spx|dax|usd-jpy|gc|si|cl|trump)-/;

/** What may be known of a market; "", [] and false if it is not known. */
export interface UpDownFacts {
  /** Market slug, not the event's. */
  readonly slug: string;
  readonly seriesSlug: string;
  readonly outcomes: readonly string[];
  /** Whether its tags or its fee type are crypto. */
  readonly isCrypto: boolean;
}

/**
 * Returns whether a market is one of the crypto up/down markets, which are out of scope
 * (docs/venue.md, "Crypto up/down"). Range and "above" markets of coins, and up/down markets of
 * shares and indices, are not.
 */
export function isCryptoUpDown({ slug, seriesSlug, outcomes, isCrypto }: UpDownFacts): boolean {
  if (MARKET_SLUGS.some((pattern) => pattern.test(slug)) || SERIES_SLUG.test(seriesSlug)) return true;
  // A coin that is newer than these patterns.
  return isCrypto && isUpDownPair(outcomes) && !NOT_COINS.test(slug);
}

function isUpDownPair([first, second, ...more]: readonly string[]): boolean {
  return more.length === 0 && first?.toLowerCase() === 'up' && second?.toLowerCase() === 'down';
}
