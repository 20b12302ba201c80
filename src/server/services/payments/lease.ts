import { OutsideError } from '#domain/errors';
import type { Leases, Process } from '#ports/leases';
import type { Log } from '#ports/log';
import type { Random } from '#system/random';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';

const RENEW_INTERVAL_MS = 1_500;
/** After a failure: as soon as the store is back, this process is at work again. */
const TRY_AGAIN_MS = 250;
/** A start that is busy with itself may hear of an answer of the store too late. */
const START_TRIES_MAX = 3;
/**
 * This long after its last renewal was sent a process no longer decides anything: soon the others
 * may take over what it owns.
 */
const TRUST_MS = 4_000;

export interface LeaseDeps {
  readonly leases: Leases;
  /** How many other processes may be at work on the store. */
  readonly othersMax: number;
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
}

/**
 * This process as an owner of payments: its name, and whether the others still count on it
 * (docs/payments.md, "One owner").
 */
export class Lease {
  /** Names this life of the process. */
  readonly id: string;
  readonly #deps: LeaseDeps;
  readonly #stopping = new AbortController();
  /** How often others may have taken it for dead. */
  #lapses = 0;
  /** When the last renewal that succeeded was sent. */
  #sentAtMs: number | null = null;
  #others: readonly Process[] = [];
  #hasFailed = false;
  #renewing: Promise<void> = Promise.resolve();

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    this.id = Buffer.from(deps.random.bytes(16)).toString('hex');
  }

  /**
   * Whether this process may decide: by monotonic time, so that neither a pause nor a set clock
   * deceives it.
   */
  isHeld(): boolean {
    return this.#sentAtMs !== null && this.#deps.stopwatch.elapsedMs() - this.#sentAtMs <= TRUST_MS;
  }

  /** Whether no other process held a lease when this one was last renewed. */
  get isAlone(): boolean {
    return this.#others.length === 0;
  }

  /** The others that held a lease when this one was last renewed. */
  get othersCount(): number {
    return this.#others.length;
  }

  /** Changes whenever others may have taken over what this process owned. */
  get term(): number {
    return this.#lapses;
  }

  /**
   * Takes the lease and keeps it. Rejects with an OutsideError when as many processes as may be are
   * there already.
   */
  async start(): Promise<void> {
    const others = await this.#renewAtStart();
    if (others !== null)
      throw new OutsideError('store', crowdText(others, this.#deps.othersMax), { failure: 'retryable' });
    this.#renewing = this.#renewForEver();
  }

  /** Gives everything that this process owns to whoever takes it. */
  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
    this.#sentAtMs = null;
    await this.#deps.leases.end(this.id);
  }

  async #renewAtStart(): Promise<readonly Process[] | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#renew();
      } catch (error) {
        if (tries === START_TRIES_MAX) throw error;
        await this.#deps.timers.sleep(TRY_AGAIN_MS);
      }
    }
  }

  async #renewForEver(): Promise<void> {
    const { timers } = this.#deps;
    const { signal } = this.#stopping;
    let isRenewed = true;
    while (!signal.aborted) {
      await timers.sleep(isRenewed ? RENEW_INTERVAL_MS : TRY_AGAIN_MS, signal);
      if (!signal.aborted) isRenewed = await this.#renewAgain();
    }
  }

  /** Never rejects. Returns whether the store answered. */
  async #renewAgain(): Promise<boolean> {
    const { log } = this.#deps;
    try {
      const others = await this.#renew();
      this.#hasFailed = false;
      if (others !== null) log.error({ others }, 'others are at work instead of this process: it decides nothing');
      return true;
    } catch (err) {
      // Once, however often it is tried.
      if (!this.#hasFailed) log.error({ err }, 'this process could not renew its lease: soon it decides nothing');
      this.#hasFailed = true;
      return false;
    }
  }

  /** Returns null, or the processes because of which there is no place. */
  async #renew(): Promise<readonly Process[] | null> {
    const { leases, othersMax, stopwatch } = this.#deps;
    const sentAtMs = stopwatch.elapsedMs();
    const { kind, others } = await leases.hold(this.id, othersMax);
    if (!this.isHeld()) this.#lapses++;
    if (kind === 'full') return others;
    this.#sentAtMs = sentAtMs;
    this.#logOf(others);
    return null;
  }

  /**
   * Each once. A data directory has a second process while a restart overlaps, and otherwise by
   * mistake; a store that replicas share always has others.
   */
  #logOf(others: readonly Process[]): void {
    const { log, othersMax } = this.#deps;
    const isKnown = (one: Process, among: readonly Process[]) => among.some(({ id }) => id === one.id);
    for (const { pid } of others.filter((one) => !isKnown(one, this.#others))) {
      if (othersMax > 1) log.info({ pid }, 'another replica is at work on the same store');
      else log.warn({ pid }, 'another process is at work on the same store');
    }
    for (const { pid } of this.#others.filter((one) => !isKnown(one, others))) {
      log.info({ pid }, 'another process on the store has gone');
    }
    this.#others = others;
  }
}

function crowdText(others: readonly Process[], othersMax: number): string {
  const pids = others.map(({ pid }) => pid).join(' and ');
  return `the processes ${pids} are at work on this store, and no more than ${othersMax + 1} may be: stop one, then start again`;
}
