import { withPaid } from '#api/paid';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Rows, Writes } from '#ports/store';
import { decidePurchase } from '../credits/purchase.js';
import { toPaid } from './outcomes.js';
import { CREDITS_OPERATION } from './work.js';

/** What is known when a payment has settled. */
export interface SettledFacts {
  readonly transaction: string;
  readonly nowMs: number;
  /** Random bytes for a token, drawn before the transaction, which may run again. */
  readonly secret: Uint8Array;
}

/** What a purchase answers beside `paid` (docs/interface-paying.md, "Credit resources"). */
const PURCHASE_NOTE =
  'The token is shown only here: keep it. Repeating this payment adds nothing and shows the token again for ten minutes, ' +
  'or at any time with the Idempotency-Key that came with the purchase.';

/**
 * * Returns the exact body of a settled payment and what else is written with it, in the same
 * transaction. Pure: the row alone says what was bought, so it works as well long after the
 * request, in another life of the process.
 */
export function completePayment(
  row: PaymentRow,
  rows: Pick<Rows, 'account' | 'tokens'>,
  { transaction, nowMs, secret }: SettledFacts,
): { readonly body: string; readonly writes: Writes } {
  const paid = toPaid(row, transaction);
  if (row.operation !== CREDITS_OPERATION) return { body: withPaid(row.answer, paid), writes: {} };
  const wallet = row.payment.authorization.from;
  const { writes, facts } = decidePurchase(rows, { wallet, requestId: row.requestId, transaction, nowMs, secret });
  const answer = {
    ok: true,
    token: facts.token,
    wallet,
    credits_added: facts.creditsAdded,
    balance: facts.balance,
    expires: new Date(facts.expiresAtMs).toISOString(),
    note: PURCHASE_NOTE,
  };
  return { body: withPaid(JSON.stringify(answer), paid), writes };
}
