import { comboIdOf } from '../../market/deterministic-ids.js';
import type { TapeRow } from '../../market/tape-rows.js';
import type { VenueWallet } from '../../market/wallets.js';

type Json = Record<string, unknown>;

/** Kinds of activity that are no trade and that the local venue lists. */
type CreditType = 'REDEEM' | 'REWARD' | 'MAKER_REBATE';

/**
 * Money that came to a wallet without a trade. `row` names the market of a REDEEM; the others have
 * none.
 */
export interface Credit {
  readonly type: CreditType;
  readonly wallet: VenueWallet;
  readonly timestampS: number;
  readonly usd: number;
  readonly transactionHash: string;
  readonly row: TapeRow | null;
}

/** What stands in `outcomeIndex` of a row that is no trade. */
const NO_OUTCOME = 999;

/** Returns a trade as the first Data API, and the live feed, write it. */
export function tradeJson(row: TapeRow): Json {
  const { wallet } = row;
  return {
    proxyWallet: wallet.address,
    side: row.side,
    ...idsOf(row),
    size: row.shares,
    price: row.price,
    timestamp: row.timestampS,
    ...aboutMarket(row),
    ...aboutWallet(wallet),
    transactionHash: row.transactionHash,
  };
}

/** Returns a trade as `/activity` writes it. */
export function activityJson(row: TapeRow): Json {
  return {
    proxyWallet: row.wallet.address,
    timestamp: row.timestampS,
    ...idsOf(row),
    type: 'TRADE',
    size: row.shares,
    usdcSize: toMicro(row.shares * row.price),
    transactionHash: row.transactionHash,
    price: row.price,
    side: row.side,
    ...aboutMarket(row),
    ...aboutWallet(row.wallet),
  };
}

/**
 * Returns what is no trade as `/activity` writes it: outcome 999, no token, no side; a market only
 * on a REDEEM.
 */
export function creditJson({ type, wallet, timestampS, usd, transactionHash, row }: Credit): Json {
  return {
    proxyWallet: wallet.address,
    timestamp: timestampS,
    conditionId: row?.market.ids.conditionId ?? '',
    type,
    size: usd,
    usdcSize: usd,
    transactionHash,
    price: 0,
    asset: '',
    side: '',
    ...(row === null ? { title: '', slug: '', icon: '', eventSlug: '' } : aboutMarket(row)),
    outcome: '',
    outcomeIndex: NO_OUTCOME,
    ...aboutWallet(wallet),
  };
}

/**
 * Names of the second version by those of the first, filled as they are met: a page has twenty
 * thousand of them.
 */
const SNAKE_NAMES = new Map([['asset', 'token_id']]);

/**
 * Returns a row of the first Data API in the words of the second: the same facts in snake_case,
 * `asset` as `token_id`.
 */
export function inSnakeCase(row: Json): Json {
  const renamed: Json = {};
  for (const [key, value] of Object.entries(row)) renamed[snakeName(key)] = value;
  return renamed;
}

function snakeName(key: string): string {
  const existing = SNAKE_NAMES.get(key);
  if (existing !== undefined) return existing;
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  SNAKE_NAMES.set(key, name);
  return name;
}

function idsOf({ market, outcome, isCombo, transactionHash }: TapeRow): Json {
  if (isCombo !== true) return { asset: market.ids.tokenIds[outcome], conditionId: market.ids.conditionId };
  const conditionId = comboIdOf(transactionHash);
  return { asset: String(BigInt(`${conditionId}00`)), conditionId, isCombo };
}

function aboutMarket({ market, outcome, isCombo }: TapeRow): Json {
  if (isCombo === true) {
    const title = `${market.spec.question} + 1 more`;
    return { title, slug: '', icon: '', eventSlug: '', outcome: 'Yes', outcomeIndex: 0 };
  }
  return {
    title: market.spec.question,
    slug: market.spec.slug,
    icon: '',
    eventSlug: market.event.slug,
    outcome: market.spec.outcomes[outcome],
    outcomeIndex: outcome,
  };
}

function aboutWallet({ name, pseudonym }: VenueWallet): Json {
  return { name, pseudonym, bio: '', profileImage: '', profileImageOptimized: '' };
}

/** Returns an amount cut to what USDC can hold. */
export function toMicro(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
