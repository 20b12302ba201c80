import type { Leaderboard, NoCoverage, Queued, RedList, WalletProfile } from '#client/answers';
import { asObject } from '#domain/json';

/** An answer about a wallet as it is drawn. */
export type WalletAnswer =
  | { readonly kind: 'profile'; readonly profile: WalletProfile }
  | { readonly kind: 'queued'; readonly queued: Queued }
  | { readonly kind: 'no_coverage'; readonly noCoverage: NoCoverage }
  /** Whoever answered, it was not this service in this version. */
  | { readonly kind: 'unreadable' };

/** Returns what an answer of preflight_copy is. A body with a part missing is not drawn in part. */
export function walletAnswer(body: unknown): WalletAnswer {
  const received = asObject(body);
  if (received === null || typeof received.wallet !== 'string' || !isTexts(received.reasons))
    return { kind: 'unreadable' };
  if (received.verdict === 'QUEUED') return { kind: 'queued', queued: received as unknown as Queued };
  if (received.verdict === 'NO_COVERAGE') return { kind: 'no_coverage', noCoverage: received as unknown as NoCoverage };
  const parts = [received.window, received.older, received.in_sample, received.out_of_sample, received.both_sides].map(
    asObject,
  );
  const tables = [received.entry_price_buckets, received.category_mix_pct].map(asObject);
  if (typeof received.verdict !== 'string' || [...parts, ...tables].includes(null)) return { kind: 'unreadable' };
  return { kind: 'profile', profile: received as unknown as WalletProfile };
}

/** Returns a list as it is drawn; null if the answer is none. */
export function listAnswer(body: unknown): Leaderboard | RedList | null {
  const received = asObject(body);
  if (received === null || !Array.isArray(received.wallets)) return null;
  const isRow = (value: unknown) => {
    const row = asObject(value);
    const months = [asObject(row?.in_sample), asObject(row?.out_of_sample)];
    return typeof row?.wallet === 'string' && isTexts(row.reasons) && !months.includes(null);
  };
  return received.wallets.every(isRow) ? (received as unknown as Leaderboard | RedList) : null;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
