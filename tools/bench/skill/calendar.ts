/**
 * The days of the generated tape. Times are in seconds since the epoch. See docs/ratings.md,
 * "Generated worlds".
 */

export const DAY_S = 86_400;

/** The moment the wallets are rated at: 2026-06-29T00:00:00Z. */
export const AS_OF_S = 1_782_691_200;

/**
 * The tape has 210 days: 120 before the moment of the rating, 90 after it, which nobody who rates
 * may see.
 */
export const TAPE_DAYS = 210;
const RATED_DAYS = 120;
export const TAPE_START_S = AS_OF_S - RATED_DAYS * DAY_S;
export const TAPE_END_S = TAPE_START_S + TAPE_DAYS * DAY_S;

/**
 * Events begin this long before the tape, so that its first days already have long markets in the
 * middle of their lives.
 */
export const EVENTS_START_S = TAPE_START_S - 60 * DAY_S;

/**
 * The out-of-sample month begins here: whoever is meant to lose their skill loses it at this
 * moment.
 */
export const LAST_MONTH_S = AS_OF_S - 30 * DAY_S;

/** Activity of wallets is told per profile window. */
export const WINDOW_DAYS = 90;
