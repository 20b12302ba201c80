import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId } from '#domain/ids';
import type { ToldBook, ToldHeading, ToldMarket, ToldStatus } from './told.js';

/**
 * Reads what came over the line, which may be anything: a proxy's own answer, half an event, another version. Each
 * function returns null for what is not in the form that the page computes with.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Markets of `/demo/markets`. Those that cannot be read are left out; null: this is no such list. */
export function readMarkets(told: unknown): readonly ToldMarket[] | null {
  if (!isRecord(told) || !Array.isArray(told.markets)) return null;
  return told.markets.filter(isMarket);
}

export function readHeading(told: unknown): ToldHeading | null {
  if (!isRecord(told)) return null;
  const { sequence, server_time_ms, token_id } = told;
  if (!isCount(sequence) || !isCount(server_time_ms) || typeof token_id !== 'string') return null;
  return { sequence, server_time_ms, token_id };
}

export function readBook(told: unknown): ToldBook | null {
  if (!isRecord(told) || !isCount(told.confirmed_age_ms) || !isCount(told.timestamp_ms)) return null;
  const isWhole = typeof told.listed === 'boolean' && isSide(told.bids) && isSide(told.asks);
  return isWhole ? (told as unknown as ToldBook) : null;
}

export function readStatus(told: unknown): ToldStatus | null {
  const isWhole =
    isRecord(told) &&
    [told.active, told.closed, told.accepting_orders, told.order_book_enabled].every((is) => typeof is === 'boolean') &&
    typeof told.uma_resolution_status === 'string';
  return isWhole ? (told as unknown as ToldStatus) : null;
}

function isMarket(told: unknown): told is ToldMarket {
  return (
    isRecord(told) &&
    typeof told.slug === 'string' &&
    typeof told.question === 'string' &&
    Array.isArray(told.outcomes) &&
    told.outcomes.length > 0 &&
    told.outcomes.every(isOutcome) &&
    isFee(told.fee) &&
    isNumber(told.min_order_shares) &&
    isNumber(told.matching_delay_s) &&
    readStatus(told.status) !== null
  );
}

function isOutcome(told: unknown): boolean {
  if (!isRecord(told) || !isText(told.label) || !isText(told.token_id) || !isText(told.events)) return false;
  return parseTokenId(told.token_id) !== null && isOwnPath(told.events);
}

/** A page asks nobody but where it came from. */
function isOwnPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//');
}

function isFee(told: unknown): boolean {
  const isWhole = isRecord(told) && isNumber(told.rate) && isCount(told.exponent) && typeof told.known === 'boolean';
  return isWhole && isText(told.category);
}

function isSide(told: unknown): boolean {
  return Array.isArray(told) && told.every(isLevel);
}

function isLevel(told: unknown): boolean {
  if (!Array.isArray(told) || !isText(told[0]) || !isText(told[1])) return false;
  const [priceTicks, sizeMicros] = [parsePriceTicks(told[0]), parseSizeMicros(told[1])];
  return priceTicks !== null && sizeMicros !== null && priceTicks > 0 && priceTicks < 10_000 && sizeMicros > 0;
}

function isRecord(told: unknown): told is Readonly<Record<string, unknown>> {
  return typeof told === 'object' && told !== null && !Array.isArray(told);
}

const isText = (told: unknown): told is string => typeof told === 'string';
const isNumber = (told: unknown): told is number => typeof told === 'number' && Number.isFinite(told) && told >= 0;
const isCount = (told: unknown): told is number => Number.isSafeInteger(told) && (told as number) >= 0;
