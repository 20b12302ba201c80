import { grantLot, revokeCredits as takeAway } from '#domain/credits/credit-changes';
import { balanceAt, CREDITS_PER_GRANT_MAX, emptyAccount, type Lot } from '#domain/credits/credits';
import { VALID_DAYS_MAX } from '#domain/credits/promo';
import { addToken, parseToken, SECRET_BYTES, type TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import { DAY_MS } from '#domain/time';
import type { Decision } from '#ports/store';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import { assertNote, assertWhole } from './bounds.js';
import type { CreditsDeps } from './deps.js';
import { mintToken, withoutToken } from './token-secrets.js';

/** What an operator's grant did. */
export interface GrantResult {
  readonly balance: number;
  /** When the given credits expire. */
  readonly expiresAtMs: number;
  /** A fresh token, shown only here; null if the wallet has a valid one that reaches them. */
  readonly token: string | null;
}

/** All tokens of a wallet, or one token. */
export type TokenTarget = { readonly wallet: WalletAddress } | { readonly token: string };

/**
 * Gives credits by hand. Nothing expires with it: a command has the clock of its machine, which
 * nobody confirms, and what is expired does not come back.
 */
export async function grant(
  { store, clock, random }: CreditsDeps,
  wallet: WalletAddress,
  credits: number,
  days: number,
  note: string,
): Promise<GrantResult> {
  assertWhole('credits', credits, CREDITS_PER_GRANT_MAX);
  assertWhole('days', days, VALID_DAYS_MAX);
  assertNote(note);
  const atMs = clock.nowMs();
  const expiresAtMs = atMs + days * DAY_MS;
  // Not a promo token: those spend no granted credits.
  const minted = mintToken(random.bytes(SECRET_BYTES), { wallet, scope: 'purchase', code: null, nowMs: atMs });
  return store.transact({ account: wallet, tokens: wallet }, (rows): Decision<GrantResult> => {
    const change = grantLot(
      rows.account ?? emptyAccount(wallet),
      { kind: 'grant', credits, expiresAtMs, source: note },
      { operation: withNote('grant', note), requestId: null, atMs, lapsedByMs: NOTHING_LAPSES_MS },
    );
    const balance = balanceAt(change.account, atMs);
    if (hasPurchaseToken(rows.tokens)) return { writes: { change }, result: { balance, expiresAtMs, token: null } };
    const tokens = addToken(wallet, rows.tokens, minted.record);
    return { writes: { change, tokens }, result: { balance, expiresAtMs, token: minted.token } };
  });
}

/**
 * Takes credits away, those that expire first before the others. What has expired by this machine's
 * clock is left to the service.
 */
export async function revokeCredits(
  { store, clock }: CreditsDeps,
  wallet: WalletAddress,
  credits: number | 'all',
  note: string,
): Promise<{ readonly revoked: number; readonly balance: number }> {
  if (credits !== 'all') assertWhole('credits', credits, Number.MAX_SAFE_INTEGER);
  assertNote(note);
  const atMs = clock.nowMs();
  const cause = { operation: withNote('revoke', note), requestId: null, atMs, lapsedByMs: NOTHING_LAPSES_MS };
  const isLive = ({ expiresAtMs }: Lot) => expiresAtMs > atMs;
  return store.transact({ account: wallet }, (rows) => {
    const change = takeAway(rows.account ?? emptyAccount(wallet), credits, cause, isLive);
    return { writes: { change }, result: { revoked: change.revoked, balance: balanceAt(change.account, atMs) } };
  });
}

/** Ends tokens; the wallet's credits stay. */
export async function revokeTokens({ store }: CreditsDeps, target: TokenTarget): Promise<{ readonly revoked: number }> {
  const wallet = 'wallet' in target ? target.wallet : parseToken(target.token)?.wallet;
  if (wallet === undefined) return { revoked: 0 };
  return store.transact({ tokens: wallet }, (rows) => {
    const left = 'wallet' in target ? { wallet, tokens: [] } : withoutToken(rows.tokens, target.token);
    if (left === null || rows.tokens === null) return { writes: {}, result: { revoked: 0 } };
    return { writes: { tokens: left }, result: { revoked: rows.tokens.tokens.length - left.tokens.length } };
  });
}

function hasPurchaseToken(set: TokenSet | null): boolean {
  return set?.tokens.some(({ scope }) => scope === 'purchase') ?? false;
}

function withNote(what: string, note: string): string {
  return note === '' ? what : `${what}: ${note}`;
}
