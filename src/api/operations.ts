import { parseArguments } from './arguments.js';
import { OrderRequestSchema } from './order-verdict.js';
import { PRICES, type Tool } from './prices.js';
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

/** Returns the offer of a tool for the x402 forms. Its URL never comes from the request, which anybody can forge. */
export function paymentOffer(tool: ServedTool, terms: PaymentTerms) {
  const { path, description } = OPERATIONS[tool];
  return {
    resourceUrl: terms.baseUrl + path,
    description,
    amountMicros: PRICES[tool].amountMicros,
    asset: terms.usdcAddress,
    payTo: terms.payeeAddress,
  };
}
