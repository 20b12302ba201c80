import { z } from 'zod';
import {
  CONDITION_MODULES,
  conditionModule,
  parseCondition,
  parseTokenId,
  parseWallet,
  type TapeWallet,
  type WalletAddress,
} from '#domain/ids';
import type { Side } from '#domain/market';
import { numberEqualFills } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import { ConditionSchema } from './condition.js';
import { toRoundedMicros } from './rounded-micros.js';
import { venueText } from './venue-text.js';
import { NumberSchema, TextSchema } from './venue-values.js';

/**
 * The fields of one row of the venue's trades under one name each; what the row holds in them is
 * not looked at yet.
 */
export interface RawTrade {
  readonly wallet: unknown;
  readonly side: unknown;
  readonly token: unknown;
  readonly condition: unknown;
  readonly size: unknown;
  readonly price: unknown;
  readonly time: unknown;
  readonly event: unknown;
  readonly outcomeIndex: unknown;
  readonly name: unknown;
  readonly pseudonym: unknown;
  readonly tx: unknown;
  readonly isCombo: unknown;
  /** Only rows of an activity have one. */
  readonly type: unknown;
}

/** What a list of rows holds. Each row is counted once, and none costs the others. */
export interface ParsedTrades {
  /** Rows that are equal within the list are different fills, numbered in their order. */
  readonly fills: readonly Fill[];
  readonly names: readonly { readonly wallet: TapeWallet; readonly name: string }[];
  /** Rows that are well-formed and no trade that a rating could look at. */
  readonly skipped: number;
  /** Rows that may be trades and cannot be read: whoever needs all trades does not have them. */
  readonly unreadable: number;
  /** The seconds of those among them that are of a kind which nobody knows. */
  readonly unknownS: readonly number[];
  /** All rows: an offset counts these. */
  readonly rows: number;
}

/**
 * One row: a trade, something else that is well-formed, or what may be a trade and cannot be read.
 */
export type ParsedTrade =
  | {
      readonly kind: 'trade';
      readonly fill: Fill;
      /** "" if the wallet goes by none. */
      readonly name: string;
    }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'unreadable';
      /** Its second, where the row is sound and its kind is one that nobody knows. */
      readonly unknownS?: number;
    };

const NAME_LENGTH_MAX = 100;
const EVENT_LENGTH_MAX = 300;
/** A dollar: no share costs more. */
const PRICE_MICROS_MAX = 1_000_000;
/** The venue's first trades are of 2020; more than this is milliseconds. */
const TIME_S_MIN = 1_577_836_800;
const TIME_S_MAX = 10_000_000_000;

const micros = z.union([z.number(), z.string()]).transform((value, context) => {
  const units = toRoundedMicros(value);
  if (units !== null && units > 0) return units;
  context.addIssue({ code: 'custom', message: 'must be a decimal above zero' });
  return z.NEVER;
});
const text = z.string().nullish();
/** No rating sees so little; its price is rounded to nothing, or beyond a dollar. */
const DUST_MICROS = 10_000;
/** Stands in a row that belongs to no outcome (docs/venue.md, "Trades"). */
const NO_OUTCOME = '999';
/** Markets of 2020 and 2021 had up to this many outcomes; a rating knows two. */
const OUTCOMES_MAX = 256;

/** The type of a trade in an activity. */
const TRADE = 'TRADE';
/** What an activity lists beside trades (docs/venue.md, "Trades"). */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  ...['SPLIT', 'MERGE', 'REDEEM', 'CONVERSION', 'REWARD', 'MAKER_REBATE', 'TAKER_REBATE', 'REFERRAL_REWARD'],
  ...['YIELD', 'DEPOSIT', 'WITHDRAWAL', 'TIP', 'MIGRATION'],
]);

/** What an activity lists of combos has types of its own that begin so. */
const COMBO_TYPE = /^COMBO_/;
/**
 * An id of a third protocol may be of another length than those of the two we know: half of one
 * that was torn off is shorter.
 */
const OTHER_CONDITION = /^0x(?:[0-9a-f]{2}){20,64}$/i;

const timeS = NumberSchema.pipe(z.number().int().min(TIME_S_MIN).max(TIME_S_MAX));

const TradeSchema = z.object({
  wallet: z.string(),
  side: z.enum(['BUY', 'SELL'] satisfies Side[]),
  token: TextSchema.refine((one) => parseTokenId(one) !== null),
  condition: ConditionSchema,
  size: micros,
  price: micros.refine((units) => units <= PRICE_MICROS_MAX),
  time: timeS,
  event: z.string().max(EVENT_LENGTH_MAX).nullish(),
  outcomeIndex: NumberSchema.pipe(z.number().int().min(0).max(OUTCOMES_MAX)),
  name: text,
  pseudonym: text,
  tx: z.union([z.literal(''), z.string().regex(/^0x[0-9a-fA-F]{64}$/)]).nullish(),
  type: z.literal(TRADE).nullish(),
});

/** Returns the trades among raw rows, in their order. Never throws. */
export function parseTradeRows(raws: readonly RawTrade[]): ParsedTrades {
  const fills: Fill[] = [];
  const names = new Map<TapeWallet, string>();
  const unknownS: number[] = [];
  let unreadable = 0;
  for (const raw of raws) {
    const trade = parseTrade(raw);
    if (trade.kind === 'unreadable') {
      unreadable++;
      if (trade.unknownS !== undefined) unknownS.push(trade.unknownS);
    }
    if (trade.kind !== 'trade') continue;
    fills.push(trade.fill);
    // The first row of a wallet is its newest.
    if (trade.name !== '' && !names.has(trade.fill.wallet)) names.set(trade.fill.wallet, trade.name);
  }
  return {
    fills: numberEqualFills(fills),
    names: [...names].map(([wallet, name]) => ({ wallet, name })),
    skipped: raws.length - fills.length - unreadable,
    unreadable,
    unknownS,
    rows: raws.length,
  };
}

/** Returns what one row is. Never throws. */
export function parseTrade(raw: RawTrade): ParsedTrade {
  if (isOfOtherProtocol(raw)) return OTHER;
  const parsed = TradeSchema.safeParse(raw);
  if (!parsed.success) return isOther(raw) ? OTHER : unreadable(raw);
  const row = parsed.data;
  const wallet = parseWallet(row.wallet);
  if (wallet === null) return { kind: 'unreadable' };
  if (row.outcomeIndex > 1) return OTHER;
  return {
    kind: 'trade',
    name: displayName(wallet, row.name ?? '', row.pseudonym ?? ''),
    fill: {
      wallet,
      token: row.token,
      condition: row.condition,
      event: row.event ?? '',
      outcomeIndex: row.outcomeIndex,
      side: row.side,
      sizeMicros: row.size,
      priceMicros: row.price,
      timeS: row.time,
      tx: row.tx?.toLowerCase() ?? '',
      logIndex: null,
    },
  };
}

const OTHER: ParsedTrade = { kind: 'other' };

/**
 * Whether a row is about a combo, or about something else that is no market of the two protocols
 * which we know: no rating looks at those.
 */
function isOfOtherProtocol({ isCombo, type, condition }: RawTrade): boolean {
  if (isCombo === true || isCombo === 'true') return true;
  if (typeof type === 'string' && COMBO_TYPE.test(type)) return true;
  if (typeof condition !== 'string') return false;
  const known = parseCondition(condition);
  if (known === null) return OTHER_CONDITION.test(condition);
  const { market, negRiskMarket } = CONDITION_MODULES;
  const module = conditionModule(known);
  return module !== null && module !== market && module !== negRiskMarket;
}

/** A sound row of a type that nobody knows spoils its own second alone: it may be a trade. */
function unreadable({ type, wallet, time }: RawTrade): ParsedTrade {
  const second = timeS.safeParse(time);
  const isKindUnknown = typeof type === 'string' && type !== '' && type !== TRADE;
  if (!isKindUnknown || !second.success || typeof wallet !== 'string' || parseWallet(wallet) === null) {
    return { kind: 'unreadable' };
  }
  return { kind: 'unreadable', unknownS: second.data };
}

/**
 * Whether a row that is no trade says so itself: by its type, by having no outcome, or by being
 * dust.
 */
function isOther({ type, token, side, outcomeIndex, size, price }: RawTrade): boolean {
  if (OTHER_TYPES.has(type)) return true;
  if (String(outcomeIndex) === NO_OUTCOME && token === '' && side === '') return true;
  const shares = microsOf(size);
  return shares !== null && shares < DUST_MICROS && microsOf(price) !== null;
}

function microsOf(value: unknown): number | null {
  return typeof value === 'number' || typeof value === 'string' ? toRoundedMicros(value) : null;
}

/**
 * A wallet that never chose a name has one that the venue made of its address; its pseudonym shows
 * more then.
 */
function displayName(wallet: WalletAddress, name: string, pseudonym: string): string {
  const chosen = name.toLowerCase().startsWith(wallet) ? pseudonym : name || pseudonym;
  return venueText(chosen, NAME_LENGTH_MAX);
}

/**
 * Returns the fields of an object, or none where it is something else: a torn row has no fields at
 * all.
 */
export function fieldsOf(row: unknown): Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {};
}
