import type { WalletAddress } from '#domain/ids';
import type { WalletContext } from '#machines/wallet.machine';
import type { WalletRow } from '#ports/ratings-store';

/** Returns the row of a wallet that is queued now for the first time. */
export function newRow(wallet: WalletAddress, nowMs: number): WalletRow {
  return { wallet, state: 'QUEUED', queuedAtMs: nowMs, attempts: 0, nextAttemptAtMs: nowMs, lastError: null };
}

/** Returns the row of a wallet in work, as its machine knows it. */
export function rowOf(context: WalletContext, state: WalletRow['state']): WalletRow {
  const { wallet, queuedAtMs, attempts, nextAttemptAtMs, lastError } = context;
  return { wallet, state, queuedAtMs, attempts, nextAttemptAtMs, lastError };
}
