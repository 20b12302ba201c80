/**
 * Requests in work at once that can be joined. Beyond that a copy runs by itself, and the ledger
 * still charges once.
 */
const RUNNING_REQUESTS_MAX = 10_000;

export type Joined<T> =
  | { readonly kind: 'started'; readonly result: Promise<T> }
  | { readonly kind: 'joined'; readonly result: Promise<T> }
  | { readonly kind: 'conflict' };

interface Running<T> {
  readonly fingerprint: string;
  readonly result: Promise<T>;
}

/**
 * Requests in work by idempotency key, so that a copy waits for the first one and is not run again.
 */
export class RunningRequests<T> {
  readonly #byKey = new Map<string, Running<T>>();
  readonly #sizeMax: number;

  constructor(sizeMax = RUNNING_REQUESTS_MAX) {
    this.#sizeMax = sizeMax;
  }

  /**
   * Starts `run`, or joins the request that is in work under this key. Another request under the
   * key is a conflict.
   */
  join(key: string, fingerprint: string, run: () => Promise<T>): Joined<T> {
    const running = this.#byKey.get(key);
    if (running !== undefined) {
      return running.fingerprint === fingerprint ? { kind: 'joined', result: running.result } : { kind: 'conflict' };
    }
    if (this.#byKey.size >= this.#sizeMax) return { kind: 'started', result: run() };
    const result = run().finally(() => this.#byKey.delete(key));
    this.#byKey.set(key, { fingerprint, result });
    return { kind: 'started', result };
  }
}
