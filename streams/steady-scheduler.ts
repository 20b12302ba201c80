import { asyncScheduler, type SchedulerLike } from 'rxjs';

/**
 * Returns RxJS's own timers with a `now` of elapsed time, which never steps: silence and idleness
 * are measured by it. RxJS's `now` is the wall clock.
 */
export function steadyScheduler(elapsedMs: () => number): SchedulerLike {
  return { now: elapsedMs, schedule: asyncScheduler.schedule.bind(asyncScheduler) };
}
