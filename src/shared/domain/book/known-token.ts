import type { TokenId } from '../ids.js';

/**
 * A token as whoever reads frames or asks about it knows it again, with what a table found by it: to find it anew by
 * its text takes a tenth of what a frame does.
 */
export class KnownToken {
  /** Whose `found` is; null when it has to be looked for. */
  table: object | null = null;
  /** Of a kind that the table alone knows, and writes. */
  found: unknown = undefined;
  /** How long the id is, so that nobody has to look at its text for that. */
  readonly digits: number;

  constructor(readonly id: TokenId) {
    this.digits = id.length;
  }
}
