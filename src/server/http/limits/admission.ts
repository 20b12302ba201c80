import type { ServerResponse } from 'node:http';
import type { Log } from '#ports/log';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import { FairQueue } from './fair-queue.js';
import * as limits from './limits.js';

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
  /** Ends a request at work whose client has not sent all of it, if that is still so. */
  readonly giveUp: (request: Request) => void;
}

/** A request at work. */
interface Slot {
  /** In elapsed time. */
  readonly begunMs: number;
  isHeld: boolean;
}

/** Between arrival and end: `null` waits or was refused, and has no place to give up. */
export interface Visit<Request extends Arrival> {
  readonly request: Request;
  slot: Slot | null;
}

/** Places that were given up are forgotten when there are so many in the list. */
const SLOT_LISTED_MAX = 4 * limits.AT_WORK_MAX;

/** How much of the pace is what the last tick showed. */
const NEWEST_SHARE = 0.25;

/**
 * Bounds the work of the HTTP door before a request is parsed. A few requests are at work at once;
 * the others wait in fair turn, as many as can soon have theirs, and over that bound are refused at
 * once. A client that has left is not served.
 *
 * What comes at once begins in groups, a group in each turn of the event loop, in the order in
 * which it came: so the debits of one group are on their way to the disk while the next group is
 * worked on, and answered while that one's are. Those that wait begin as turns have time, up to a
 * bound, and not as others end: each does nothing while it waits for the loop and for the disk.
 * While turns are late by their own work they begin as others end.
 *
 * A request that is at work for a while waits for the outside and gives its place up; after a
 * longer while if the process itself is late, for then it has too much to do.
 */
export class Admission<Request extends Arrival> {
  readonly #deps: AdmissionDeps<Request>;
  /** In the order in which they began; some of them given up. */
  #slots: Slot[] = [];
  #held = 0;
  #inWork = 0;
  /** Those at work whose clients have still to send something, the oldest first. */
  readonly #unfinished = new Set<Visit<Request>>();
  /** They have a place, and begin in the next turns. */
  readonly #beginning: Request[] = [];
  readonly #waiting = new FairQueue<Visit<Request>>();
  readonly #pace = new Pace();
  /** When the next turn was requested; null: none is. */
  #turnFromMs: number | null = null;
  /** Time spent on refusing since the last turn. */
  #refusingMs = 0;
  #ticking = false;
  #refused = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AdmissionDeps<Request>) {
    this.#deps = deps;
  }

  /**
   * Runs the request, lets it wait or refuses it. `end` must be called once its response is closed.
   */
  admit(request: Request): Visit<Request> {
    const visit: Visit<Request> = { request, slot: null };
    if (this.#waiting.size > 0 || !this.#hasSlot(limits.AT_WORK_AT_ONCE_MAX)) {
      this.#wait(visit);
    } else {
      this.#giveSlot(visit, request.atMs);
      this.#beginning.push(request);
      this.#requestTurn();
    }
    return visit;
  }

  /** A request that has begun comes to its end only when its client has sent the rest of it. */
  waitsForClient(visit: Visit<Request>): void {
    this.#unfinished.add(visit);
  }

  /** May be called again. */
  end(visit: Visit<Request>): void {
    const { slot } = visit;
    if (slot === null) return;
    visit.slot = null;
    this.#unfinished.delete(visit);
    this.#inWork--;
    this.#giveUp(slot);
    if (this.#waiting.size > 0) this.#requestTurn();
  }

  #hasSlot(max: number): boolean {
    return this.#held < max && this.#inWork < limits.IN_WORK_MAX;
  }

  #giveSlot(visit: Visit<Request>, begunMs: number): void {
    visit.slot = { begunMs, isHeld: true };
    if (this.#slots.length >= SLOT_LISTED_MAX) this.#slots = this.#slots.filter(({ isHeld }) => isHeld);
    this.#slots.push(visit.slot);
    this.#held++;
    this.#inWork++;
  }

  #giveUp(slot: Slot): void {
    if (!slot.isHeld) return;
    slot.isHeld = false;
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
    this.#requestTurn();
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

  #requestTurn(): void {
    if (this.#turnFromMs !== null) return;
    this.#turnFromMs = this.#deps.stopwatch.elapsedMs();
    setImmediate(this.#turn);
  }

  /**
   * Begins a group, and then of what waits for as long as a turn may take, or as refusing took
   * since the last one: a process that reads all that comes, refuses most of it and has no time
   * left for the others would be busy with nothing.
   */
  readonly #turn = (): void => {
    const { stopwatch, run } = this.#deps;
    const tookMs = stopwatch.elapsedMs() - this.#turnFromMs!;
    // To read what is refused takes about as long as to refuse it.
    const isLate = tookMs - 2 * this.#refusingMs > limits.TURN_LATE_MS;
    const max = isLate ? limits.AT_WORK_AT_ONCE_MAX : limits.AT_WORK_MAX;
    this.#turnFromMs = null;
    for (const request of this.#beginning.splice(0, limits.BEGUN_PER_TURN)) run(request);
    let isMore = this.#runNext(max);
    const untilMs = stopwatch.elapsedMs() + Math.max(limits.MORE_PER_TURN_MS, this.#refusingMs);
    while (isMore && stopwatch.elapsedMs() < untilMs) isMore = this.#runNext(max);
    this.#refusingMs = 0;
    if (isMore || this.#beginning.length > 0) this.#requestTurn();
  };

  /**
   * Runs whose turn it is, or refuses it if that comes too late, and returns whether it is
   * anybody's.
   */
  #runNext(atWorkMax: number): boolean {
    while (this.#hasSlot(atWorkMax)) {
      const visit = this.#waiting.take();
      if (visit === undefined) return false;
      if (this.#waiting.size === 0) this.#pace.emptied();
      if (isGone(visit)) continue;
      this.#pace.turn();
      this.#runOrRefuse(visit);
      return true;
    }
    return false;
  }

  #runOrRefuse(visit: Visit<Request>): void {
    const nowMs = this.#deps.stopwatch.elapsedMs();
    if (isOverdue(visit, nowMs)) {
      this.#refuse(visit);
    } else {
      this.#giveSlot(visit, nowMs);
      this.#deps.run(visit.request);
    }
  }

  /**
   * While requests wait: refuses what can have no turn in time, and gives away the places of those
   * that wait for the outside.
   */
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
      if (this.#inWork >= limits.IN_WORK_MAX) this.#giveUpUnfinished(nowMs - limits.BODY_WAIT_CROWDED_MS);
      this.#takeSlotsOf(nowMs - (isLate ? limits.SLOT_HELD_LATE_MS : limits.SLOT_HELD_MS));
      this.#refuseTooMany();
      this.#requestTurn();
    }
    this.#ticking = false;
  }

  #takeSlotsOf(begunBeforeMs: number): void {
    for (const slot of this.#slots) {
      if (slot.begunMs > begunBeforeMs) return;
      this.#giveUp(slot);
    }
  }

  #giveUpUnfinished(begunBeforeMs: number): void {
    for (const visit of this.#unfinished) {
      if (visit.slot !== null && visit.slot.begunMs > begunBeforeMs) return;
      this.#unfinished.delete(visit);
      this.#deps.giveUp(visit.request);
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
    this.#refusingMs += this.#deps.stopwatch.elapsedMs() - nowMs;
  }
}

function isOverdue({ request }: Visit<Arrival>, nowMs: number): boolean {
  return nowMs - request.atMs > limits.WAITED_MAX_MS;
}

function isGone({ request: { res } }: Visit<Arrival>): boolean {
  return res.closed || res.destroyed || res.socket?.destroyed === true;
}

/**
 * How fast waiting requests get their turn, and how many may wait so that none waits for long: on a
 * machine that is half as fast half as many. Measured only while some wait, for without a queue it
 * shows how much comes and not how much can be done.
 */
class Pace {
  #turns = 0;
  /** Whether somebody waited all the time since the last measurement. */
  #isWhole = true;
  /** Null: not measured yet. */
  #turnsPerMs: number | null = null;

  get waitingMax(): number {
    if (this.#turnsPerMs === null) return limits.WAITING_MAX;
    const soon = Math.ceil(this.#turnsPerMs * limits.WAIT_EXPECTED_MS);
    return Math.min(limits.WAITING_MAX, Math.max(limits.WAITING_MIN, soon));
  }

  /** A request begins to wait, and none did before: what was measured then may be long ago. */
  begin(): void {
    this.#turnsPerMs = null;
    this.#startTick();
  }

  turn(): void {
    this.#turns++;
  }

  /** For a moment nobody waits. */
  emptied(): void {
    this.#isWhole = false;
  }

  /** So many milliseconds went by since the last measurement, or since the beginning. */
  measured(ms: number): void {
    const newest = this.#turns / Math.max(1, ms);
    const before = this.#turnsPerMs ?? newest;
    if (this.#isWhole) this.#turnsPerMs = before + NEWEST_SHARE * (newest - before);
    this.#startTick();
  }

  #startTick(): void {
    this.#turns = 0;
    this.#isWhole = true;
  }
}
