import { STRENGTH_METHOD, WATCH_NOTE } from '#api/wallets/wallet-method';
import type { Pool } from '#api/wallets/wallet-parts';
import type { TapeWallet } from '#domain/ids';
import type { PoolRating, Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { isJudgedByAll } from '#domain/rating/rating-lists';
import { toTenths } from '#domain/rating/shown-numbers';
import type { StoredRating } from '#domain/rating/stored-rating';
import { DAY_S, isoDay } from '#domain/time';

/** Longest display name that is repeated: it is chosen by its owner and read by agents. */
const NAME_LENGTH_MAX = 64;
/** Control, format and separator characters: they can hide or break text. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Returns a moment as RFC 3339 in UTC, to the second. */
export function toInstant(timeS: number): string {
  return new Date(timeS * 1e3).toISOString().replace('.000Z', 'Z');
}

/**
 * Returns a value rounded to 4 decimals, half away from zero; never -0. It is taken to 15 digits
 * first, because a half can be a hair short of it in binary.
 */
function round4(value: number): number {
  const units = Number((Math.abs(value) * 1e4).toPrecision(15));
  return (Math.sign(value) * Math.round(units)) / 1e4 + 0;
}

/** Returns a fraction in percent with 4 decimals; null stays null. */
export function toPct(fraction: number | null): number | null {
  return fraction === null ? null : round4(fraction * 100);
}

/** Returns the name that is shown: the venue's, cleaned, else the shortened address. */
export function toName(wallet: TapeWallet, name: string | null): string {
  const letters = [
    ...(name ?? '')
      .slice(0, 4 * NAME_LENGTH_MAX)
      .replace(UNSHOWN, ' ')
      .trim(),
  ];
  const shown = letters.slice(0, NAME_LENGTH_MAX).join('');
  return shown === '' ? `${wallet.slice(0, 6)}...${wallet.slice(-4)}` : shown;
}

/** Returns a pool under the names of the answer. */
export function toPool(pool: PoolRating): Pool {
  return {
    entries: pool.entries,
    events: pool.events,
    win_rate_pct: toPct(pool.winRate),
    roi_slippage_basis_pct: toPct(pool.roiSlippage),
    roi_fee_inclusive_pct: toPct(pool.roiFee),
    z: pool.z === null ? null : round4(pool.z),
  };
}

/** Returns how sure the 90-day result is. */
export function toCertainty({ window, sample, entriesNeeded }: Rating) {
  const { ciLow, ciHigh, z, roiWithoutBestEvent } = window;
  return {
    roi_ci95_pct: ciLow === null || ciHigh === null ? null : { low: toPct(ciLow)!, high: toPct(ciHigh)! },
    z: z === null ? null : round4(z),
    sample,
    entries_needed: entriesNeeded,
    roi_without_best_event_pct: toPct(roiWithoutBestEvent),
  };
}

/**
 * Returns how many days of the window a tape shows, the day on which it begins included; 1 at
 * least.
 */
export function seenDays(asOfS: number, tapeStartS: number | null): number {
  const since = tapeStartS === null ? RATING_CONFIG.windowDays : Math.ceil((asOfS - tapeStartS) / DAY_S);
  return Math.max(1, Math.min(RATING_CONFIG.windowDays, since));
}

/** Returns when a rating was made and until when it stands. */
export function toFreshness({ config, asOfS }: { config: string; asOfS: number }, nextRefreshS: number) {
  return { rating_config: config, data_through: toInstant(asOfS), next_refresh_at: toInstant(nextRefreshS) };
}

/** Returns the sentence of the decision table, then what a copier should know beside it. */
export function toReasons({ rating, unseen }: Pick<StoredRating, 'rating' | 'unseen'>): string[] {
  const { verdict, reasonText, earlyResolved, sellFirst, sample, window } = rating;
  const judged = toJudgedBy(rating);
  const reasons = judged === null ? [reasonText] : [reasonText, judged];
  if (verdict === 'WATCH') reasons.push(WATCH_NOTE);
  if (sample === 'thin' && window.entries > 0) {
    reasons.push(
      `Thin sample: ${window.entries} scored entries in ${window.events} events pass the leaderboard filter.`,
    );
  }
  if (unseen !== undefined && unseen.markets > 0) {
    reasons.push(`The venue does not describe ${unseen.markets} of its markets: their entries count as pending.`);
  }
  if (earlyResolved > 0) {
    reasons.push(`${earlyResolved} settled entries are not scored before their scheduled end.`);
  }
  if (sellFirst > 0) {
    reasons.push(`${sellFirst} first entries are in tokens that were sold before: earlier trades are not seen.`);
  }
  return reasons;
}

/** Returns the second mark of a COPY; nothing if it has none. */
export function toStrength({ strength }: Pick<StoredRating, 'strength'>) {
  return strength === undefined ? {} : { strength };
}

/** Returns how an answer was made: what `strength` means is said where somebody has one. */
export function toMethod(method: string, ratings: readonly Pick<StoredRating, 'strength'>[]): string {
  return ratings.some(({ strength }) => strength !== undefined) ? `${method} ${STRENGTH_METHOD}` : method;
}

/** Returns the note that a newer board should be in force than that of `asOfS`. */
export function toLateNote(asOfS: number): string {
  return `The refresh that was due is late: this is the state of ${isoDay(asOfS)}, and next_refresh_at is when to look again.`;
}

/** Returns the sentence that says which figure decided; null where none did. */
function toJudgedBy(rating: Rating): string | null {
  const { reason, resolved, roiFeePct, window } = rating;
  if (reason === 'few_resolved' || reason === 'farming' || reason === 'below_floor') return null;
  if (reason === 'both_sides') return 'Judged by what it bought, whatever that returned.';
  if (isJudgedByAll(rating)) return `Judged by all ${resolved} scored entries: ${toTenths(roiFeePct)}% after fees.`;
  const pct = toTenths(toPct(window.roiFee));
  return `Judged by the ${window.entries} scored entries that pass the leaderboard filter: ${pct ?? 0}% after fees.`;
}

/**
 * Returns the note about a tape that begins too late; null if it does not. For as long as the
 * window reaches into the tape's first 90 days, "first" is only "first seen" (docs/ratings.md,
 * "What was not seen").
 */
export function toTapeNote(asOfS: number, tapeStartS: number | null): string | null {
  if (tapeStartS === null || asOfS >= tapeStartS + 2 * RATING_CONFIG.windowDays * DAY_S) return null;
  return (
    `The tape begins on ${isoDay(tapeStartS)}: a first entry here is the first one seen since then, ` +
    'and a token may have been bought before.'
  );
}
