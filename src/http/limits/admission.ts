import type { ServerResponse } from 'node:http';
import type { Log } from '#ports/log';
import type { Stopwatch } from '#ports/stopwatch';
import type { Timers } from '#ports/timers';
import { FairQueue } from './fair-queue.js';
import * as limits from './limits.js';

/** A request that may have to wait for its turn. */
export interface Arrival {
  readonly res: ServerResponse;
  /** Whose share it takes. Asked only when there is not work enough for all. */
  readonly from: () => { readonly address: string; readonly token: string };
  readonly run: () => void;
  /** Answers that there is too much to do. */
  readonly refuse: () => void;
}

interface Waiting extends Arrival {
  readonly sinceMs: number;
}

export interface AdmissionDeps {
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Bounds the work of the HTTP door before a request is parsed. So many requests are at work; the others wait in fair turn, not
 * long, and over that bound are refused at once. One that is at work for a while waits for the outside and gives its place up;
 * after a longer while if the process itself is late, for then it has too much to do. A client that has left is not served.
 */
export class Admission {
  readonly #deps: AdmissionDeps;
  /** Those that hold a place, in the order in which they began. */
  readonly #places = new Map<ServerResponse, number>();
  readonly #waiting = new FairQueue<Waiting>();
  #inWork = 0;
  #ticking = false;
  #refused = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  admit(arrival: Arrival): void {
    if (this.#waiting.size === 0 && this.#hasPlace()) this.#run(arrival);
    else this.#wait({ ...arrival, sinceMs: this.#deps.stopwatch.elapsedMs() });
  }

  #hasPlace(): boolean {
    return this.#places.size < limits.AT_WORK_MAX && this.#inWork < limits.IN_WORK_MAX;
  }

  #run({ res, run }: Arrival): void {
    this.#places.set(res, this.#deps.stopwatch.elapsedMs());
    this.#inWork++;
    res.once('close', () => {
      this.#inWork--;
      this.#places.delete(res);
      this.#next();
    });
    run();
  }

  #wait(arrival: Waiting): void {
    const { address, token } = arrival.from();
    const before = this.#waiting.oldestOf(address, token);
    if (before !== undefined && arrival.sinceMs - before.sinceMs > limits.TURN_WAIT_MS) {
      this.#refuse(arrival);
      return;
    }
    this.#waiting.push(address, token, arrival);
    const dropped = this.#waiting.size > limits.WAITING_MAX ? this.#waiting.dropOfLongest() : undefined;
    if (dropped !== undefined) this.#refuse(dropped);
    if (!this.#ticking) void this.#tick();
  }

  #next(): void {
    while (this.#hasPlace()) {
      const arrival = this.#waiting.take();
      if (arrival === undefined) return;
      if (isGone(arrival)) continue;
      const waitedMs = this.#deps.stopwatch.elapsedMs() - arrival.sinceMs;
      if (waitedMs > limits.WAITED_MAX_MS) this.#refuse(arrival);
      else this.#run(arrival);
    }
  }

  /** While requests wait: forgets clients that have left, and gives away the places of those that wait for the outside. */
  async #tick(): Promise<void> {
    const { stopwatch, timers } = this.#deps;
    this.#ticking = true;
    while (this.#waiting.size > 0) {
      const dueMs = stopwatch.elapsedMs() + limits.TICK_MS;
      await timers.sleep(limits.TICK_MS);
      const nowMs = stopwatch.elapsedMs();
      this.#waiting.remove(isGone);
      const isLate = nowMs - dueMs > limits.LATE_MS;
      this.#takePlacesOf(nowMs - (isLate ? limits.PLACE_HELD_LATE_MS : limits.PLACE_HELD_MS));
      this.#next();
    }
    this.#ticking = false;
  }

  #takePlacesOf(begunBeforeMs: number): void {
    for (const [res, begunMs] of this.#places) {
      if (begunMs > begunBeforeMs) return;
      this.#places.delete(res);
    }
  }

  #refuse(arrival: Arrival): void {
    this.#refused++;
    const nowMs = this.#deps.stopwatch.elapsedMs();
    if (nowMs - this.#warnedAtMs >= limits.OVERLOAD_WARN_MS) {
      this.#warnedAtMs = nowMs;
      this.#deps.log.warn({ refused: this.#refused, inWork: this.#inWork }, 'overloaded: requests are refused unread');
      this.#refused = 0;
    }
    if (!isGone(arrival)) arrival.refuse();
  }
}

function isGone({ res }: Arrival): boolean {
  return res.closed || res.destroyed || res.socket?.destroyed === true;
}
