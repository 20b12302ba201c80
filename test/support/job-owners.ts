import { systemRandom } from '#adapters/process/system-random';
import type { RatingsStore } from '#ports/ratings-store';
import { JobOwner } from '#services/jobs/job-owner';
import type { ManualClock } from './manual-clock.js';
import { ManualTimers } from './manual-timers.js';

/** A process that does jobs on a store, and has time enough for them. */
export function jobOwner(store: Pick<RatingsStore, 'jobs'>, clock: ManualClock): JobOwner {
  const nothing = () => {};
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  return new JobOwner({
    leases: store.jobs,
    stopwatch: clock,
    timers: new ManualTimers(clock),
    random: systemRandom,
    log,
  });
}
