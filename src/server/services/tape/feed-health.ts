import type { UpstreamHealth } from '#ports/venue';
import type { TradeHint } from '#streams/trade-hints';
import type { Clock } from '#system/clock';

/** How the live feed of trades stands, from what its hints said. */
export interface FeedHealth {
  receive(hint: TradeHint): void;
  /** Only trades are a sign of life; null: neither trades nor an end of a connection so far. */
  health(): UpstreamHealth;
}

/** Returns what knows how the live feed stands. */
export function createFeedHealth(clock: Pick<Clock, 'nowMs'>): FeedHealth {
  let ok: boolean | null = null;
  let lastOkAtMs: number | null = null;
  let lastError: string | null = null;
  return {
    receive(hint) {
      if (hint.kind === 'lost') [ok, lastError] = [false, hint.reason];
      else lastOkAtMs = clock.nowMs();
      if (hint.kind === 'gap') ok = true;
      // Trades are collected first: those of before a loss may come after it.
      if (hint.kind === 'traded') ok ??= true;
    },
    health: () => ({ name: 'rtds', ok, lastOkAtMs, lastError }),
  };
}
