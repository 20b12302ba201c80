import {
  asyncScheduler,
  audit,
  connect,
  defer,
  endWith,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  pipe,
  repeat,
  type SchedulerLike,
  tap,
  timer,
} from 'rxjs';

/** Takes items in and gives them out as one; null when there is nothing to give. */
export interface Collector<Item, Sum> {
  add(item: Item): void;
  take(): Sum | null;
}

/**
 * Collects items and emits them as one at most once per period, the first period beginning with the
 * first item. One timer for all items, and none while nothing happens. What is left is emitted when
 * the source completes.
 */
export function collect<Item, Sum>(
  periodMs: number,
  newCollector: () => Collector<Item, Sum>,
  scheduler: SchedulerLike = asyncScheduler,
): OperatorFunction<Item, Sum> {
  return connect((items$) => {
    const collector = newCollector();
    return items$.pipe(
      tap((item) => collector.add(item)),
      audit(() => merge(timer(periodMs, scheduler), completionOf(items$))),
      map(() => collector.take()),
      filter((sum) => sum !== null),
    );
  });
}

/**
 * Collects lists into one set: however often a book changes, what comes after has it once per
 * period.
 */
export function conflate<T>(
  periodMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): OperatorFunction<readonly T[], readonly T[]> {
  return pipe(
    filter((items) => items.length > 0),
    collect(periodMs, () => new Union<T>(), scheduler),
  );
}

/**
 * Subscribes to the source again whenever it completes, after a wait. `waitMs` has the number of
 * times in a row that it completed without a value that shows it alive, from 0.
 */
export function resubscribe<T>(
  isAlive: (value: T) => boolean,
  waitMs: (failures: number) => number,
  scheduler: SchedulerLike = asyncScheduler,
): MonoTypeOperatorFunction<T> {
  return (source$) =>
    defer(() => {
      let failures = 0;
      return source$.pipe(
        tap((value) => {
          if (isAlive(value)) failures = 0;
        }),
        repeat({ delay: () => timer(waitMs(failures++), scheduler) }),
      );
    });
}

/** Emits once, when the source completes. */
export function completionOf(source$: Observable<unknown>): Observable<null> {
  return source$.pipe(ignoreElements(), endWith(null));
}

/** The items of all lists, each once. */
class Union<T> implements Collector<readonly T[], readonly T[]> {
  #items = new Set<T>();

  add(items: readonly T[]): void {
    for (const item of items) this.#items.add(item);
  }

  take(): readonly T[] | null {
    if (this.#items.size === 0) return null;
    const items = [...this.#items];
    this.#items = new Set();
    return items;
  }
}
