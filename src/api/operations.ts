import { parseArguments } from './arguments.js';
import { OrderRequestSchema } from './order-verdict.js';
import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS, PRICES, type Tool } from './prices.js';
import { ORDER_VERDICT_EXAMPLE } from './sandbox.js';

/** The tools that are served, by name: where they are, what they do, how their parameters are read and their free example. */
export const OPERATIONS = {
  preflight_trade: {
    path: '/api/preflight_trade',
    description:
      'Pre-flight verdict (OK, CAUTION or VETO) for one prediction-market order: slippage, depth, taker fee and ' +
      'largest safe size from the live order book.',
    credits: PRICES.preflight_trade.credits,
    exampleBody: JSON.stringify(ORDER_VERDICT_EXAMPLE),
    parse: (raw: unknown) => parseArguments(OrderRequestSchema, raw),
  },
} as const satisfies Partial<Record<Tool, object>>;

export type ServedTool = keyof typeof OPERATIONS;

/** Where payments go and what they are made in. */
export interface PaymentTerms {
  /** Public address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly payeeAddress: string;
  readonly usdcAddress: string;
}

/** What is sold, with where and for how much: the served tools and the credit pack. */
const FOR_SALE = {
  preflight_trade: {
    path: OPERATIONS.preflight_trade.path,
    description: OPERATIONS.preflight_trade.description,
    amountMicros: PRICES.preflight_trade.amountMicros,
  },
  credits: {
    path: '/api/credits',
    description: `Credit pack: ${CREDIT_PACK.credits} credits for ${CREDIT_PACK.usd} USDC, valid ${CREDIT_PACK.valid_days} days, with a bearer token.`,
    amountMicros: CREDIT_PACK_AMOUNT_MICROS,
  },
} as const;

/** Whatever can be paid for with x402. */
export type PaidThing = keyof typeof FOR_SALE;

/** Returns the offer of what is sold for the x402 forms. Its URL never comes from the request, which anybody can forge. */
export function paymentOffer(thing: PaidThing, terms: PaymentTerms) {
  const { path, description, amountMicros } = FOR_SALE[thing];
  return {
    operation: thing,
    resourceUrl: terms.baseUrl + path,
    description,
    amountMicros,
    asset: terms.usdcAddress,
    payTo: terms.payeeAddress,
  };
}
