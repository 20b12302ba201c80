import type { PaymentKey } from '#domain/payment/payment';
import { PAYMENT_STATES } from '#domain/payment/payment-row';
import type { OpenPayment } from '#ports/store';
import { malformedRow } from '../../rows/row-fields.js';
import type { Columns } from '../ask.js';

/** Returns an open payment from the columns of its row. */
export function toOpenPayment(raw: Columns): OpenPayment {
  const key = raw.key as PaymentKey;
  const state = PAYMENT_STATES.find((known) => known === raw.state);
  if (state === undefined) throw malformedRow(`payment/${key}`, 'state is not one that is known');
  return {
    key,
    owner: raw.owner as string | null,
    epoch: raw.epoch as number,
    state,
    createdAtMs: raw.created_at_ms as number,
    isSignedByKey: raw.is_signed_by_key as boolean,
  };
}
