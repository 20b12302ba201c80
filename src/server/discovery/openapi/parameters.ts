import { z } from 'zod';
import { ToolFlagsSchema } from '#api/arguments';
import type { Endpoint } from '#api/endpoints';
import { OrderRequestSchema } from '#api/order-request';
import { CHARGED_ANEW } from '#api/prices';
import { SCOREBOARD_PATH } from '#api/scoreboard';
import { WalletRequestSchema } from '#api/wallets/wallet-request';

const header = (description: string) => z.string().optional().describe(description);

const PAYMENT_HEADERS = {
  'PAYMENT-SIGNATURE': header(
    'x402 v2 payment: base64 of the JSON payload. On a retry send the same one, never a new one.',
  ),
  'X-PAYMENT': header('x402 v1 payment: base64 of the JSON payload.'),
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[ -~]+$/)
    .optional()
    .describe(
      'A repeat of the request with the same key gets the same, old answer and is not charged again: for 24 hours from credits, ' +
        `for 7 days by x402, also with a new authorization of the same wallet, except of ${CHARGED_ANEW}.`,
    ),
};

/** Query parameters of the tools, beside the free switches. */
export const TOOL_QUERIES = {
  preflight_trade: OrderRequestSchema.shape,
  leaderboard: {},
  red_list: {},
  preflight_copy: WalletRequestSchema.in.shape,
} as const;

const DAY = z.iso.date().optional().describe('A single day, by UTC; left out: the last 30 days.');
const TOKEN_ID = z.string().describe('Order-book token id, of those that GET /demo/markets lists.');

/**
 * Returns the query and header parameters of an endpoint. What a POST of an order says, it says in
 * its body.
 */
export function parametersOf({ payment, method, path }: Endpoint) {
  switch (payment.kind) {
    case 'per_call': {
      const own = method === 'POST' ? {} : TOOL_QUERIES[payment.tool];
      return { query: z.object({ ...own, ...ToolFlagsSchema.shape }), header: z.object(PAYMENT_HEADERS) };
    }
    case 'x402':
      return { query: ToolFlagsSchema.pick({ x402_probe: true }), header: z.object(PAYMENT_HEADERS) };
    case 'by_tool':
    case 'balance':
    case 'free':
      if (path === SCOREBOARD_PATH) return { query: z.object({ day: DAY }) };
      return path.includes('{token_id}') ? { path: z.object({ token_id: TOKEN_ID }) } : {};
  }
}
