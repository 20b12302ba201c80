import type { ServerResponse } from 'node:http';
import type { Log } from '#ports/log';
import type { Stopwatch } from '#ports/stopwatch';
import type { Timers } from '#ports/timers';
import { FairQueue } from './fair-queue.js';
import * as limits from './limits.js';
import { Pace } from './pace.js';
import { Turns } from './turns.js';

/** A request that may have to wait for its turn. */
export interface Arrival {
  readonly res: ServerResponse;
  /** When it came, in elapsed time. */
  readonly atMs: number;
}

export interface AdmissionDeps<Request extends Arrival> {
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
  readonly log: Pick<Log, 'warn'>;
  /** Whose share a request takes. Asked only when there is not work enough for all. */
  readonly from: (request: Request) => { readonly address: string; readonly token: string };
  /** Never called from within `admit`. */
  readonly run: (request: Request) => void;
  /** Answers that there is too much to do. */
  readonly refuse: (request: Request) => void;
}

/** A request at work. */
interface Place {
  readonly begunMs: number;
  isHeld: boolean;
}

/** Between arrival and end: `null` waits or was refused, and has no place to give up. */
export interface Visit<Request extends Arrival> {
  readonly request: Request;
  place: Place | null;
}

/** Places that were given up are forgotten when there are so many in the list. */
const PLACES_LISTED_MAX = 4 * limits.AT_WORK_MAX;

/**
 * Bounds the work of the HTTP door before a request is parsed. A few requests are at work at once; the others wait in fair turn,
 * as many as can soon have theirs, and over that bound are refused at once. Those that wait begin as turns of the event loop have
 * time, up to a bound, and not as others end: each does nothing while it waits for the loop and for the disk. While turns are late
 * by their own work they begin as others end. One that is at work for a while waits for the outside and gives its place up; after
 * a longer while if the process itself is late, for then it has too much to do. A client that has left is not served.
 */
export class Admission<Request extends Arrival> {
  readonly #deps: AdmissionDeps<Request>;
  /** In the order in which they began; some of them given up. */
  #places: Place[] = [];
  #held = 0;
  readonly #waiting = new FairQueue<Visit<Request>>();
  readonly #pace = new Pace();
  readonly #turns: Turns<Request>;
  #inWork = 0;
  #ticking = false;
  #refused = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AdmissionDeps<Request>) {
    this.#deps = deps;
    const { stopwatch, run } = deps;
    this.#turns = new Turns({ stopwatch, run, runMore: (isLate) => this.#runMore(isLate) });
  }

  /** Runs the request, lets it wait or refuses it. `end` must be called once its response is closed. */
  admit(request: Request): Visit<Request> {
    const visit: Visit<Request> = { request, place: null };
    if (this.#waiting.size > 0 || !this.#hasPlace(limits.AT_WORK_AT_ONCE_MAX)) {
      this.#wait(visit);
    } else {
      this.#place(visit, request.atMs);
      this.#turns.begin(request);
    }
    return visit;
  }

  /** May be called again. */
  end(visit: Visit<Request>): void {
    const { place } = visit;
    if (place === null) return;
    visit.place = null;
    this.#inWork--;
    this.#giveUp(place);
    if (this.#waiting.size > 0) this.#turns.come();
  }

  #hasPlace(max: number): boolean {
    return this.#held < max && this.#inWork < limits.IN_WORK_MAX;
  }

  #place(visit: Visit<Request>, begunMs: number): void {
    visit.place = { begunMs, isHeld: true };
    if (this.#places.length >= PLACES_LISTED_MAX) this.#places = this.#places.filter(({ isHeld }) => isHeld);
    this.#places.push(visit.place);
    this.#held++;
    this.#inWork++;
  }

  #giveUp(place: Place): void {
    if (!place.isHeld) return;
    place.isHeld = false;
    this.#held--;
  }

  #wait(visit: Visit<Request>): void {
    const { atMs } = visit.request;
    const { address, token } = this.#deps.from(visit.request);
    const before = this.#waiting.oldestOf(address, token);
    if (before !== undefined && atMs - before.request.atMs > limits.TURN_WAIT_MS) {
      this.#refuse(visit);
      return;
    }
    this.#waiting.push(address, token, visit);
    this.#refuseTooMany();
    this.#turns.come();
    if (!this.#ticking) void this.#tick();
  }

  /** Also where no place comes free for long; clients that have left are forgotten. */
  #refuseOverdue(nowMs: number): void {
    const overdue: Visit<Request>[] = [];
    this.#waiting.remove((visit) => isGone(visit) || (isOverdue(visit, nowMs) && overdue.push(visit) > 0));
    for (const visit of overdue) this.#refuse(visit);
  }

  #refuseTooMany(): void {
    while (this.#waiting.size > this.#pace.waitingMax) this.#refuse(this.#waiting.dropOfLongest()!);
  }

  /** Runs whose turn it is, or refuses it if that comes too late, and returns whether it is anybody's. */
  #runMore(isLate: boolean): boolean {
    while (this.#hasPlace(isLate ? limits.AT_WORK_AT_ONCE_MAX : limits.AT_WORK_MAX)) {
      const visit = this.#waiting.take();
      if (visit === undefined) return false;
      if (this.#waiting.size === 0) this.#pace.emptied();
      if (isGone(visit)) continue;
      const nowMs = this.#deps.stopwatch.elapsedMs();
      this.#pace.turn();
      if (isOverdue(visit, nowMs)) {
        this.#refuse(visit);
      } else {
        this.#place(visit, nowMs);
        this.#deps.run(visit.request);
      }
      return true;
    }
    return false;
  }

  /** While requests wait: refuses what can have no turn in time, and gives away the places of those that wait for the outside. */
  async #tick(): Promise<void> {
    const { stopwatch, timers } = this.#deps;
    this.#ticking = true;
    this.#pace.begin();
    while (this.#waiting.size > 0) {
      const begunMs = stopwatch.elapsedMs();
      await timers.sleep(limits.TICK_MS);
      const nowMs = stopwatch.elapsedMs();
      this.#refuseOverdue(nowMs);
      this.#pace.measured(nowMs - begunMs);
      const isLate = nowMs - begunMs > limits.TICK_MS + limits.LATE_MS;
      this.#takePlacesOf(nowMs - (isLate ? limits.PLACE_HELD_LATE_MS : limits.PLACE_HELD_MS));
      this.#refuseTooMany();
      this.#turns.come();
    }
    this.#ticking = false;
  }

  #takePlacesOf(begunBeforeMs: number): void {
    for (const place of this.#places) {
      if (place.begunMs > begunBeforeMs) return;
      this.#giveUp(place);
    }
  }

  #refuse(visit: Visit<Request>): void {
    this.#refused++;
    const nowMs = this.#deps.stopwatch.elapsedMs();
    if (nowMs - this.#warnedAtMs >= limits.OVERLOAD_WARN_MS) {
      this.#warnedAtMs = nowMs;
      this.#deps.log.warn({ refused: this.#refused, inWork: this.#inWork }, 'overloaded: requests are refused unread');
      this.#refused = 0;
    }
    if (isGone(visit)) return;
    this.#deps.refuse(visit.request);
    this.#turns.refused(this.#deps.stopwatch.elapsedMs() - nowMs);
  }
}

function isOverdue({ request }: Visit<Arrival>, nowMs: number): boolean {
  return nowMs - request.atMs > limits.WAITED_MAX_MS;
}

function isGone({ request: { res } }: Visit<Arrival>): boolean {
  return res.closed || res.destroyed || res.socket?.destroyed === true;
}
