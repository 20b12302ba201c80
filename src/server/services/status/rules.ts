import type { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { seesWholeWindow } from '#domain/rating/seen-window';
import { CLOCKS_APART_MS_MAX, DAY_MS } from '#domain/time';
import { lastDueAsOf } from '../ratings/schedule.js';

const BOOK_AGE_S_MAX = 60;
const FRAMES_SEEN_MIN = 1_000;
const PARSED_SHARE_MAX = 0.1;
const QUEUE_AGE_S_MAX = 3_600;
const UNRESOLVED_MAX = 10;
const UNVERIFIED_SHARE_MAX = 0.5;
const UNPROVEN_AGE_S_MAX = 600;
const REFUTED_ALARM_MS = DAY_MS;
/**
 * A run has until 04:30 UTC, an hour and a half after it begins (docs/interface-wallets.md,
 * "Profile refresh").
 */
const REFRESH_GRACE_MS = 90 * 60_000;

type Rule = keyof typeof DEGRADED_RULES;
type Figures = Omit<StatusReport, 'status' | 'degraded_by'>;

/** Returns the names of the rules by which a service with these figures is degraded. */
export function degradedBy(figures: Figures, nowMs: number): readonly string[] {
  const { components, clock, books, ratings, wallet_queue: queue, payments, settlements } = figures;
  const down = Object.entries(components)
    .filter(([, { ok }]) => ok === false)
    .map(([name]) => `${'component_down' satisfies Rule}:${name}`);
  const rules: readonly (readonly [Rule, boolean])[] = [
    ['books_stale', (books.median_age_seconds ?? 0) > BOOK_AGE_S_MAX],
    ['frames_slow', areFramesSlow(books)],
    ['ratings_missing', ratings.data_through === null],
    ['ratings_stale', isStale(ratings.data_through, nowMs)],
    ['tape_short', isShort(ratings)],
    ['clock_skew', Math.abs(clock.ahead_seconds ?? 0) * 1e3 > CLOCKS_APART_MS_MAX],
    ['queue_slow', (queue.oldest_age_seconds ?? 0) > QUEUE_AGE_S_MAX],
    ['payments_unresolved', payments.unresolved > UNRESOLVED_MAX],
    ['payments_unverified', (payments.unverified_share ?? 0) > UNVERIFIED_SHARE_MAX],
    ['settlement_unproven', isUnproven(settlements, nowMs)],
  ];
  return [...down, ...rules.filter(([, applies]) => applies).map(([name]) => name)];
}

/** The first frames of a start say little. */
function areFramesSlow({ frames_scanned: scanned, frames_parsed: parsed }: Figures['books']): boolean {
  const all = scanned + parsed;
  return all >= FRAMES_SEEN_MIN && parsed > all * PARSED_SHARE_MAX;
}

function isShort({ data_through: through, tape_start: start }: Figures['ratings']): boolean {
  if (through === null) return false;
  const { fromS } = ratingWindows(Date.parse(through) / 1e3, RATING_CONFIG);
  return !seesWholeWindow(start === null ? null : Date.parse(start) / 1e3, fromS);
}

function isUnproven({ oldest_unproven_seconds, last_refuted_at }: Figures['settlements'], nowMs: number): boolean {
  const isLate = (oldest_unproven_seconds ?? 0) > UNPROVEN_AGE_S_MAX;
  return isLate || (last_refuted_at !== null && nowMs - Date.parse(last_refuted_at) < REFUTED_ALARM_MS);
}

function isStale(dataThrough: string | null, nowMs: number): boolean {
  return dataThrough !== null && Date.parse(dataThrough) < lastDueAsOf(nowMs - REFRESH_GRACE_MS) * 1e3;
}
