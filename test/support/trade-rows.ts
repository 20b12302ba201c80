import { parseWallet, type WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';

export const hex64 = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;
export const hex40 = (n: number): WalletAddress => parseWallet(`0x${n.toString(16).padStart(40, '0')}`)!;

/**
 * Returns the n-th trade of a test: everything about it follows from n, and its time is `timeS`.
 */
export function tradeNumber(n: number, timeS: number): Fill {
  return {
    wallet: hex40(n % 7),
    token: String(1_000 + (n % 5) * 2 + (n % 2)),
    condition: hex64(n % 5),
    event: `event-${n % 3}`,
    outcomeIndex: n % 2,
    side: n % 4 === 3 ? 'SELL' : 'BUY',
    sizeMicros: 5_000_000 + n,
    priceMicros: 10_000 + (n % 900_000),
    timeS,
    tx: hex64(n + 1),
    logIndex: null,
  };
}

/** Returns a trade as the Data API's first version writes it. */
export function rowV1(fill: Fill): Record<string, unknown> {
  return {
    proxyWallet: fill.wallet,
    side: fill.side,
    asset: fill.token,
    conditionId: fill.condition,
    size: fill.sizeMicros / 1e6,
    price: fill.priceMicros / 1e6,
    timestamp: fill.timeS,
    title: 'Will it?',
    slug: 'will-it',
    icon: '',
    eventSlug: fill.event,
    outcome: 'Yes',
    outcomeIndex: fill.outcomeIndex,
    name: '',
    pseudonym: `Wallet-${fill.wallet.slice(-2)}`,
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: fill.tx,
  };
}

/** Returns a trade as the second version writes it. */
export function rowV2(fill: Fill): Record<string, unknown> {
  const row = rowV1(fill);
  return {
    proxy_wallet: row.proxyWallet,
    side: row.side,
    token_id: row.asset,
    condition_id: row.conditionId,
    size: row.size,
    price: row.price,
    timestamp: row.timestamp,
    title: row.title,
    slug: row.slug,
    icon: '',
    event_slug: row.eventSlug,
    outcome: row.outcome,
    outcome_index: row.outcomeIndex,
    name: row.name,
    pseudonym: row.pseudonym,
    bio: '',
    profile_image: '',
    profile_image_optimized: '',
    transaction_hash: row.transactionHash,
  };
}

/** Returns a page of the second version. */
export function pageV2(fills: readonly Fill[], cursor: string | null = null): Record<string, unknown> {
  const pagination = { limit: 1_000, offset: 0, has_more: cursor !== null, next_cursor: cursor };
  return { data: fills.map(rowV2), pagination };
}
