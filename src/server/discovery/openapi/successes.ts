import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { NO_COVERAGE_EXAMPLE, QUEUED_EXAMPLE } from '#api/sandbox/sandbox-profile';
import {
  CREDITS_EXAMPLES,
  PURCHASE_EXAMPLE,
  REDEEM_EXAMPLE,
  RENEW_EXAMPLE,
  RPC_EXAMPLES,
  sandboxOf,
} from './examples.js';
import { type HeaderName, headerAlways, headersRef, RECEIPTS, REPLAYS } from './headers.js';
import { refTo, type SchemaName } from './schemas.js';

/** Returns a JSON answer of one of these forms. */
function answer(
  description: string,
  names: readonly SchemaName[],
  examples: Readonly<Record<string, object>>,
  headers: readonly HeaderName[] = [],
): ZodOpenApiResponseObject {
  const refs = names.map(refTo);
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    description,
    headers: headersRef('X-API-Version', 'X-Request-Id', ...headers),
    content: {
      'application/json': {
        schema: refs.length === 1 ? refs[0]! : { anyOf: refs },
        ...(values.length === 0 ? {} : { examples: Object.fromEntries(values) }),
      },
    },
  };
}

/** 202 of preflight_copy always says when to come again. */
function queued(): ZodOpenApiResponseObject {
  const text = 'QUEUED: the profile is being computed. Never charged: an attached payment is not settled.';
  const response = answer(text, ['Queued'], { queued: QUEUED_EXAMPLE });
  return { ...response, headers: { ...response.headers, ...headerAlways('Retry-After') } };
}

/** Headers of what is sold, and of what is sold and may be kept until its next refresh. */
const SOLD = [...RECEIPTS, ...REPLAYS] as const;
const REPLAYABLE = [...SOLD, 'Vary'] as const;

const VERDICT = {
  200: answer('The verdict.', ['OrderVerdict'], { sandbox: sandboxOf('preflight_trade') }, SOLD),
};

/** To a reader that has it already. */
const NOT_MODIFIED: ZodOpenApiResponseObject = {
  description: 'It is what If-None-Match names.',
  headers: headersRef('X-API-Version', 'X-Request-Id', 'ETag'),
};

const DEMO_MARKETS_EXAMPLE = { example: true, max_book_age_s: 60, markets: [], example_market: DEMO_EXAMPLE };

const DEMO_BOOK_EVENT = {
  sequence: 1_786_000_000_001,
  server_time_ms: 1_786_000_000_000,
  token_id: DEMO_EXAMPLE.market.outcomes[0]!.token_id,
  book: DEMO_EXAMPLE.book,
  market_status: DEMO_EXAMPLE.market.status,
};

const DEMO_STREAM_SCHEMA = {
  type: 'string' as const,
  contentMediaType: 'application/json',
  contentSchema: { anyOf: [refTo('DemoBookEvent'), refTo('DemoStaleEvent'), refTo('DemoClosedEvent')] },
};

/** The data of an event is JSON, and which of the forms it has is said by the name of the event. */
const DEMO_STREAM: ZodOpenApiResponseObject = {
  description:
    'The events, until the stream ends. The data of each is JSON: DemoBookEvent, DemoStaleEvent or DemoClosedEvent.',
  headers: headersRef('X-API-Version', 'X-Request-Id'),
  content: {
    'text/event-stream': {
      schema: DEMO_STREAM_SCHEMA,
      examples: { book: { value: `event: book\ndata: ${JSON.stringify(DEMO_BOOK_EVENT)}\n\n` } },
    },
  },
};

const HISTORY_EXAMPLE = {
  every_seconds: 60,
  hours: 24,
  samples: [{ t: 1_786_000_000, rules: ['books_stale'], p50: 4.2, p95: 11.8, age: 71.3 }],
};

/** What each endpoint answers when all is well, by operationId. */
const SUCCESSES: Readonly<Record<string, ZodOpenApiResponsesObject>> = {
  checkOrder: VERDICT,
  checkOrderByBody: VERDICT,
  evaluateOrder: { 200: answer('The verdict on that book, without a charge.', ['OrderVerdict'], {}) },
  getLeaderboard: { 200: answer('The list.', ['Leaderboard'], { sandbox: sandboxOf('leaderboard') }, REPLAYABLE) },
  getRedList: { 200: answer('The list.', ['RedList'], { sandbox: sandboxOf('red_list') }, REPLAYABLE) },
  checkWallet: {
    200: answer(
      'The profile; or NO_COVERAGE, which is never charged.',
      ['WalletProfile', 'NoCoverage'],
      { sandbox: sandboxOf('preflight_copy'), no_coverage: NO_COVERAGE_EXAMPLE },
      REPLAYABLE,
    ),
    202: queued(),
  },
  getCredits: { 200: answer('Terms, and the balance of a valid token.', ['CreditTerms'], CREDITS_EXAMPLES) },
  buyCredits: {
    200: answer('The credits, and a token that is shown only here.', ['Purchase'], { bought: PURCHASE_EXAMPLE }, SOLD),
  },
  redeemPromoCode: {
    200: answer('The credits, and a token that is shown only here.', ['Redeemed'], {
      redeemed: REDEEM_EXAMPLE.response,
    }),
  },
  renewToken: {
    200: answer('A token that is shown only here.', ['Renewed'], { renewed: RENEW_EXAMPLE.response }),
  },
  callMcp: {
    200: answer('The response of the MCP server.', ['RpcMessage'], { response: RPC_EXAMPLES.response }),
    202: { description: 'The notification was accepted.', headers: headersRef('X-API-Version', 'X-Request-Id') },
  },
  listDemoMarkets: {
    200: answer('The markets, or an invented one.', ['DemoMarkets'], { example: DEMO_MARKETS_EXAMPLE }, ['ETag']),
    304: NOT_MODIFIED,
  },
  watchDemoBook: { 200: DEMO_STREAM },
  getHealth: { 200: answer('Ready.', ['Health'], { ready: { ok: true } }) },
  getStatus: { 200: answer('The state of the service.', ['Status'], {}) },
  getStatusHistory: {
    200: answer('A sample for each minute.', ['StatusHistory'], { history: HISTORY_EXAMPLE }, ['ETag']),
    304: NOT_MODIFIED,
  },
  getScoreboard: {
    200: answer('What was counted.', ['Scoreboard'], {}, ['ETag']),
    304: NOT_MODIFIED,
  },
};

/** Returns the answers of an endpoint when all is well. */
export function successOf(operationId: string): ZodOpenApiResponsesObject {
  const found = SUCCESSES[operationId];
  if (found === undefined) throw new Error(`no success is described for ${operationId}`);
  return found;
}
