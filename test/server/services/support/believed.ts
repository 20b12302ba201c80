import { BelievedClock, CHAIN_SOURCE } from '#services/time/believed-clock';
import type { ManualClock } from '#test/support/manual-clock';

/**
 * What a service believes whose upstreams have the right time, which is the elapsed time of the
 * clock, wherever its wall time is set.
 */
export function believedFrom(clock: ManualClock, options: { readonly hears?: boolean } = {}) {
  const time = new BelievedClock(clock);
  /** The chain, and one of the venue's hosts. */
  const hear = () => {
    for (const source of [CHAIN_SOURCE, 'gamma']) time.hear(source, clock.elapsedMs());
  };
  if (options.hears !== false) hear();
  return { time, hear };
}
