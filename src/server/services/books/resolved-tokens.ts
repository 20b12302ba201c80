import type { TokenId } from '#domain/ids';
import { REST_MS } from '#machines/feed.machine';
import type { Stopwatch } from '#system/stopwatch';

/** More than end in any minute; beyond it the oldest is asked for again before its time. */
const TOKENS_MAX = 20_000;

/**
 * Tokens of which the venue said a moment ago that they are over. No socket asks for them: the
 * venue would close it again. REST is asked for their books as for all others, and says that there
 * is none.
 */
export class ResolvedTokens {
  readonly #clock: Stopwatch;
  /** By when each counts as over, the first to end first. */
  readonly #untilMs = new Map<TokenId, number>();

  constructor(clock: Stopwatch) {
    this.#clock = clock;
  }

  add(tokenId: TokenId): void {
    const nowMs = this.#clock.elapsedMs();
    for (const [oldest, untilMs] of this.#untilMs) {
      if (untilMs > nowMs && this.#untilMs.size < TOKENS_MAX) break;
      this.#untilMs.delete(oldest);
    }
    this.#untilMs.delete(tokenId);
    // A little less than a socket rests, which then asks for all of them again.
    this.#untilMs.set(tokenId, nowMs + REST_MS - 1_000);
  }

  has(tokenId: TokenId): boolean {
    return (this.#untilMs.get(tokenId) ?? 0) > this.#clock.elapsedMs();
  }
}
