import { asyncScheduler, Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';

/**
 * Collects items into one set and emits it at most once per period: however often a book changes, whoever listens
 * downstream hears of it once. One timer for all items, and none while nothing happens.
 */
export function conflate<T>(
  periodMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): OperatorFunction<readonly T[], readonly T[]> {
  return (source) =>
    new Observable((subscriber) => {
      let dirty = new Set<T>();
      let waiting = false;
      const flush = () => {
        const items = [...dirty];
        dirty = new Set();
        waiting = false;
        subscriber.next(items);
      };
      subscriber.add(
        source.subscribe({
          next: (items) => {
            for (const item of items) dirty.add(item);
            if (waiting || dirty.size === 0) return;
            waiting = true;
            subscriber.add(scheduler.schedule(flush, periodMs));
          },
          error: (error) => subscriber.error(error),
          complete: () => {
            if (dirty.size > 0) flush();
            subscriber.complete();
          },
        }),
      );
    });
}
