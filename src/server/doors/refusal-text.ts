import { NOT_THE_BUYER, REPEAT_OVER } from '#services/gate/repeats';
import { OTHER_SIGNATURE } from '#services/payments/sender';

/**
 * What to do about a refusal, by a word of its reason; the first that fits. Facilitators have
 * spellings of their own.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/another request|another resource/, 'it was made for something else: sign a new payment on these terms'],
  [
    /undeployed/,
    'this wallet is not deployed yet: deploy it, with any first transaction, and sign again; or pay from another wallet',
  ],
  [/insufficient/, 'the paying wallet has too little USDC on Base: add some, or pay from another wallet'],
  [/kyt/, 'the facilitator does not serve this wallet: pay from another wallet'],
  [/authorization_expired/, 'it lapsed before it was settled: sign a new one on these terms'],
  [/authorization_cancelled/, 'its payer has cancelled it: sign a new one on these terms'],
  [
    /consumed_elsewhere|nonce/,
    'its nonce was used before, and not for this request: sign a new one with a fresh nonce',
  ],
  [/valid_before/, 'it lapses too soon: set the clock right, and let validBefore be maxTimeoutSeconds from now'],
  [/valid_after/, 'it is not valid yet: set the clock right, and let validAfter be 0 or in the past'],
  [/recipient/, 'it pays another address: sign it to the payTo of these terms'],
  [/value|amount/, 'it is not for the amount that is asked: sign exactly the amount of these terms'],
  [/signature|typed_data/, 'its signature does not fit: sign these terms with the key of the paying wallet'],
  [/asset|token|network|scheme|requirements|eip712/, 'it is in another form of money: sign USDC on Base, scheme exact'],
];

/** It paid, and long ago: the one refusal of a payment that was taken. */
const REPEAT_OVER_TEXT =
  'this payment was settled and answered before, and the time in which its answer is repeated is over: nothing was charged ' +
  'again; for a new answer sign a new payment on these terms, and for the lost token of a credit pack see POST /api/credits/token';

/** It paid for somebody who can prove it. */
const NOT_THE_BUYER_TEXT =
  'this payment was settled and answered before, and its answer is repeated only with what it was bought with: the ' +
  'purchase-secret of its terms, its payment-identifier or its Idempotency-Key; nothing was charged again';

/** It came before, and who repeats it is not known to be its payer. */
const OTHER_SIGNATURE_TEXT =
  'this authorization came before with another signature, and this one is not known to be of its payer: repeat the payment ' +
  'as it was; this request charged nothing';

const OTHERWISE = 'sign a new one on these terms, or pay from another wallet';

/**
 * Returns the sentence of a refused payment: that it is certain, and what to do. The code of the
 * scheme goes beside it, as `reason`.
 */
export function refusalText(reason: string): string {
  if (reason === REPEAT_OVER) return REPEAT_OVER_TEXT;
  if (reason === NOT_THE_BUYER) return NOT_THE_BUYER_TEXT;
  if (reason === OTHER_SIGNATURE) return OTHER_SIGNATURE_TEXT;
  const advice = ADVICE.find(([word]) => word.test(reason))?.[1] ?? OTHERWISE;
  return `this payment did not and will not pay for this request: ${advice}${timesOf(reason)}`;
}

/** The times that did not fit, where the reason has them: one of the clocks is wrong. */
function timesOf(reason: string): string {
  const times = /valid_(?:before|after): (.*)$/.exec(reason)?.[1];
  return times === undefined ? '' : ` (it ${times})`;
}
