import { WrittenAnswer } from '#api/written-answer';

/**
 * Returns when an answer will be made anew, as it says itself (`next_refresh_at`), in seconds since
 * the epoch; null when it does not. A repeat gets the bytes that were kept, so what an answer says
 * is the only thing that every answer has.
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

/** Returns when a verdict was made and how long it holds, in its own words; null for any other answer. */
export function verdictTimesOf(answer: object): VerdictTimes | null {
  const { meta } = answer as { readonly meta?: { readonly evaluated_at?: unknown; readonly valid_until?: unknown } };
  const { evaluated_at: evaluatedAt, valid_until: validUntil } = meta ?? {};
  if (typeof evaluatedAt !== 'string' || typeof validUntil !== 'string') return null;
  return { evaluatedAt, validUntil, evaluatedAtMs: Date.parse(evaluatedAt) };
}
