import { PACK_TERMS } from '#api/credits';
import { ERROR_TEXTS } from '#api/error-texts';
import { docOf } from '#api/errors';
import { OPERATIONS, type PaidProduct, type PaymentTerms, paymentOffer } from '#api/operations';
import type { PaymentRequiredBody } from '#api/payment-required';
import { EXAMPLE_WALLETS } from '#api/sandbox/sandbox-wallets';
import type { ProblemCode } from '#domain/errors';
import { PAYMENT_WINDOW_S } from '#domain/payment/payment';

/** Values of parameters, by name, as they stand in examples. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  slug: 'will-it-rain-tomorrow',
  outcome: 'Yes',
  token_id: '1234567890',
  side: 'BUY',
  usd: 250,
  max_slippage_c: 1,
  veto_slippage_c: 3,
  max_book_age_s: 60,
  wallet: EXAMPLE_WALLETS.STEADY.wallet,
  user: EXAMPLE_WALLETS.STEADY.wallet,
  'Idempotency-Key': '5f0c8d4e-order-17',
};

/** A book that a caller brings. */
export const EVALUATED_BOOK = { bids: [['0.47', '300']], asks: [['0.48', '250']] } as const;

/** Returns the free example of a tool. */
export function sandboxOf(tool: keyof typeof OPERATIONS): object {
  return JSON.parse(OPERATIONS[tool].exampleBody);
}

const { wallet } = EXAMPLE_WALLETS.HOPEFUL;

const EXPIRES = '2027-08-01T00:00:00.000Z';
const TOKEN = { ok: true, token: 'tk_example_secret', wallet } as const;

export const REDEEM_EXAMPLE = {
  request: { code: 'SPRING', wallet },
  response: {
    ...TOKEN,
    credits_added: 50,
    balance: 50,
    expires: EXPIRES,
    note: 'Keep the token: it is shown only here.',
  },
} as const;

export const RENEW_EXAMPLE = {
  request: {
    wallet,
    nonce: 'a-nonce-that-is-used-once',
    issued_at: '2026-08-01T12:00:00Z',
    signature: `0x${'00'.repeat(65)}`,
  },
  response: { ...TOKEN, balance: 499, expires: EXPIRES, note: 'Keep the token: it is shown only here.' },
} as const;

export const PURCHASE_EXAMPLE = {
  ...TOKEN,
  credits_added: 500,
  balance: 500,
  expires: EXPIRES,
  note: 'The token is shown only here: keep it.',
  paid: {
    price_paid_usdc: '5.00',
    transaction: `0x${'0'.repeat(64)}`,
    network: 'eip155:8453',
    receipt: `https://basescan.org/tx/0x${'0'.repeat(64)}`,
  },
} as const;

export const CREDITS_EXAMPLES = { terms: PACK_TERMS, balance: { ...PACK_TERMS, balance: 499, expires: EXPIRES } };

export const RPC_EXAMPLES = {
  request: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'preflight_trade', arguments: { sandbox: true } },
  },
  response: {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: '{"ok":true}' }], structuredContent: { ok: true } },
  },
  refusal: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'send one JSON-RPC message as the body' } },
} as const;

/** Errors after which a call may have been charged. */
const MAY_BE_CHARGED: readonly ProblemCode[] = ['settlement_pending', 'store_unavailable'];

/** Returns the body of an error. */
export function errorExample(code: ProblemCode): object {
  const body = { error: ERROR_TEXTS[code], code, doc: docOf(code) };
  if (code === 'outcome_required') return { ...body, candidates: ['Yes', 'No'] };
  return MAY_BE_CHARGED.includes(code) ? { ...body, retry: 'same_payment' } : body;
}

/** Returns the body of a 402: the x402 v1 form. */
export function paymentRequiredExample(product: PaidProduct, terms: PaymentTerms): PaymentRequiredBody {
  const { amountMicros, asset, payTo, resourceUrl: resource, description } = paymentOffer(product, terms);
  return {
    x402Version: 1,
    error: ERROR_TEXTS.payment_required,
    accepts: [
      {
        scheme: 'exact',
        network: 'base',
        maxAmountRequired: String(amountMicros),
        asset,
        payTo,
        resource,
        description,
        mimeType: 'application/json',
        maxTimeoutSeconds: PAYMENT_WINDOW_S,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
    code: 'payment_required',
    doc: docOf('payment_required'),
  };
}
