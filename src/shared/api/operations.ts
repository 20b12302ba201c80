import type { z } from 'zod';
import { type Parsed, parseArguments } from './arguments.js';
import { MCP_FACTS } from './mcp-facts.js';
import { OrderRequestSchema, parseOrder } from './order-request.js';
import { OrderVerdictSchema } from './order-verdict.js';
import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS, PRICES, type Tool } from './prices.js';
import { ORDER_VERDICT_EXAMPLE } from './sandbox/sandbox.js';
import { LEADERBOARD_EXAMPLE, RED_LIST_EXAMPLE } from './sandbox/sandbox-lists.js';
import { WALLET_PROFILE_EXAMPLE } from './sandbox/sandbox-profile.js';
import { LeaderboardSchema, RedListSchema } from './wallets/wallet-lists.js';
import { WalletProfileSchema } from './wallets/wallet-profile.js';
import { NoParametersSchema, WalletRequestSchema } from './wallets/wallet-request.js';

/** How an operation may be called. POST takes in a JSON body what GET takes in the query. */
export type Method = 'GET' | 'POST';

/** What every row of the table below holds. */
interface Operation {
  readonly path: string;
  /** Any other method is answered with 405. */
  readonly methods: readonly Method[];
  /** At most 500 characters: it goes into the terms of every 402. */
  readonly description: string;
  readonly credits: number;
  /** JSON text. */
  readonly exampleBody: string;
  readonly request: z.ZodType;
  /** The 200 that is charged. */
  readonly response: z.ZodType;
  readonly parse: (raw: unknown) => Parsed<unknown>;
}

/**
 * The tools that are served, by name: where they are, what they do, how their parameters are read
 * and their free example.
 */
export const OPERATIONS = {
  preflight_trade: {
    path: '/api/preflight_trade',
    methods: ['GET', 'POST'],
    description:
      'Pre-flight verdict (OK, CAUTION or VETO) for one prediction-market order: slippage, depth, taker fee and ' +
      'largest safe size from the live order book.',
    credits: PRICES.preflight_trade.credits,
    exampleBody: JSON.stringify(ORDER_VERDICT_EXAMPLE),
    request: OrderRequestSchema,
    response: OrderVerdictSchema,
    parse: parseOrder,
  },
  leaderboard: {
    path: '/api/leaderboard',
    methods: ['GET'],
    description:
      'Prediction-market wallets rated COPY or WATCH by a simulated copier, with slippage, taker fees, an interval and ' +
      'an out-of-sample month. Refreshed nightly.',
    credits: PRICES.leaderboard.credits,
    exampleBody: JSON.stringify(LEADERBOARD_EXAMPLE),
    request: NoParametersSchema,
    response: LeaderboardSchema,
    parse: (raw: unknown) => parseArguments(NoParametersSchema, raw),
  },
  red_list: {
    path: '/api/red_list',
    methods: ['GET'],
    description:
      'Prediction-market wallets rated VETO: copying them lost money for the simulated copier, or they buy both sides. ' +
      'Refreshed nightly.',
    credits: PRICES.red_list.credits,
    exampleBody: JSON.stringify(RED_LIST_EXAMPLE),
    request: NoParametersSchema,
    response: RedListSchema,
    parse: (raw: unknown) => parseArguments(NoParametersSchema, raw),
  },
  preflight_copy: {
    path: '/api/preflight_copy',
    methods: ['GET'],
    description:
      'Is this wallet worth copying? COPY, WATCH or VETO with the 90-day record of a simulated copier: ROI after slippage and ' +
      'fees, intervals, out-of-sample month, farming screen. Wallets without a rating are free.',
    credits: PRICES.preflight_copy.credits,
    exampleBody: JSON.stringify(WALLET_PROFILE_EXAMPLE),
    request: WalletRequestSchema,
    response: WalletProfileSchema,
    parse: (raw: unknown) => parseArguments(WalletRequestSchema, raw),
  },
} as const satisfies Record<Tool, Operation>;

export type ServedTool = keyof typeof OPERATIONS;

/** Where payments go and what they are made in. */
export interface PaymentTerms {
  /** Public address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly payeeAddress: string;
  readonly usdcAddress: string;
  /**
   * A sentence that ends every description, such as that nothing here is real; absent: there is
   * none.
   */
  readonly note?: string | undefined;
}

/** What is sold, with where and for how much. */
interface ForSale {
  readonly path: string;
  readonly description: string;
  readonly amountMicros: bigint;
}

const forSale = (tool: Tool): ForSale => ({
  path: OPERATIONS[tool].path,
  description: OPERATIONS[tool].description,
  amountMicros: PRICES[tool].amountMicros,
});

/** The served tools and the credit pack. */
const FOR_SALE = {
  preflight_trade: forSale('preflight_trade'),
  leaderboard: forSale('leaderboard'),
  red_list: forSale('red_list'),
  preflight_copy: forSale('preflight_copy'),
  credits: {
    path: '/api/credits',
    description: `Credit pack: ${CREDIT_PACK.credits} credits for ${CREDIT_PACK.usd} USDC, valid ${CREDIT_PACK.valid_days} days, with a bearer token.`,
    amountMicros: CREDIT_PACK_AMOUNT_MICROS,
  },
} as const satisfies Record<string, ForSale>;

/** Who sells, as catalogs of paid endpoints show it. */
const SERVICE = { name: MCP_FACTS.title, tags: ['polymarket', 'prediction-markets', 'trading'] } as const;
const ICON_PATH = '/favicon.svg';

/** Whatever can be paid for with x402. */
export type PaidProduct = keyof typeof FOR_SALE;

/**
 * Returns the offer of what is sold for the x402 forms. Its URL never comes from the request, which
 * anybody can forge.
 */
export function paymentOffer(product: PaidProduct, terms: PaymentTerms) {
  const { path, description, amountMicros } = FOR_SALE[product];
  return {
    operation: product,
    resourceUrl: terms.baseUrl + path,
    service: { ...SERVICE, iconUrl: terms.baseUrl + ICON_PATH },
    description: terms.note === undefined ? description : `${description} ${terms.note}`,
    amountMicros,
    asset: terms.usdcAddress,
    payTo: terms.payeeAddress,
  };
}
