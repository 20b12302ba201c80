import { balanceAt, firstExpiryMs } from '#domain/credits/credits';
import { addToken, SECRET_BYTES } from '#domain/credits/token';
import {
  TOKEN_REQUEST_AGE_MAX_MS,
  TOKEN_REQUEST_AHEAD_MAX_MS,
  type TokenRequest,
  tokenRequestText,
} from '#domain/credits/token-request';
import type { WalletAddress } from '#domain/ids';
import type { Decision, StoredAnswer } from '#ports/store';
import type { CreditsDeps } from './deps.js';
import { mintToken } from './token-secrets.js';

/** A request for a token with the wallet's signature of its text. */
export interface SignedTokenRequest extends TokenRequest {
  readonly signature: string;
}

export type WalletTokenResult =
  | {
      readonly kind: 'issued';
      /** Shown in full only here. */
      readonly token: string;
      readonly wallet: WalletAddress;
      /** All credits of the wallet, and when the first of them lapse. */
      readonly balance: number;
      readonly expiresAtMs: number;
    }
  /** Too old, or of the future. `used`: this nonce was there before. */
  | { readonly kind: 'not_signed' | 'not_now' | 'used' | 'no_credits' };

/**
 * Used nonces are kept as answers in a scope of their own, which is no promo code, until their
 * message is too old anyway.
 */
const NONCE_SCOPE = 'token-request';

/**
 * Gives a wallet that signed for it a token that spends all its credits. Older ones lapse beyond
 * the limit, as with a purchase; so five new ones end all others.
 */
export async function issueToWallet(
  { store, clock, lapses = clock, random, signer }: CreditsDeps,
  request: SignedTokenRequest,
): Promise<WalletTokenResult> {
  const { wallet, nonce, issuedAt, signature } = request;
  const nowMs = clock.nowMs();
  const lapsedByMs = lapses.nowMs();
  const issuedAtMs = Date.parse(issuedAt);
  const isNow = issuedAtMs >= nowMs - TOKEN_REQUEST_AGE_MAX_MS && issuedAtMs <= nowMs + TOKEN_REQUEST_AHEAD_MAX_MS;
  if (!isNow) return { kind: 'not_now' };
  if (signer.signerOf(tokenRequestText(request), signature) !== wallet) return { kind: 'not_signed' };
  const minted = mintToken(random.bytes(SECRET_BYTES), { wallet, scope: 'purchase', code: null, nowMs });
  const used: StoredAnswer = {
    wallet,
    code: NONCE_SCOPE,
    key: nonce,
    fingerprint: '',
    body: '',
    expiresAtMs: issuedAtMs + TOKEN_REQUEST_AGE_MAX_MS + 1,
  };
  const keys = { account: wallet, tokens: wallet, answer: used };
  return store.transact(keys, (rows): Decision<WalletTokenResult> => {
    if (rows.answer !== null) return { writes: {}, result: { kind: 'used' } };
    const expiresAtMs = rows.account === null ? null : firstExpiryMs(rows.account, lapsedByMs);
    if (rows.account === null || expiresAtMs === null) return { writes: {}, result: { kind: 'no_credits' } };
    const balance = balanceAt(rows.account, lapsedByMs);
    return {
      writes: { tokens: addToken(wallet, rows.tokens, minted.record), answer: used },
      result: { kind: 'issued', token: minted.token, wallet, balance, expiresAtMs },
    };
  });
}
