import { CREDITS_OPERATION, REPEAT_TO_BUYER_MS } from '../payments/work.js';

/** To others, who may have read the authorization on the chain: about one wallet or one order. */
export const REPEAT_MS = 86_400_000;
/**
 * The lists are the same for everybody: to others they are repeated so long after `validBefore`,
 * and no longer than other answers.
 */
export const LIST_REPEAT_MS = 600_000;

const LISTS: ReadonlySet<string> = new Set(['leaderboard', 'red_list']);

/** The reason of a 402 that answers a repeat which came too late. */
export const REPEAT_OVER = 'repeat_window_over';

/** The reason of a 402 that answers somebody who may have read the payment on the chain. */
export const NOT_THE_BUYER = 'not_the_buyer';

/** A settled payment, as far as its repeats are concerned. */
export interface Repeated {
  readonly operation: string;
  readonly settledAtMs: number;
  /** Of its authorization. */
  readonly validBeforeS: number;
  /** Whether the repeat carries the secret that the payment was made with. */
  readonly isBuyer: boolean;
}

/**
 * Returns until when a repeat gets the answer (docs/payments.md, "Repeats"). A pack's has its token
 * covered for others.
 */
export function repeatedUntilMs({ operation, settledAtMs, validBeforeS, isBuyer }: Repeated): number {
  if (isBuyer || operation === CREDITS_OPERATION) return settledAtMs + REPEAT_TO_BUYER_MS;
  const untilMs = settledAtMs + REPEAT_MS;
  return LISTS.has(operation) ? Math.min(validBeforeS * 1e3 + LIST_REPEAT_MS, untilMs) : untilMs;
}
