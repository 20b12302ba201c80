import { z } from 'zod';
import { parseTokenId } from '#domain/ids';
import { parseJson } from '#domain/json';
import {
  FEE_FREE,
  FEE_UNKNOWN,
  type FeeSchedule,
  type Market,
  type Outcome,
  type VenueEvent,
  ZERO_FEES,
} from '#domain/market';
import { ConditionSchema } from './condition.js';
import { toFeeSchedule } from './fee-schedule.js';
import { gameDueMs } from './game-due.js';
import { venueText } from './venue-text.js';

/**
 * Every market the venue has listed for years wants 5 shares; it stands in if a market does not
 * give it.
 */
const DEFAULT_MIN_ORDER_SHARES = 5;

/**
 * Of what strangers wrote no more is kept. The venue's own questions have 100 characters, and the
 * names of markets within an event up to 81, of which the last ones may be all that differs.
 */
const QUESTION_CHARS_MAX = 300;
const GROUP_ITEM_CHARS_MAX = 160;
const LABEL_CHARS_MAX = 64;
/** What is longer, or holds anything but what is seen, is no slug. */
const SLUG = /^[!-~]{1,300}$/;

/**
 * Gamma writes lists as JSON text inside JSON. A real array is taken too, as markets of version
 * "v2" have one.
 */
const TextListSchema = z.union([z.array(z.string()), z.string().transform(parseTextList)]).nullish();

/** Gamma leaves out what is zero, false or unknown, so nearly everything may be absent or null. */
const GammaMarketSchema = z.object({
  conditionId: ConditionSchema,
  slug: z.string().regex(SLUG),
  question: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  outcomes: TextListSchema,
  clobTokenIds: TextListSchema,
  positionIds: TextListSchema,
  active: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  enableOrderBook: z.boolean().nullish(),
  umaResolutionStatus: z.string().nullish(),
  orderMinSize: z.number().min(0).nullish(),
  negRisk: z.boolean().nullish(),
  negRiskOther: z.boolean().nullish(),
  secondsDelay: z.number().min(0).nullish(),
  feesEnabled: z.boolean().nullish(),
  feeType: z.string().nullish(),
  feeSchedule: z.object({ rate: z.unknown().optional(), exponent: z.unknown().optional() }).nullish(),
  gameStartTime: z.unknown().optional(),
  endDate: z.unknown().optional(),
});

type WireMarket = z.infer<typeof GammaMarketSchema>;

const GammaEventSchema = z.object({
  slug: z.string().regex(SLUG),
  title: z.string().nullish(),
  markets: z.array(z.unknown()).nullish(),
});

/**
 * A Gamma market read into our terms. `isFeeReported` is false if Gamma does not give what the
 * market charges; its `fee` is then FEE_UNKNOWN and the CLOB is the one to ask. `rejected` is a
 * market no order can be priced on.
 */
export type GammaMarket =
  | { readonly kind: 'market'; readonly market: Market; readonly isFeeReported: boolean }
  | { readonly kind: 'rejected'; readonly reason: 'malformed' | 'not_binary' | 'no_tokens' };

/** Returns one element of Gamma's `/markets`, or of the `markets` of an event. Never throws. */
export function parseGammaMarket(raw: unknown): GammaMarket {
  const parsed = GammaMarketSchema.safeParse(raw);
  if (!parsed.success) return { kind: 'rejected', reason: 'malformed' };
  const wire = parsed.data;
  const labels = wire.outcomes ?? [];
  if (labels.length !== 2) return { kind: 'rejected', reason: 'not_binary' };
  const outcomes = toOutcomes(labels, wire.clobTokenIds ?? wire.positionIds ?? []);
  if (outcomes === null) return { kind: 'rejected', reason: 'no_tokens' };
  const received = reportedFee(wire);
  return {
    kind: 'market',
    market: toMarket(wire, outcomes, received ?? FEE_UNKNOWN),
    isFeeReported: received !== null,
  };
}

/**
 * Returns one element of Gamma's `/events`, or null if it is not an event. Markets that cannot be
 * priced are left out. A market whose fee Gamma does not give stands there with FEE_UNKNOWN.
 */
export function parseGammaEvent(raw: unknown): VenueEvent | null {
  const parsed = GammaEventSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { slug, title, markets } = parsed.data;
  const readable = (markets ?? []).map(parseGammaMarket).flatMap((one) => (one.kind === 'market' ? [one.market] : []));
  return { slug, title: venueText(title ?? '', QUESTION_CHARS_MAX), markets: readable };
}

function toMarket(wire: WireMarket, outcomes: readonly Outcome[], fee: FeeSchedule): Market {
  const active = wire.active ?? true;
  const closed = wire.closed ?? false;
  return {
    conditionId: wire.conditionId,
    slug: wire.slug,
    question: venueText(wire.question ?? '', QUESTION_CHARS_MAX),
    groupItemTitle: venueText(wire.groupItemTitle ?? '', GROUP_ITEM_CHARS_MAX) || null,
    outcomes,
    minOrderShares: wire.orderMinSize ?? DEFAULT_MIN_ORDER_SHARES,
    negRisk: wire.negRisk ?? false,
    placeholder: wire.negRiskOther === true || (!active && !closed),
    status: {
      active,
      closed,
      acceptingOrders: wire.acceptingOrders ?? false,
      orderBookEnabled: wire.enableOrderBook ?? false,
      umaResolutionStatus: venueText(wire.umaResolutionStatus ?? '', LABEL_CHARS_MAX),
    },
    fee,
    matchingDelayS: wire.secondsDelay ?? 0,
    gameDueMs: gameDueMs(wire.gameStartTime, wire.endDate),
  };
}

/** Index i of the labels and index i of the tokens are one outcome. */
function toOutcomes(labels: readonly string[], tokens: readonly string[]): readonly Outcome[] | null {
  if (tokens.length !== labels.length) return null;
  const outcomes: Outcome[] = [];
  for (const [index, label] of labels.entries()) {
    const tokenId = parseTokenId(tokens[index] ?? '');
    if (tokenId === null) return null;
    outcomes.push({ label: venueText(label, LABEL_CHARS_MAX), tokenId });
  }
  return outcomes;
}

/**
 * `takerBaseFee` (always 1000) and the tags say nothing about the rate; null if Gamma does not give
 * it in a form that can be read.
 */
function reportedFee(wire: WireMarket): FeeSchedule | null {
  if (wire.feesEnabled === false) return FEE_FREE;
  const category = venueText(wire.feeType ?? '', LABEL_CHARS_MAX) || 'unnamed schedule';
  const received = toFeeSchedule(wire.feeSchedule?.rate, wire.feeSchedule?.exponent, category);
  if (received.known) return received;
  const isRateGiven = (wire.feeSchedule?.rate ?? null) !== null;
  return wire.feeType === ZERO_FEES && !isRateGiven ? { ...FEE_FREE, category } : null;
}

function parseTextList(text: string, context: z.RefinementCtx): string[] {
  const list = parseJson(text);
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  context.addIssue({ code: 'custom', message: 'must be a JSON list of strings' });
  return z.NEVER;
}
