import { balanceAt, firstExpiryMs } from '#domain/credits/credits';
import type { Promo } from '#domain/credits/promo';
import { type Bearer, spendableBy, type TokenSet } from '#domain/credits/token';
import { settleUnanswered } from '#domain/credits/unanswered';
import type { WalletAddress } from '#domain/ids';
import type { MaybePromise } from '#domain/maybe-promise';
import type { AnswerKey } from '#ports/store';
import { AnswerOutcomes } from './answer-outcomes.js';
import { type AnswerLookup, type ChargeRequest, type ChargeResult, charge, findAnswer } from './charges.js';
import type { CreditsDeps } from './deps.js';
import { type GrantResult, grant, revokeCredits, revokeTokens, type TokenTarget } from './operations.js';
import { readable } from './promo-names.js';
import {
  createPromo,
  type PromoTerms,
  type RedeemResult,
  type RevokePromoResult,
  redeem,
  revokePromo,
} from './promos.js';
import { settleDebits } from './refunds.js';
import { findToken, type PresentedToken, presentToken } from './token-secrets.js';
import { issueToWallet, type SignedTokenRequest, type WalletTokenResult } from './wallet-token.js';

/**
 * Prepaid credits: who may spend them, what is left, and every way in which they come and go. Each
 * change is one transaction of the store and on disk when its promise resolves. Rejects with the
 * store's OutsideError, and the operators' methods with a Problem `invalid_parameter` where an
 * argument is out of its bounds.
 */
export interface Credits {
  /**
   * The wallet of a valid token and how far the token reaches, else null. Constant-time on the
   * secret; same work for unknown wallets.
   */
  authenticate(token: string): MaybePromise<Bearer | null>;
  /**
   * Unexpired credits that the bearer may spend, and when the first of them expire (null: no
   * credits).
   */
  balanceOf(bearer: Bearer): Promise<{ readonly balance: number; readonly expiresAtMs: number | null }>;
  /** Whether this was answered in the last 24 hours, and with what. */
  findAnswer(answerKey: AnswerKey, fingerprint: string): Promise<AnswerLookup>;
  /**
   * Debits, renders and keeps the answer in one transaction; a repeat with the same key is answered
   * and not debited.
   */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /** Gives back debits whose answers did not go out. To be called again and again (refunds.ts). */
  settleDebits(): Promise<void>;
  /**
   * Gives a wallet the credits of a promo code and a fresh token that spends these credits only.
   * Codes compare trimmed and without case.
   */
  redeem(code: string, wallet: WalletAddress): Promise<RedeemResult>;

  /** Gives a wallet that signed for it a fresh token for its credits. */
  issueToWallet(request: SignedTokenRequest): Promise<WalletTokenResult>;

  createPromo(terms: PromoTerms): Promise<'created' | 'exists'>;
  /** All codes ever made, by code. */
  listPromos(): Promise<readonly Promo[]>;
  /**
   * Ends a code and takes back what is left of the credits it gave. May be repeated, also after a
   * crash half way.
   */
  revokePromo(code: string): Promise<RevokePromoResult>;
  /** Gives credits by hand; mints a token where the wallet has no valid one that spends them. */
  grant(wallet: WalletAddress, credits: number, days: number, note: string): Promise<GrantResult>;
  /** Takes credits away: as many as asked, or as many as there are. */
  revokeCredits(
    wallet: WalletAddress,
    credits: number | 'all',
    note: string,
  ): Promise<{ readonly revoked: number; readonly balance: number }>;
  /** Ends all tokens of a wallet, or one token. 0: there was no such valid token. */
  revokeTokens(target: TokenTarget): Promise<{ readonly revoked: number }>;
}

function bearerOf(set: TokenSet | null, { wallet, secretHash }: PresentedToken): Bearer | null {
  const found = findToken(set, secretHash);
  return found === null ? null : { wallet, scope: found.scope, code: found.code };
}

/** Returns the credits service over a store. */
export function createCredits(deps: CreditsDeps): Credits {
  const { store, clock, lapses = clock } = deps;
  const outcomes = new AnswerOutcomes(deps.random);
  return {
    authenticate(token) {
      const presented = presentToken(token);
      if (presented === null) return null;
      const tokens = store.tokens(presented.wallet);
      return tokens instanceof Promise ? tokens.then((set) => bearerOf(set, presented)) : bearerOf(tokens, presented);
    },
    async balanceOf(bearer) {
      const account = await store.account(bearer.wallet);
      if (account === null) return { balance: 0, expiresAtMs: null };
      const nowMs = lapses.nowMs();
      const only = spendableBy(bearer);
      const settled = settleUnanswered(account, (debit) => outcomes.outcomeOf(debit, nowMs), nowMs).account;
      return { balance: balanceAt(settled, nowMs, only), expiresAtMs: firstExpiryMs(settled, nowMs, only) };
    },
    findAnswer: (answerKey, fingerprint) => findAnswer({ store, lapses }, answerKey, fingerprint),
    charge: (request) => charge({ store, clock, lapses, outcomes }, request),
    settleDebits: () => settleDebits({ store, clock, lapses, outcomes }),
    redeem: (code, wallet) => redeem(deps, code, wallet),
    issueToWallet: (request) => issueToWallet(deps, request),
    createPromo: (terms) => createPromo(deps, terms),
    async listPromos() {
      const promos = (await store.promos()).map((promo) => readable(deps, promo));
      return promos.sort((a, b) => (a.code < b.code ? -1 : 1));
    },
    revokePromo: (code) => revokePromo(deps, code),
    grant: (wallet, credits, days, note) => grant(deps, wallet, credits, days, note),
    revokeCredits: (wallet, credits, note) => revokeCredits(deps, wallet, credits, note),
    revokeTokens: (target) => revokeTokens(deps, target),
  };
}
