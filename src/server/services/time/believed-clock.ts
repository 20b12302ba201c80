import { CLOCKS_APART_MS_MAX } from '#domain/time';
import type { Clock } from '#system/clock';
import { agreement, type Vote } from './agreement.js';

/** What a source said counts for so long; upstreams are asked every few seconds. */
const HEARD_MS_MAX = 10 * 60_000;
/** An answer can be late, never early: for so long a later time of a source wins over earlier ones. */
const LATEST_COUNTS_MS = 60_000;
/** Whoever is configured: the venue, facilitators, chains, a database. */
const SOURCES_MAX = 32;
/** While no time is confirmed it is the beginning of all time for what lapses. */
export const NOTHING_LAPSES_MS = 0;
/** The name under which the chain is heard. No clock of a machine can be set wrong by it. */
export const CHAIN_SOURCE = 'the chain';

/** What decides by the date something that cannot be undone: a sweep, an expiry, a board. */
export interface BelievedTime extends Clock {
  /** Whether two clocks have agreed since the start. */
  readonly isConfirmed: boolean;
  /** The time by which something lapses, goes or ends: until it is confirmed, nothing does. */
  readonly lapses: Clock;
}

/** The state of this machine's clock. */
export interface TimeReport {
  readonly isConfirmed: boolean;
  /** By how much it is ahead of the believed time, or of the first that was heard; null: none was. */
  readonly aheadMs: number | null;
  /** Sources that count now, this machine apart. */
  readonly sources: number;
}

/** Then what was believed is the wall clock's word, and counts no second time. */
function areTogether(offsetMs: number, wall: Vote): boolean {
  return Math.abs(offsetMs - wall.offsetMs) <= CLOCKS_APART_MS_MAX;
}

/** Returns the time of a clock that nobody doubts: that of an operator's command, which hears no other. */
export function trusted(clock: Clock): BelievedTime {
  return { isConfirmed: true, lapses: clock, nowMs: () => clock.nowMs(), elapsedMs: () => clock.elapsedMs() };
}

/**
 * The time that most clocks agree upon: the wall clock, what is heard of others, and the time once
 * believed, which goes on by the monotonic clock. A wall clock that is set moves nothing until
 * somebody else says the same.
 */
export class BelievedClock implements BelievedTime {
  readonly lapses: Clock;
  /** Resolves when the time is confirmed for the first time. */
  readonly confirmed: Promise<void>;
  readonly #clock: Clock;
  readonly #heard = new Map<string, { readonly offsetMs: number; readonly atMs: number }>();
  /** Believed time less elapsed time; null: no two clocks have agreed yet. */
  #offsetMs: number | null = null;
  #confirm: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.lapses = {
      elapsedMs: () => this.elapsedMs(),
      nowMs: () => (this.isConfirmed ? this.nowMs() : NOTHING_LAPSES_MS),
    };
    this.confirmed = new Promise((resolve) => {
      this.#confirm = resolve;
    });
  }

  get isConfirmed(): boolean {
    return this.#offsetMs !== null;
  }

  elapsedMs(): number {
    return this.#clock.elapsedMs();
  }

  /** Until it is confirmed: the chain's, by which payments are judged, or else that of this machine. */
  nowMs(): number {
    const offsetMs = this.#offsetMs ?? this.#heard.get(CHAIN_SOURCE)?.offsetMs;
    // Elapsed time has fractions of a millisecond; dates have none.
    return offsetMs === undefined ? this.#clock.nowMs() : Math.round(offsetMs + this.elapsedMs());
  }

  /** Notes what a source says that it is now. */
  hear(source: string, nowMs: number): void {
    const atMs = this.elapsedMs();
    const offsetMs = nowMs - atMs;
    const before = this.#heard.get(source);
    const isLatest = before !== undefined && before.offsetMs > offsetMs && atMs - before.atMs < LATEST_COUNTS_MS;
    const hasRoom = before !== undefined || this.#heard.size < SOURCES_MAX;
    if (!isLatest && hasRoom) this.#heard.set(source, { offsetMs, atMs });
    this.#decide();
  }

  report(): TimeReport {
    const votes = this.#sources();
    const theirsMs = this.#offsetMs ?? this.#heard.get(CHAIN_SOURCE)?.offsetMs ?? votes[0]?.offsetMs ?? null;
    const aheadMs = theirsMs === null ? null : Math.round(this.#wallMs() - theirsMs);
    return { isConfirmed: this.isConfirmed, aheadMs, sources: votes.length };
  }

  #decide(): void {
    const wall = { offsetMs: this.#wallMs() };
    const kept = this.#offsetMs === null || areTogether(this.#offsetMs, wall) ? [] : [{ offsetMs: this.#offsetMs }];
    // In this order: while the wall clock is among those that agree, it is followed.
    const agreed = agreement([wall, ...kept, ...this.#sources()], CLOCKS_APART_MS_MAX);
    if (agreed === null) return;
    this.#offsetMs = agreed.offsetMs;
    this.#confirm();
  }

  #wallMs(): number {
    return this.#clock.nowMs() - this.elapsedMs();
  }

  #sources(): readonly Vote[] {
    const sinceMs = this.elapsedMs() - HEARD_MS_MAX;
    return [...this.#heard.values()].filter(({ atMs }) => atMs >= sinceMs);
  }
}
