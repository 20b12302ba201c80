/** What a check of the venue may cost it. Whoever runs one shares an address with a service. */

/** Calls to all of the venue together; the opening of a socket is one. */
export const CALLS_PER_SECOND_MAX = 2;
export const CALLS_MAX = 120;

/** How long one answer may take. */
export const ANSWER_MS_MAX = 15_000;
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** A call that failed is made once more, after so long or what a 429 asks for. */
export const RETRY_AFTER_MS = 2_000;
export const RETRY_AFTER_MS_MAX = 30_000;
/** Calls that failed one after the other, after which a part of the venue is left alone. */
export const FAILURES_MAX = 2;

/** Open markets whose books are looked at, two books each. */
export const MARKETS_LOOKED_AT = 20;
/** Those of them whose terms are asked for one by one. */
export const TERMS_LOOKED_AT = 12;
/** Those of them that the market channel is asked for. */
export const MARKETS_FOLLOWED = 10;

/** The first books of a subscription, as the service waits for them. */
export const FIRST_BOOKS_MS = 10_000;
/** A PONG has been 11.4 s late (docs/venue.md, "Market channel"). */
export const PONG_MS_MAX = 15_000;
/** How often a socket hears that we are there, as the service does. */
export const PING_EVERY_MS = 9_000;
/** How long changes and trades are waited for. */
export const LISTEN_MS = 60_000;
/** How long nothing has to come before it counts as nothing. */
export const SILENCE_MS = 10_000;
/** What was under way when a subscription ended may still come. */
export const GRACE_MS = 2_000;
/** The live feed is taken for dead after so long without a trade. */
export const LIVE_FEED_MS = 30_000;

/** One sample of an answer, in a folder for a report. */
export const SAMPLE_BYTES_MAX = 16_000;
/** Answers of one kind that are kept. */
export const SAMPLES_PER_NAME = 3;
