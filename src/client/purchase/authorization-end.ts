/**
 * The service takes an authorization that has at least this long to go; one with less is not even
 * signed.
 */
const USABLE_S_MIN = 25;
/** So long after its end no chain takes an authorization any more, whatever its clock. */
const OVER_AFTER_S = 60;

/** What counts of an authorization here; times of chains are seconds as text. */
export interface Ending {
  readonly validBefore: string | number | bigint;
}

/** Returns whether it can still pay at a moment, in seconds. */
export function isUsable({ validBefore }: Ending, atS: number): boolean {
  return Number(validBefore) - atS >= USABLE_S_MIN;
}

/**
 * Returns the last second at which it might still be taken: after that another may be signed in its
 * place.
 */
export function lastSecondOf({ validBefore }: Ending): number {
  return Number(validBefore) + OVER_AFTER_S;
}
