import { CREDIT_PACK } from '#api/prices';
import { type Change, grantLot } from '#domain/credits/credit-changes';
import { balanceAt, emptyAccount } from '#domain/credits/credits';
import { addToken, type TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import { DAY_MS } from '#domain/time';
import type { Rows } from '#ports/store';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import { mintToken } from './token-secrets.js';

/** A credit pack whose payment has settled. */
export interface SettledPurchase {
  /** Who paid; whose credits they are. */
  readonly wallet: WalletAddress;
  readonly requestId: string;
  /** Hash of the transaction that paid; kept with the credits. */
  readonly transaction: string;
  readonly nowMs: number;
  /**
   * 32 random bytes for the token, drawn before the transaction: what runs inside it may run again.
   */
  readonly secret: Uint8Array;
}

/** What is written and what is answered (docs/interface-paying.md, "Credit resources"). */
export interface PurchaseDecision {
  readonly writes: { readonly change: Change; readonly tokens: TokenSet };
  readonly facts: {
    /** Shown in full only in the answer to this purchase. */
    readonly token: string;
    readonly wallet: WalletAddress;
    readonly creditsAdded: number;
    /** All credits of the wallet, the new ones included. */
    readonly balance: number;
    /** When the new credits expire. */
    readonly expiresAtMs: number;
  };
}

/**
 * Gives the credits of a pack and a fresh purchase token. Pure. Nothing expires with it: `nowMs` may
 * be of a clock that is not confirmed yet. To be written in the transaction that makes the payment's
 * row SETTLED, and only if it was not before: that row is what makes it happen once.
 */
export function decidePurchase(
  rows: Pick<Rows, 'account' | 'tokens'>,
  { wallet, requestId, transaction, nowMs, secret }: SettledPurchase,
): PurchaseDecision {
  const expiresAtMs = nowMs + CREDIT_PACK.valid_days * DAY_MS;
  const change = grantLot(
    rows.account ?? emptyAccount(wallet),
    { kind: 'purchase', credits: CREDIT_PACK.credits, expiresAtMs, source: transaction },
    { operation: 'purchase', requestId, atMs: nowMs, lapsedByMs: NOTHING_LAPSES_MS },
  );
  const { token, record } = mintToken(secret, { wallet, scope: 'purchase', code: null, nowMs });
  const balance = balanceAt(change.account, nowMs);
  return {
    writes: { change, tokens: addToken(wallet, rows.tokens, record) },
    facts: { token, wallet, creditsAdded: CREDIT_PACK.credits, balance, expiresAtMs },
  };
}
