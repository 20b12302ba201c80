import { systemStopwatch } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';

/** A lease is good for longer. */
const POLL_INTERVAL_MS = 1_500;

/** A lease of the one process that may work on a store while it is copied, or gets another key. */
export interface LoneLease {
  /** Rejects if another process is at work on the store. May be called again and again. */
  hold(): Promise<void>;
  end(): Promise<void>;
}

/** Returns such a lease. `place`: where the store is; `work`: what cannot go on beside the service. */
export function holdAlone(
  { leases }: Pick<Store, 'leases'>,
  { place, work }: { readonly place: string; readonly work: string },
): LoneLease {
  const id = Buffer.from(systemRandom.bytes(16)).toString('hex');
  let heldAtMs = Number.NEGATIVE_INFINITY;
  return {
    async hold() {
      if (systemStopwatch.elapsedMs() - heldAtMs < POLL_INTERVAL_MS) return;
      const { kind, others } = await leases.hold(id, 0);
      const pids = others.map(({ pid }) => pid).join(', ');
      const text = `the service works on ${place} (process ${pids}): stop it, then ${work}`;
      if (kind === 'full') throw new OutsideError('store', text, { failure: 'final' });
      heldAtMs = systemStopwatch.elapsedMs();
    },
    end: () => leases.end(id),
  };
}
