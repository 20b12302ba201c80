import { NUMBER_FORM, readNumber } from '#domain/inputs/number-text';
import type { Side } from '#domain/market';
import {
  BOOK_AGE_S_MAX,
  DEFAULT_THRESHOLDS,
  DEFAULT_USD,
  SLIPPAGE_CENTS_MAX,
  type Thresholds,
  USD_MAX,
} from '#domain/order/thresholds';
import { thresholdsOf } from '#judge/verdict-body';

/** The order as it stands in the fields: text, until it can be read. */
export interface OrderFields {
  readonly side: Side;
  readonly usd: string;
  readonly maxSlippageC: string;
  readonly vetoSlippageC: string;
  readonly maxBookAgeS: string;
}

export const FIELDS_START: OrderFields = {
  side: 'BUY',
  usd: String(DEFAULT_USD),
  maxSlippageC: String(DEFAULT_THRESHOLDS.slippageCautionCents),
  vetoSlippageC: String(DEFAULT_THRESHOLDS.slippageVetoCents),
  maxBookAgeS: String(DEFAULT_THRESHOLDS.bookStaleVetoS),
};

/** An order that can be judged. */
export interface OrderInput {
  readonly side: Side;
  readonly usd: number;
  readonly thresholds: Thresholds;
}

/** `invalid` says at which field, and what to do about it. */
export type OrderReading =
  | { readonly kind: 'asked'; readonly order: OrderInput }
  | { readonly kind: 'invalid'; readonly field: Exclude<keyof OrderFields, 'side'>; readonly why: string };

/**
 * Returns the order that the fields ask, within the bounds of the interface (docs/interface.md,
 * "Order request"). Numbers are read as the service and the command line read them.
 */
export function readOrder(fields: OrderFields): OrderReading {
  const usd = readNumber(fields.usd);
  if (usd === null) return invalid('usd', NO_NUMBER);
  if (usd <= 0 || usd > USD_MAX) return invalid('usd', `Give a size above 0 and up to ${USD_MAX} USD.`);
  const caution = readNumber(fields.maxSlippageC);
  if (caution === null) return invalid('maxSlippageC', NO_NUMBER);
  if (caution < 0 || caution > SLIPPAGE_CENTS_MAX) {
    return invalid('maxSlippageC', `Give cents from 0 to ${SLIPPAGE_CENTS_MAX}.`);
  }
  const veto = readNumber(fields.vetoSlippageC);
  if (veto === null) return invalid('vetoSlippageC', NO_NUMBER);
  if (veto < caution || veto > SLIPPAGE_CENTS_MAX) {
    return invalid('vetoSlippageC', `Give cents from ${caution} (where CAUTION begins) to ${SLIPPAGE_CENTS_MAX}.`);
  }
  const ageS = readNumber(fields.maxBookAgeS);
  if (ageS === null) return invalid('maxBookAgeS', NO_NUMBER);
  if (ageS <= 0 || ageS > BOOK_AGE_S_MAX) {
    return invalid('maxBookAgeS', `Give seconds above 0 and up to ${BOOK_AGE_S_MAX}.`);
  }
  const thresholds = thresholdsOf({ max_slippage_c: caution, veto_slippage_c: veto, max_book_age_s: ageS });
  return { kind: 'asked', order: { side: fields.side, usd, thresholds } };
}

const NO_NUMBER = `Give ${NUMBER_FORM}.`;

function invalid(field: Exclude<keyof OrderFields, 'side'>, why: string): OrderReading {
  return { kind: 'invalid', field, why };
}
