import type { Paid } from './paid.js';

/** An answer that a tool made as JSON text, without `paid`. */
export class WrittenAnswer {
  constructor(
    readonly text: string,
    /** When it will be made anew, in seconds since the epoch; null: it does not give one. */
    readonly nextRefreshS: number | null = null,
    /** Its `verdict`; null: it has none of its own. */
    readonly verdict: string | null = null,
  ) {}
}

/** Returns a body as text that is stored and sent to many, each with a `paid` of its own. */
export function writeBody(body: object): WrittenAnswer {
  return new WrittenAnswer(JSON.stringify(body), nextRefreshOf(body));
}

/** Returns an answer without `paid` as JSON text. */
export function textOf(answer: object): string {
  return answer instanceof WrittenAnswer ? answer.text : JSON.stringify(answer);
}

/**
 * Returns the JSON text of an answer with `paid` as its last member. Every paid answer gets it
 * here.
 */
export function withPaid(answer: string, paid: Paid): string {
  const begun = answer === '{}' ? '{' : `${answer.slice(0, -1)},`;
  return `${begun}"paid":${JSON.stringify(paid)}}`;
}

/**
 * Returns when an answer will be made anew, as it says itself (`next_refresh_at`), in seconds since
 * the epoch; null when it does not. A repeat has only the bytes that were stored, and what they
 * say.
 */
export function nextRefreshOf(answer: object): number | null {
  if (answer instanceof WrittenAnswer) return answer.nextRefreshS;
  const { next_refresh_at: at } = answer as { readonly next_refresh_at?: unknown };
  return typeof at === 'string' ? Date.parse(at) / 1e3 : null;
}

/** Returns the same for an answer that is JSON text. */
export function nextRefreshOfText(body: string): number | null {
  return nextRefreshOf(JSON.parse(body) as object);
}

/** The moments that a live order verdict names. */
export interface VerdictTimes {
  /** RFC 3339, as in the answer. */
  readonly evaluatedAt: string;
  readonly validUntil: string;
  readonly evaluatedAtMs: number;
}

/**
 * Returns when a verdict was made and how long it holds, in its own words; null for any other
 * answer.
 */
export function verdictTimesOf(answer: object): VerdictTimes | null {
  const { meta } = answer as { readonly meta?: { readonly evaluated_at?: unknown; readonly valid_until?: unknown } };
  const { evaluated_at: evaluatedAt, valid_until: validUntil } = meta ?? {};
  if (typeof evaluatedAt !== 'string' || typeof validUntil !== 'string') return null;
  return { evaluatedAt, validUntil, evaluatedAtMs: Date.parse(evaluatedAt) };
}

/**
 * Returns how old a repeated answer is, in whole seconds; null when it was made for this request. A
 * repeat keeps its bytes, so only its mark and its age say that it is not about now. The clock is
 * looked at only for a repeat.
 */
export function replayAgeS(
  { replayed, madeAtMs }: { readonly replayed: boolean; readonly madeAtMs: number },
  clock: { nowMs(): number },
): number | null {
  return replayed ? Math.max(0, Math.floor((clock.nowMs() - madeAtMs) / 1e3)) : null;
}
