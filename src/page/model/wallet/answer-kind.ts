import type { Leaderboard, NoCoverage, Queued, RedList, WalletProfile } from '#client/answers';
import { asObject } from '#client/text';

/** An answer about a wallet as it is drawn. */
export type WalletAnswer =
  | { readonly kind: 'profile'; readonly profile: WalletProfile }
  | { readonly kind: 'queued'; readonly queued: Queued }
  | { readonly kind: 'no_coverage'; readonly noCoverage: NoCoverage }
  /** Whoever answered, it was not this service in this version. */
  | { readonly kind: 'unreadable' };

/** Returns what an answer of preflight_copy is. A body with a part missing is not drawn in part. */
export function walletAnswer(body: unknown): WalletAnswer {
  const told = asObject(body);
  if (told === null || typeof told.wallet !== 'string' || !isTexts(told.reasons)) return { kind: 'unreadable' };
  if (told.verdict === 'QUEUED') return { kind: 'queued', queued: told as unknown as Queued };
  if (told.verdict === 'NO_COVERAGE') return { kind: 'no_coverage', noCoverage: told as unknown as NoCoverage };
  const parts = [told.window, told.older, told.in_sample, told.out_of_sample, told.both_sides].map(asObject);
  const tables = [told.entry_price_buckets, told.category_mix_pct].map(asObject);
  if (typeof told.verdict !== 'string' || [...parts, ...tables].includes(null)) return { kind: 'unreadable' };
  return { kind: 'profile', profile: told as unknown as WalletProfile };
}

/** Returns a list as it is drawn; null if the answer is none. */
export function listAnswer(body: unknown): Leaderboard | RedList | null {
  const told = asObject(body);
  if (told === null || !Array.isArray(told.wallets)) return null;
  const isRow = (value: unknown) => {
    const row = asObject(value);
    const months = [asObject(row?.in_sample), asObject(row?.out_of_sample)];
    return typeof row?.wallet === 'string' && isTexts(row.reasons) && !months.includes(null);
  };
  return told.wallets.every(isRow) ? (told as unknown as Leaderboard | RedList) : null;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
