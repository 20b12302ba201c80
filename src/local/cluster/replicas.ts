import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './proxy.js';
import { Replica, type ReplicaEnd, type ReplicaOptions } from './replica.js';

/**
 * What died is started again after a second, so that one can see the others do its work meanwhile.
 */
const RESTART_MS = 1_000;
/**
 * Starts in a row that fail, after which a replica is left down: what is wrong with it needs a
 * person.
 */
const FAILED_STARTS_MAX = 3;
const LOOK_AGAIN_MS = 50;

/** What local.json says of a replica that is up. */
export interface ReplicaFacts {
  readonly id: string;
  readonly url: string;
  readonly pid: number;
}

export interface ReplicasDeps {
  /** Is told of each death and of each return, in one line. */
  readonly print: (what: string) => void;
  /** Called when other processes are up than before. */
  readonly changed: () => void;
}

/** The replicas of a cluster: each is a process that is started again when it dies. */
export class Replicas {
  readonly #up = new Map<string, Replica>();
  readonly #deps: ReplicasDeps;
  readonly #stopping = new AbortController();
  /** Who is being stopped to be started again, and who was given up. */
  readonly #planned = new Set<string>();
  readonly #down = new Set<string>();
  #pausing: Promise<unknown> = Promise.resolve();

  private constructor(deps: ReplicasDeps) {
    this.#deps = deps;
  }

  /** Starts all of them at once. Rejects, with none of them left, if one does not come up. */
  static async start(options: readonly ReplicaOptions[], deps: ReplicasDeps): Promise<Replicas> {
    const replicas = new Replicas(deps);
    const started = await Promise.allSettled(options.map((each) => Replica.start(each)));
    const up = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = started.find((each) => each.status === 'rejected');
    if (failed !== undefined) {
      await Promise.all(up.map((replica) => replica.stop()));
      throw failed.reason;
    }
    for (const replica of up) replicas.#up.set(replica.id, replica);
    replicas.#pausing = Promise.all(options.map((each) => replicas.#keep(each)));
    return replicas;
  }

  /** Those that are up, for the proxy. */
  readonly targets = (): readonly Target[] => this.#byId();

  facts(): readonly ReplicaFacts[] {
    return this.#byId().map(({ id, url, pid }) => ({ id, url, pid }));
  }

  /**
   * Restarts one after the other, each when the one before is up again: nobody who asks notices.
   */
  async roll(): Promise<void> {
    for (const replica of this.#byId()) {
      const { id } = replica;
      if (this.#stopping.signal.aborted) return;
      this.#planned.add(id);
      this.#deps.print(`restarting replica ${id} (pid ${replica.pid})`);
      await replica.stop();
      const isBack = () => (this.#up.get(id) ?? replica) !== replica;
      while (!isBack() && !this.#down.has(id) && !this.#stopping.signal.aborted) await sleep(LOOK_AGAIN_MS);
    }
  }

  /** Stops all of them at once, in order: each finishes what it is at. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#up.values()].map((replica) => replica.stop()));
    await this.#pausing;
  }

  /** In one order, whichever was started last. */
  #byId(): readonly Replica[] {
    return [...this.#up.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /**
   * Waits for each end of a replica and starts it again, until all are stopped or it does not come
   * up any more.
   */
  async #keep(options: ReplicaOptions): Promise<void> {
    for (let replica: Replica | null = this.#up.get(options.id)!; replica !== null; ) {
      const end = await replica.gone;
      this.#up.delete(options.id);
      if (this.#stopping.signal.aborted) return;
      this.#deps.changed();
      if (!this.#planned.delete(options.id)) await this.#reportDeath(options.id, end);
      replica = await this.#startAgain(options);
    }
  }

  async #reportDeath(id: string, { pid, how }: ReplicaEnd): Promise<void> {
    this.#deps.print(`replica ${id} (pid ${pid}) ended by ${how}: the others go on, and it is started again`);
    await this.#pause();
  }

  #pause(): Promise<void> {
    return sleep(RESTART_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #startAgain(options: ReplicaOptions): Promise<Replica | null> {
    for (let tries = 1; tries <= FAILED_STARTS_MAX; tries++) {
      if (tries > 1) await this.#pause();
      if (this.#stopping.signal.aborted) return null;
      const replica = await Replica.start(options).catch((error: Error) => {
        this.#deps.print(error.message);
        return null;
      });
      if (replica !== null) return this.#enter(replica);
    }
    this.#down.add(options.id);
    this.#deps.print(`replica ${options.id} is left down: Ctrl-C and a new start bring it back`);
    return null;
  }

  async #enter(replica: Replica): Promise<Replica | null> {
    if (this.#stopping.signal.aborted) {
      await replica.stop();
      return null;
    }
    this.#up.set(replica.id, replica);
    this.#deps.changed();
    this.#deps.print(`replica ${replica.id} is up again (pid ${replica.pid})`);
    return replica;
  }
}
