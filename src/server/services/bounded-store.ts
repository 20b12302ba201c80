import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import type { ChangeOutcomes } from './status/change-outcomes.js';
import { withTimeoutEach } from './with-timeout.js';

/**
 * How long a caller waits for a change to come to disk. It takes milliseconds, unless the disk does
 * not answer.
 */
export const CHANGE_MS_MAX = 2_500;

export interface Time {
  readonly timers: Timers;
  readonly stopwatch: Stopwatch;
  /** Told of what becomes of each change; absent: nobody is. */
  readonly changes?: Pick<ChangeOutcomes, 'done' | 'failed'> | undefined;
}

/**
 * Returns the store with a limit on how long a change may take: then it rejects with an
 * OutsideError `unknown`, because the change goes on and may yet be made. What is not decided by
 * then is not decided any more: rows may long be about something else, such as a claim that its
 * owner has given up and made anew since.
 */
export function boundedStore(store: Store, time: Time, msMax = CHANGE_MS_MAX): Store {
  const late = (): never => {
    const text = `a change is not on disk after ${msMax} ms and may yet be made; check the disk`;
    throw new OutsideError('store', text, { failure: 'unknown' });
  };
  const inTime = withTimeoutEach({ ...time, ms: msMax }, late);
  return {
    ...store,
    transact(keys, decide, options) {
      let isGivenUp = false;
      const decideInTime: typeof decide = (rows) => {
        if (isGivenUp)
          throw new OutsideError('store', 'a change did not get its turn in time', { failure: 'retryable' });
        return decide(rows);
      };
      const change = inTime(store.transact(keys, decideInTime, options), () => {
        isGivenUp = true;
      });
      if (time.changes !== undefined) void change.then(time.changes.done, time.changes.failed);
      return change;
    },
  };
}
