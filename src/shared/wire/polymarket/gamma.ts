import { z } from 'zod';
import { parseTokenId } from '#domain/ids';
import {
  DEFAULT_MIN_ORDER_SHARES,
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
import { PROTOCOL_FIELDS, tokensOf } from './protocol.js';
import { RESOLUTION_FIELDS, resolutionStatusOf } from './resolution-status.js';
import { venueText } from './venue-text.js';
import { FlagSchema, fromJsonText, NumberSchema, orJsonText, TextListSchema, TextSchema } from './venue-values.js';

/**
 * Of what strangers wrote no more is kept. The venue's own questions have 100 characters, and the
 * names of markets within an event up to 81, of which the last ones may be all that differs.
 */
const QUESTION_CHARS_MAX = 300;
const GROUP_ITEM_CHARS_MAX = 160;
const LABEL_CHARS_MAX = 64;
/** What is longer, or holds anything but what is seen, is no slug. */
const SLUG = /^[!-~]{1,300}$/;

const flag = FlagSchema.nullish();
const text = TextSchema.nullish();
const amount = NumberSchema.refine((value) => (value ?? 0) >= 0).nullish();

/**
 * Gamma leaves out what is zero or unknown, so nearly everything may be absent or null. Whether a
 * market is active and closed stood in all of 14,900 recorded ones, and the rest of what makes it
 * take orders in all that were open: without them nobody knows whether it does.
 */
const GammaMarketSchema = z
  .object({
    conditionId: ConditionSchema,
    slug: TextSchema.pipe(z.string().regex(SLUG)),
    question: text,
    groupItemTitle: text,
    outcomes: TextListSchema,
    ...PROTOCOL_FIELDS,
    active: FlagSchema.pipe(z.boolean()),
    closed: FlagSchema.pipe(z.boolean()),
    acceptingOrders: flag,
    enableOrderBook: flag,
    ...RESOLUTION_FIELDS,
    orderMinSize: amount,
    negRisk: flag,
    negRiskOther: flag,
    secondsDelay: amount,
    feesEnabled: flag,
    feeType: text,
    feeSchedule: orJsonText(z.object({ rate: z.unknown().optional(), exponent: z.unknown().optional() })),
    gameStartTime: z.unknown().optional(),
    endDate: z.unknown().optional(),
  })
  .refine(
    ({ closed, acceptingOrders, enableOrderBook }) =>
      closed || (typeof acceptingOrders === 'boolean' && typeof enableOrderBook === 'boolean'),
  );

type WireMarket = z.infer<typeof GammaMarketSchema>;

/** An event without its list of markets is not an event without markets. */
const GammaEventSchema = z.object({
  slug: TextSchema.pipe(z.string().regex(SLUG)),
  title: text,
  markets: fromJsonText(z.array(z.unknown())),
});

/**
 * A Gamma market read into our terms. `isFeeReported` is false if Gamma does not give what the
 * market charges; its `fee` is then FEE_UNKNOWN and the CLOB is the one to ask. `hasFee`: it says that
 * there is one. `rejected` is a
 * market no order can be priced on: one that is understood, of more outcomes than two or from
 * before the venue's order books, or one that is malformed, of which nothing is known.
 */
export type GammaMarket =
  | { readonly kind: 'market'; readonly market: Market; readonly isFeeReported: boolean; readonly hasFee: boolean }
  | { readonly kind: 'rejected'; readonly reason: 'malformed' | 'not_binary' | 'no_tokens' };

/** Returns one element of Gamma's `/markets`, or of the `markets` of an event. Never throws. */
export function parseGammaMarket(raw: unknown): GammaMarket {
  const parsed = GammaMarketSchema.safeParse(raw);
  if (!parsed.success) return { kind: 'rejected', reason: 'malformed' };
  const wire = parsed.data;
  const labels = wire.outcomes ?? [];
  if (labels.length > 2) return { kind: 'rejected', reason: 'not_binary' };
  const tokens = tokensOf(wire);
  if (tokens === null && wire.closed && wire.enableOrderBook !== true) return { kind: 'rejected', reason: 'no_tokens' };
  const outcomes = toOutcomes(labels, tokens ?? []);
  if (outcomes === null) return { kind: 'rejected', reason: 'malformed' };
  const received = reportedFee(wire);
  return {
    kind: 'market',
    market: toMarket(wire, outcomes, received ?? FEE_UNKNOWN),
    isFeeReported: received !== null,
    hasFee: wire.feesEnabled === true,
  };
}

/**
 * Returns one element of Gamma's `/events`, or null if it is not an event. Markets that cannot be
 * priced are left out of its list and counted; one that is listed twice is one. A market whose fee
 * Gamma does not give stands there with FEE_UNKNOWN.
 */
export function parseGammaEvent(raw: unknown): VenueEvent | null {
  const parsed = GammaEventSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { slug, title, markets } = parsed.data;
  const listed = withoutRepeats(markets.map(parseGammaMarket));
  return {
    slug,
    title: venueText(title ?? '', QUESTION_CHARS_MAX),
    markets: listed.flatMap((one) => (one.kind === 'market' ? [one.market] : [])),
    listedCount: listed.length,
    unreadableCount: listed.filter((one) => one.kind === 'rejected' && one.reason === 'malformed').length,
  };
}

function withoutRepeats(listed: readonly GammaMarket[]): readonly GammaMarket[] {
  const seen = new Set<string>();
  return listed.filter((one) => {
    if (one.kind !== 'market') return true;
    const { conditionId } = one.market;
    const isNew = !seen.has(conditionId);
    seen.add(conditionId);
    return isNew;
  });
}

function toMarket(wire: WireMarket, outcomes: readonly Outcome[], fee: FeeSchedule): Market {
  const { active, closed } = wire;
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
      umaResolutionStatus: venueText(resolutionStatusOf(wire), LABEL_CHARS_MAX),
    },
    fee,
    matchingDelayS: wire.secondsDelay ?? 0,
    gameDueMs: gameDueMs(wire.gameStartTime, wire.endDate),
  };
}

/**
 * Index i of the labels and index i of the tokens are one outcome. Two that have one token between
 * them would both be priced on one book.
 */
function toOutcomes(labels: readonly string[], tokens: readonly string[]): readonly Outcome[] | null {
  if (labels.length !== 2 || tokens.length !== labels.length || tokens[0] === tokens[1]) return null;
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
