import type { Fill } from '#domain/rating/fill';
import type { TokenOutcome } from '#ports/chain-trades';
import { type FilledRow, type OrderFilled, toFilledRow } from '#wire/chain/order-filled';
import { EXCHANGES } from './exchanges.js';

/** Addresses whose orders are none of a wallet, in lower case. */
export const NOT_WALLETS: ReadonlySet<string> = new Set(EXCHANGES.map((address) => address.toLowerCase()));

/**
 * Returns what a wallet did by an `OrderFilled` event of the exchanges, or null if it is no order
 * of a wallet. Whoever has such an event, from an endpoint or from a file, gets the same row.
 */
export function toWalletRow(event: OrderFilled): FilledRow | null {
  return toFilledRow(event, NOT_WALLETS);
}

/** When and where an event was logged. */
export interface LoggedAt {
  readonly timeS: number;
  readonly tx: string;
  readonly logIndex: number;
}

/** Returns the row as a fill of the tape. */
export function toFill(row: FilledRow, outcome: TokenOutcome, { timeS, tx, logIndex }: LoggedAt): Fill {
  const { wallet, token, side, sizeMicros, priceMicros } = row;
  const { condition, event, outcomeIndex } = outcome;
  return {
    wallet,
    token,
    condition,
    event,
    outcomeIndex,
    side,
    sizeMicros,
    priceMicros,
    timeS,
    tx: tx.toLowerCase(),
    logIndex,
  };
}
