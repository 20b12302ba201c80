import { type Change, revokeCredits } from '#domain/credits/credit-changes';
import type { Account } from '#domain/credits/credits';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { pagesOf } from '../integrity/pages.js';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import { CREDITS_OPERATION } from './work.js';

/**
 * Returns the lot that a payment has bought, or null if it bought none. The ledger knows it: one
 * transaction may have paid for several.
 */
export async function findLot(
  { operation, requestId, payment }: PaymentRow,
  { listing }: Pick<Store, 'listing'>,
): Promise<number | null> {
  if (operation !== CREDITS_OPERATION) return null;
  const { from: wallet } = payment.authorization;
  for await (const { items } of pagesOf((from, limit) => listing.entriesOf(wallet, from, limit))) {
    const bought = items.find((entry) => entry.operation === 'purchase' && entry.requestId === requestId);
    if (bought !== undefined) return bought.lots[0]?.lotId ?? null;
  }
  return null;
}

/** Returns the account without what is left of a lot. */
export function takeBack(
  account: Account,
  lotId: number,
  { requestId, atMs }: Pick<PaymentRow, 'requestId'> & { readonly atMs: number },
): Change & { readonly revoked: number } {
  const cause = { operation: 'purchase refuted', requestId, atMs, lapsedByMs: NOTHING_LAPSES_MS };
  // Not so many as the pack has: what was spent of it would come back with a debit that is given back.
  return revokeCredits(account, 'all', cause, ({ id }) => id === lotId);
}
