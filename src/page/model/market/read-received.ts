import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId } from '#domain/ids';
import { FEE_EXPONENT_MAX } from '#domain/market';
import type { ReceivedBook, ReceivedHeading, ReceivedMarket, ReceivedStatus } from './received.js';

// Reads what came over the line, which may be anything: a proxy's own answer, half an event, another
// version. Each function returns null for what is not in the form that the page computes with.

/**
 * Markets of `/demo/markets`. Those that cannot be read are left out; null: this is no such list.
 */
export function readMarkets(received: unknown): readonly ReceivedMarket[] | null {
  if (!isRecord(received) || !Array.isArray(received.markets)) return null;
  return received.markets.filter(isMarket);
}

export function readHeading(received: unknown): ReceivedHeading | null {
  if (!isRecord(received)) return null;
  const { sequence, server_time_ms, token_id } = received;
  if (!isCount(sequence) || !isCount(server_time_ms) || typeof token_id !== 'string') return null;
  return { sequence, server_time_ms, token_id };
}

export function readBook(received: unknown): ReceivedBook | null {
  if (!isRecord(received) || !isCount(received.confirmed_age_ms) || !isCount(received.timestamp_ms)) return null;
  const isWhole = typeof received.listed === 'boolean' && isSide(received.bids) && isSide(received.asks);
  return isWhole ? (received as unknown as ReceivedBook) : null;
}

export function readStatus(received: unknown): ReceivedStatus | null {
  const isWhole =
    isRecord(received) &&
    [received.active, received.closed, received.accepting_orders, received.order_book_enabled].every(
      (is) => typeof is === 'boolean',
    ) &&
    typeof received.uma_resolution_status === 'string';
  return isWhole ? (received as unknown as ReceivedStatus) : null;
}

function isMarket(received: unknown): received is ReceivedMarket {
  return (
    isRecord(received) &&
    typeof received.slug === 'string' &&
    typeof received.question === 'string' &&
    Array.isArray(received.outcomes) &&
    received.outcomes.length > 0 &&
    received.outcomes.every(isOutcome) &&
    isFee(received.fee) &&
    isNumber(received.min_order_shares) &&
    isNumber(received.matching_delay_s) &&
    (received.game_due_at === null || isMoment(received.game_due_at)) &&
    readStatus(received.status) !== null
  );
}

function isOutcome(received: unknown): boolean {
  if (!isRecord(received) || !isText(received.label) || !isText(received.token_id) || !isText(received.events))
    return false;
  return parseTokenId(received.token_id) !== null && isOwnPath(received.events);
}

/** A page asks nobody but where it came from. */
function isOwnPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//');
}

function isFee(received: unknown): boolean {
  const isWhole =
    isRecord(received) &&
    isNumber(received.rate) &&
    isExponent(received.exponent) &&
    typeof received.known === 'boolean';
  return isWhole && isText(received.category);
}

function isSide(received: unknown): boolean {
  return Array.isArray(received) && received.every(isLevel);
}

function isLevel(received: unknown): boolean {
  if (!Array.isArray(received) || !isText(received[0]) || !isText(received[1])) return false;
  const [priceTicks, sizeMicros] = [parsePriceTicks(received[0]), parseSizeMicros(received[1])];
  return priceTicks !== null && sizeMicros !== null && priceTicks > 0 && priceTicks < 10_000 && sizeMicros > 0;
}

function isRecord(received: unknown): received is Readonly<Record<string, unknown>> {
  return typeof received === 'object' && received !== null && !Array.isArray(received);
}

const isText = (received: unknown): received is string => typeof received === 'string';
const isNumber = (received: unknown): received is number =>
  typeof received === 'number' && Number.isFinite(received) && received >= 0;
const isMoment = (received: unknown): boolean => isText(received) && Number.isFinite(Date.parse(received));
/** Of more the arithmetic would not come to an end. */
const isExponent = (received: unknown): boolean => isNumber(received) && received <= FEE_EXPONENT_MAX;
const isCount = (received: unknown): received is number => Number.isSafeInteger(received) && (received as number) >= 0;
