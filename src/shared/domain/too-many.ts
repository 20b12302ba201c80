import { Problem } from './errors.js';

/** Returns what a caller who has no points left is answered with. */
export function tooMany(ofWhat: string, retryAfterS: number): Problem {
  return new Problem('rate_limited', `too many ${ofWhat}: try again in ${retryAfterS} s`, { retryAfterS });
}
