import { withPaid } from '#api/written-answer';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Rows, Writes } from '#ports/store';
import { decidePurchase } from '../credits/purchase.js';
import { toPaid } from './outcomes.js';
import type { PackTokens } from './pack-token.js';
import { CREDITS_OPERATION } from './work.js';

/** What is known when a payment has settled. */
export interface SettledFacts {
  readonly transaction: string;
  readonly explorerUrl: string;
  readonly nowMs: number;
  readonly packTokens: Pick<PackTokens, 'secretOf' | 'placeholderFor'>;
}

/** What a purchase answers beside `paid` (docs/interface-paying.md, "Credit resources"). */
const PURCHASE_NOTE =
  'The token is shown only here: keep it. Repeating this payment adds nothing and shows the token again to anyone with what the ' +
  'purchase was made with and the chain does not show: the echoed purchase-secret of the terms, a payment-identifier or an ' +
  'Idempotency-Key; if it came without any of them, never. Who has lost it gets a new one at POST /api/credits/token.';

/**
 * Returns the exact body of a settled payment and what else is written with it, in the same
 * transaction. Pure: the row alone says what was bought, so it works as well long after the
 * request, in another life of the process. The body of a pack has no token, only its place.
 */
export function completePayment(
  row: PaymentRow,
  rows: Pick<Rows, 'account' | 'tokens'>,
  { transaction, explorerUrl, nowMs, packTokens }: SettledFacts,
): { readonly body: string; readonly writes: Writes } {
  const paid = toPaid(row, transaction, explorerUrl);
  if (row.operation !== CREDITS_OPERATION) return { body: withPaid(row.answer, paid), writes: {} };
  const wallet = row.payment.authorization.from;
  const secret = packTokens.secretOf(row.key);
  const { writes, facts } = decidePurchase(rows, { wallet, requestId: row.requestId, transaction, nowMs, secret });
  const answer = {
    ok: true,
    token: packTokens.placeholderFor(wallet),
    wallet,
    credits_added: facts.creditsAdded,
    balance: facts.balance,
    expires: new Date(facts.expiresAtMs).toISOString(),
    note: PURCHASE_NOTE,
  };
  return { body: withPaid(JSON.stringify(answer), paid), writes };
}
