import type { Lane } from '../answers.js';
import type { DamagedPurchase } from '../state/damaged-purchase.js';
import type { Purchase } from '../state/purchase.js';
import type { Limits } from '../terms/limits.js';
import type { Spending } from './tool-calls.js';
import type { ListedTool } from './tools.js';

/** Most unfinished purchases that are shown. */
const OPEN_SHOWN_MAX = 50;

const number = (description: string) => ({ type: 'number', description });
const text = (description: string) => ({ type: 'string', description });

/** The one tool that is not the service's: free, and asks nobody. */
export const LIMITS_TOOL: ListedTool = {
  name: 'limits',
  title: 'What may still be spent',
  description:
    'Shows what this server may spend for its operator and what it has spent: caps per call and per day, the sum of the last 24 hours ' +
    'over all programs of the same wallet, and purchases whose outcome is open. ' +
    'Use when planning paid calls, or after a refusal by `daily_cap`. ' +
    'Not when you want the credits of a token → use `credits`. ' +
    'Free, live, changes nothing; only the operator can change a limit.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  outputSchema: {
    type: 'object',
    properties: {
      ok: { type: 'boolean', const: true },
      service: text('Address of the service that is asked.'),
      lane: {
        type: 'string',
        enum: ['x402', 'credits', 'sandbox'],
        description: 'Paid from a wallet, from the credits of a token, or free examples alone.',
      },
      usd_per_call_max: number('Most that one call may cost, in USD.'),
      usd_per_day_max: number('Most that all calls of the wallet may cost in any 24 hours, in USD.'),
      usd_last_24h: number('What was claimed of that in the last 24 hours, in USD.'),
      open_purchases: {
        type: 'array',
        description:
          'Purchases whose outcome is not known: the same call again resumes each, and is charged at most once.',
        items: {
          type: 'object',
          properties: {
            purchase_id: text('Its name.'),
            request: text('What was asked.'),
            begun_at: text('When, in RFC 3339.'),
            may_be_charged: { type: 'boolean', description: 'Whether a payment may have been sent.' },
          },
          required: ['purchase_id', 'request', 'begun_at', 'may_be_charged'],
        },
      },
      tools: text('Whether the tools of the service are those of this release.'),
    },
    required: [
      'ok',
      'service',
      'lane',
      'usd_per_call_max',
      'usd_per_day_max',
      'usd_last_24h',
      'open_purchases',
      'tools',
    ],
  },
  annotations: {
    title: 'What may still be spent',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/**
 * Returns the answer of the tool `limits`. No signature and no credential of a purchase is in it.
 */
export function limitsAnswer(
  { limits, cents, open, damaged }: Spending,
  { service, lane, tools }: { service: string; lane: Lane; tools: string },
) {
  return {
    ok: true,
    service,
    lane,
    ...capsOf(limits),
    usd_last_24h: cents / 100,
    open_purchases: [...damaged.map(damagedToOpen), ...open.map(toOpen)].slice(0, OPEN_SHOWN_MAX),
    tools,
  };
}

function capsOf({ perCallMicros, dailyMicros }: Limits) {
  return { usd_per_call_max: Number(perCallMicros) / 1e6, usd_per_day_max: Number(dailyMicros) / 1e6 };
}

function toOpen({ id, request, begunAtMs, lane, unsent }: Purchase) {
  const { method, url, body } = request;
  return {
    purchase_id: id,
    request: body === null ? `${method} ${url}` : `${method} ${url} ${body}`,
    begun_at: new Date(begunAtMs).toISOString(),
    may_be_charged: unsent !== true && (lane.kind === 'credits' || lane.signature !== null),
  };
}

/** Nobody knows what was asked; the file is what its owner has to remove. */
function damagedToOpen({ path, writtenAtMs, overAtMs }: DamagedPurchase) {
  return {
    purchase_id: 'damaged',
    request: `not known: ${path} is damaged, and is to be removed after ${new Date(overAtMs).toISOString()}`,
    begun_at: new Date(writtenAtMs).toISOString(),
    may_be_charged: true,
  };
}
