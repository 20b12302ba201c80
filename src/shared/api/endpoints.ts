import type { ProblemCode } from '#domain/errors';
import { MCP_PATH } from './mcp-facts.js';
import { type Method, OPERATIONS, type PaidProduct } from './operations.js';
import type { Tool } from './prices.js';
import { CREDIT_PACK } from './prices.js';

/** The groups that descriptions sort endpoints into. */
export const TAGS = {
  orders: 'Should this order be sent, now, at this size, on this book?',
  wallets: 'Is this wallet worth copying?',
  credits: 'The prepaid lane: packs, balances, promotional codes.',
  agents: 'The same tools over the Model Context Protocol.',
  demo: 'A few markets to try the arithmetic on, with their books as they move. Free.',
  service: 'Whether the service is up, and how fresh its view of the venue is.',
} as const;

/**
 * How an endpoint is paid. `per_call`: by x402, or with a bearer token from credits; `x402`: by
 * x402 alone; `by_tool`: like the tool that is called through it; `balance`: not at all, but it
 * reads a bearer token; `free`: not at all.
 */
type Payment =
  | { readonly kind: 'per_call'; readonly tool: Tool }
  | { readonly kind: 'x402' }
  | { readonly kind: 'by_tool' }
  | { readonly kind: 'balance' }
  | { readonly kind: 'free' };

/** One method of one path, for every document that lists them. */
export interface Endpoint {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  /** One line. */
  readonly summary: string;
  readonly description: string;
  readonly payment: Payment;
  /** Codes of its error answers, beside those of every endpoint and those of a 402. */
  readonly problems: readonly ProblemCode[];
}

/** Errors that any endpoint may answer with. */
export const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'malformed_request',
  'headers_too_large',
  'overloaded',
  'internal_error',
];
const BODY_PROBLEMS: readonly ProblemCode[] = ['body_too_large', 'unsupported_media_type'];
const PAID_PROBLEMS: readonly ProblemCode[] = [
  'invalid_parameter',
  'idempotency_conflict',
  'payment_identifier_conflict',
  'settlement_pending',
  'payment_unavailable',
  'store_unavailable',
  'rate_limited',
];
const MARKET_PROBLEMS: readonly ProblemCode[] = ['unknown_market', 'outcome_required', 'venue_unavailable'];

const FREE: Payment = { kind: 'free' };

/** The order's endpoint by one method. */
function orderCheck(method: Method, operationId: string, how: string, problems: readonly ProblemCode[]): Endpoint {
  return {
    operationId,
    method,
    path: OPERATIONS.preflight_trade.path,
    tag: 'orders',
    summary: `Check an order (${how})`,
    description:
      `${OPERATIONS.preflight_trade.description} Every reason carries the number that triggered it, and the numbers suffice to ` +
      'recompute the verdict. Name the market by slug (with outcome if the event has several) or by token_id.',
    payment: { kind: 'per_call', tool: 'preflight_trade' },
    problems: [...PAID_PROBLEMS, ...MARKET_PROBLEMS, ...problems],
  };
}

/** A list's endpoint. */
function list(tool: 'leaderboard' | 'red_list', summary: string, rest: string): Endpoint {
  return {
    operationId: tool === 'leaderboard' ? 'getLeaderboard' : 'getRedList',
    method: 'GET',
    path: OPERATIONS[tool].path,
    tag: 'wallets',
    summary,
    description: `${OPERATIONS[tool].description} ${rest} Do not ask again before next_refresh_at.`,
    payment: { kind: 'per_call', tool },
    problems: [...PAID_PROBLEMS, 'ratings_unavailable'],
  };
}

/** Everything that is served, in the order in which it is listed. */
export const ENDPOINTS: readonly Endpoint[] = [
  orderCheck('GET', 'checkOrder', 'parameters in the query', []),
  orderCheck('POST', 'checkOrderByBody', 'parameters in a JSON body', BODY_PROBLEMS),
  {
    operationId: 'evaluateOrder',
    method: 'POST',
    path: '/api/evaluate',
    tag: 'orders',
    summary: 'Judge an order on a book that you bring',
    description:
      'The answer of preflight_trade for an order on the book in the body: rows, objects, GET /book of the venue, or the order book ' +
      'of Kalshi; at most 1,000 levels a side and 64 kB. The same arithmetic as live verdicts. Nothing is looked up, stored or charged; ' +
      '60 a minute.',
    payment: FREE,
    problems: ['invalid_parameter', ...BODY_PROBLEMS, 'rate_limited'],
  },
  list(
    'leaderboard',
    'Wallets worth copying',
    'COPY first, then WATCH (unproven). The list may be empty: proof is rare.',
  ),
  list('red_list', 'Wallets that lose their copiers money', 'The list may be empty.'),
  {
    operationId: 'checkWallet',
    method: 'GET',
    path: OPERATIONS.preflight_copy.path,
    tag: 'wallets',
    summary: 'Check a wallet',
    description:
      `${OPERATIONS.preflight_copy.description} A wallet with trades but without a profile is QUEUED (202, free): repeat the same ` +
      'call after Retry-After seconds. One below the coverage floor has NO_COVERAGE (200, free). Do not buy the same wallet again ' +
      'before next_refresh_at.',
    payment: { kind: 'per_call', tool: 'preflight_copy' },
    problems: [...PAID_PROBLEMS, 'evidence_unavailable', 'shutting_down'],
  },
  {
    operationId: 'getCredits',
    method: 'GET',
    path: '/api/credits',
    tag: 'credits',
    summary: 'Terms of the credit pack, or a balance',
    description:
      'What a pack costs and what calls cost in credits; with a bearer token also its balance and expiry. Free.',
    payment: { kind: 'balance' },
    problems: ['invalid_parameter', 'invalid_token', 'store_unavailable'],
  },
  {
    operationId: 'buyCredits',
    method: 'POST',
    path: '/api/credits',
    tag: 'credits',
    summary: 'Buy a credit pack',
    description:
      `${CREDIT_PACK.credits} credits for ${CREDIT_PACK.usd} USDC by x402, valid ${CREDIT_PACK.valid_days} days, with a bearer token ` +
      'that is shown only in this answer. Send an Idempotency-Key of at least 16 characters that cannot be guessed: with it a repeat ' +
      'shows the token again for 7 days. No body is needed; x402_probe may go into one.',
    payment: { kind: 'x402' },
    problems: [...PAID_PROBLEMS, ...BODY_PROBLEMS],
  },
  {
    operationId: 'renewToken',
    method: 'POST',
    path: '/api/credits/token',
    tag: 'credits',
    summary: 'Get a new token for a lost one',
    description:
      'A fresh bearer token for the credits of a wallet whose key signs for it (EIP-191): the text is in /auth.md, "A lost token". ' +
      'The nonce is good once and the message for 10 minutes. The last 5 tokens stay valid. Wallets that are contracts are not supported.',
    payment: FREE,
    problems: ['store_unavailable', 'invalid_parameter', ...BODY_PROBLEMS, 'rate_limited'],
  },
  {
    operationId: 'redeemPromoCode',
    method: 'POST',
    path: '/api/redeem',
    tag: 'credits',
    summary: 'Redeem a promotional code',
    description:
      'Exchanges a promotional code and a wallet address for a bearer token with free credits. No signature is needed and no ' +
      'funds move; each wallet can redeem a code once.',
    payment: FREE,
    problems: [
      'store_unavailable',
      'invalid_parameter',
      'unknown_promo_code',
      'promo_already_redeemed',
      'promo_gone',
      ...BODY_PROBLEMS,
      'rate_limited',
    ],
  },
  {
    operationId: 'callMcp',
    method: 'POST',
    path: MCP_PATH,
    tag: 'agents',
    summary: 'Model Context Protocol',
    description:
      'MCP over streamable HTTP, one JSON-RPC message per request (arrays are refused): the four tools, evaluate and credits. A bearer token ' +
      'goes into Authorization; without one, a live call returns the payment terms as its result. `sandbox: true` is free.',
    payment: { kind: 'by_tool' },
    problems: BODY_PROBLEMS,
  },
  {
    operationId: 'listDemoMarkets',
    method: 'GET',
    path: '/demo/markets',
    tag: 'demo',
    summary: 'Markets to watch for free',
    description:
      'At most five markets that the operator chose, with all that an order on their books is judged by; or an invented one. ' +
      'Not a verdict: the order books of other markets are behind preflight_trade.',
    payment: FREE,
    problems: [],
  },
  {
    operationId: 'watchDemoBook',
    method: 'GET',
    path: '/demo/books/{token_id}/events',
    tag: 'demo',
    summary: 'The book of such a market as it moves',
    description:
      'Server-sent events: `book` (every level, and its age) at most ten times a second, `stale` when the age passes the limit, ' +
      '`closed` when the market does, a comment every 15 s. A stream ends after 5 minutes. 4 at once and 60 new ones a minute per customer.',
    payment: FREE,
    problems: ['malformed_request', 'not_found', 'rate_limited', 'shutting_down'],
  },
  {
    operationId: 'getHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'service',
    summary: 'Readiness',
    description:
      '200 when the service is ready for requests, 500 while it starts or stops, or its store fails. `X-Health-Age-Ms` says how old what it knows of the store is.',
    payment: FREE,
    problems: [],
  },
  {
    operationId: 'getStatus',
    method: 'GET',
    path: '/status.json',
    tag: 'service',
    summary: 'Freshness',
    description:
      'Live state of everything that the service depends on, ages of the order books that it holds, and latencies.',
    payment: FREE,
    problems: [],
  },
  {
    operationId: 'getStatusHistory',
    method: 'GET',
    path: '/status/history.json',
    tag: 'service',
    summary: 'The last 24 hours',
    description: 'What /status.json said once a minute: rules that applied, latencies, age of the books.',
    payment: FREE,
    problems: [],
  },
  {
    operationId: 'getScoreboard',
    method: 'GET',
    path: '/scoreboard.json',
    tag: 'service',
    summary: 'What became of verdicts',
    description:
      'How often an OK or a CAUTION would have filled worse some seconds later, counted by the service on its own samples: ' +
      'the last 30 days, or with `day=2026-11-27` a single one of the last 400.',
    payment: FREE,
    problems: ['invalid_parameter', 'not_found', 'store_unavailable'],
  },
];

/** Returns what is bought at an endpoint with x402; null if nothing is. */
export function soldAt({ payment }: Pick<Endpoint, 'payment'>): PaidProduct | null {
  if (payment.kind === 'per_call') return payment.tool;
  return payment.kind === 'x402' ? 'credits' : null;
}
