/** Jobs that may wait; more are refused, because a caller has lost count. */
const WAITING_MAX = 10_000;

/**
 * Runs jobs one after another in the order they came. A job that fails does not hold up the next.
 */
export class OneAtATime {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Returns what the job returns, or rejects with what it throws. */
  run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) return Promise.reject(new Error(`${WAITING_MAX} jobs wait already; try later`));
    this.#waiting += 1;
    const result = this.#tail.then(job).finally(() => {
      this.#waiting -= 1;
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}
