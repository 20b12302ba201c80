import { z } from 'zod';
import { ConditionSchema } from './condition.js';
import { toFeeNumber } from './fee-schedule.js';
import { PROTOCOL_FIELDS, tokensOf } from './protocol.js';
import { RESOLUTION_FIELDS, resolutionStatusOf } from './resolution-status.js';
import { toRoundedMicros } from './rounded-micros.js';
import { parseVenueTimeS } from './venue-time.js';
import { FlagSchema, fromJsonText, orJsonText, TextListSchema, TextSchema } from './venue-values.js';

/** A Gamma market as ratings look at it. */
export interface GammaMarketFacts {
  /** Lower case. */
  readonly condition: string;
  readonly slug: string;
  /** Slug of its event; "" if Gamma does not give it. */
  readonly event: string;
  readonly seriesSlug: string;
  readonly outcomes: readonly string[];
  /** Index i is outcome i. */
  readonly tokens: readonly string[];
  readonly closed: boolean;
  /** Whether Gamma says that its oracle has spoken the last word. */
  readonly isResolved: boolean;
  /** In seconds; null while it is open, and if it is not given. */
  readonly closedAtS: number | null;
  /**
   * When it was meant to end, in seconds: the start of the game, else its end date
   * (docs/ratings.md, "Scored entries").
   */
  readonly scheduledEndS: number | null;
  /**
   * The clear winner of a closed market, by its prices; null if there is none (docs/venue.md,
   * "Resolution").
   */
  readonly payoutMicros: readonly number[] | null;
  readonly createdAtS: number | null;
  readonly tags: readonly string[];
  readonly feesEnabled: boolean | null;
  readonly feeType: string | null;
  readonly feeRate: number | null;
  readonly feeExponent: number | null;
  readonly sportsMarketType: string | null;
  readonly gameStartTime: string | null;
}

const text = TextSchema.nullish();
const flag = FlagSchema.nullish();
/** A number, or the text of one. */
const feeNumber = z
  .unknown()
  .optional()
  .refine((given) => given === undefined || given === null || toFeeNumber(given) !== null)
  .transform(toFeeNumber);
const time = z
  .string()
  .refine((written) => written === '' || parseVenueTimeS(written) !== null)
  .nullish();
const TagSchema = z.object({ slug: text, label: text });
const EventSchema = z.object({
  slug: text,
  seriesSlug: text,
  series: orJsonText(z.array(z.object({ slug: text }))),
  tags: orJsonText(z.array(TagSchema)),
});

/**
 * A field may be missing, because Gamma leaves many out, but one of another form makes the market
 * unreadable: each of them decides what is rated, when, at which fee or with which result. The
 * slug, the outcomes and whether it is closed were there in all of 14,900 recorded markets.
 */
const MarketSchema = z.object({
  conditionId: ConditionSchema,
  slug: TextSchema.pipe(z.string().min(1)),
  events: orJsonText(z.array(EventSchema)),
  outcomes: fromJsonText(z.array(TextSchema).min(1)),
  outcomePrices: TextListSchema,
  ...PROTOCOL_FIELDS,
  closed: FlagSchema.pipe(z.boolean()),
  closedTime: time,
  umaEndDate: time,
  ...RESOLUTION_FIELDS,
  gameStartTime: time,
  endDate: time,
  createdAt: time,
  tags: orJsonText(z.array(TagSchema)),
  feesEnabled: flag,
  feeType: text,
  feeSchedule: orJsonText(z.object({ rate: feeNumber, exponent: feeNumber })),
  sportsMarketType: text,
});

type WireMarket = z.infer<typeof MarketSchema>;

/** Returns one element of Gamma's `/markets`, or null if it cannot be read. Never throws. */
export function parseGammaMarketFacts(raw: unknown): GammaMarketFacts | null {
  const parsed = MarketSchema.safeParse(raw);
  if (!parsed.success) return null;
  const wire = parsed.data;
  const event = wire.events?.[0];
  const { closed } = wire;
  return {
    condition: wire.conditionId,
    slug: wire.slug,
    event: event?.slug ?? '',
    seriesSlug: event?.seriesSlug ?? event?.series?.[0]?.slug ?? '',
    outcomes: wire.outcomes,
    tokens: tokensOf(wire) ?? [],
    closed,
    isResolved: statusOf(wire) === 'resolved',
    closedAtS: closed ? (parseVenueTimeS(wire.closedTime) ?? parseVenueTimeS(wire.umaEndDate)) : null,
    scheduledEndS: parseVenueTimeS(wire.gameStartTime) ?? parseVenueTimeS(wire.endDate),
    payoutMicros: payoutByPrices(wire),
    createdAtS: parseVenueTimeS(wire.createdAt),
    tags: [...(wire.tags ?? []), ...(event?.tags ?? [])].flatMap((tag) => tag.slug ?? tag.label ?? []),
    feesEnabled: wire.feesEnabled ?? null,
    feeType: wire.feeType ?? null,
    feeRate: wire.feeSchedule?.rate ?? null,
    feeExponent: wire.feeSchedule?.exponent ?? null,
    sportsMarketType: wire.sportsMarketType ?? null,
    gameStartTime: wire.gameStartTime ?? null,
  };
}

const DOLLAR_MICROS = 1_000_000;
const WINNER_MICROS_MIN = 999_000;
const LOSER_MICROS_MAX = 1_000;
/**
 * A closed market in any other state is not decided, whatever its prices say: challenged, paused, a
 * new word.
 */
const DECIDED: ReadonlySet<string> = new Set(['', 'settled', 'resolved']);

function statusOf(wire: WireMarket): string {
  return resolutionStatusOf(wire).toLowerCase();
}

/**
 * A closed market of two outcomes of which one is at 0.999 or more and the other at 0.001 or less.
 * Prices in between say nothing: archived markets keep the last ones (0.5 and 0.5 among them), and
 * ["0","0"] is unknown.
 */
function payoutByPrices(wire: WireMarket): readonly number[] | null {
  if (wire.closed !== true || !DECIDED.has(statusOf(wire))) return null;
  const prices = (wire.outcomePrices ?? []).map(toRoundedMicros);
  if (prices.length !== 2) return null;
  const winner = prices.findIndex((price) => price !== null && price >= WINNER_MICROS_MIN);
  const loser = prices.findIndex((price) => price !== null && price <= LOSER_MICROS_MAX);
  if (winner === -1 || loser === -1) return null;
  return prices.map((_, index) => (index === winner ? DOLLAR_MICROS : 0));
}
