import type { PurchaseResponse } from '#api/credits';
import { formatToken, parseToken } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { StoreKey } from '#ports/store-key';
import { mintToken } from '../credits/token-secrets.js';

/** Stands in place of a secret that is not shown. */
const COVER = '***';

/**
 * The tokens of credit packs. None is kept: it is made again of the store's key and the payment's,
 * so that a repeat can show it while the store holds its hash alone.
 */
export interface PackTokens {
  /** Returns the 32 secret bytes of the token that a payment buys. */
  secretOf(key: PaymentKey): Uint8Array;
  /**
   * Returns what stands in the kept answer in the token's place; it names the key that it takes.
   */
  placeholderFor(wallet: WalletAddress): string;
  /** Returns a kept answer with its token, or covered if that cannot be made any more. */
  show(body: string, key: PaymentKey): string;
  /** Returns a kept answer with its token covered: `tk_<wallet>_***`. */
  cover(body: string): string;
}

/** Returns the tokens of the packs of one store. */
export function createPackTokens(storeKey: StoreKey): PackTokens {
  const secretOf = (key: PaymentKey) => storeKey.mac('pack token', key);
  const placeholderFor = (wallet: WalletAddress) => formatToken(wallet, `${COVER}${storeKey.id}`);
  return {
    secretOf,
    placeholderFor,
    show: (body, key) =>
      withToken(body, (stored, wallet) => {
        // Answers from before tokens were left out of them hold theirs.
        if (parseToken(stored) !== null) return stored;
        if (stored !== placeholderFor(wallet)) return formatToken(wallet, COVER);
        return mintToken(secretOf(key), { wallet, scope: 'purchase', code: null, nowMs: 0 }).token;
      }),
    cover: (body) => withToken(body, (_stored, wallet) => formatToken(wallet, COVER)),
  };
}

function withToken(body: string, tokenFor: (stored: string, wallet: WalletAddress) => string): string {
  const answer = JSON.parse(body) as PurchaseResponse;
  return JSON.stringify({ ...answer, token: tokenFor(answer.token, answer.wallet as WalletAddress) });
}
