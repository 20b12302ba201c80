import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusReport } from '#api/status';
import type { CrashPointName } from '#ports/crash-point';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import { ROOT } from '#test/support/source-tree';
import { type Cut, startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';

const SERVICE = join(ROOT, 'dist/bundle/service/main.cjs');
const CRASH_POINT = /^\{"crash_point":"([a-z.]+)"\}$/;

/** Longer than a lease, and what a machine with other work takes. */
const WELL_MS_MAX = 20_000;
const POLL_INTERVAL_MS = 50;

export interface ReplicaOptions {
  readonly folder: string;
  /** Of the database itself; the replica comes to it through a line of its own. */
  readonly databaseUrl: string;
  /** All that it needs beside the store. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it stops at every crash point, for `holdAt`. */
  readonly isArmed: boolean;
}

const STARTS_MAX = 5;
const NO_DATABASE = /the server does not answer in time/;

/** A replica as a process, life after life, with its line to the database. */
export class Replica {
  readonly #line: TcpProxy;
  readonly #env: Readonly<Record<string, string>>;
  #process: ServiceProcess | null = null;
  #wanted: CrashPointName | null = null;
  #onHeld: (() => void) | null = null;

  private constructor(line: TcpProxy, env: Readonly<Record<string, string>>) {
    this.#line = line;
    this.#env = env;
  }

  static async start({ folder, databaseUrl, env, isArmed }: ReplicaOptions): Promise<Replica> {
    mkdirSync(folder, { recursive: true });
    const url = new URL(databaseUrl);
    const line = await startTcpProxy(Number(url.port));
    url.port = String(line.port);
    const own = { ...env, DATA_DIR: folder, STORE_URL: url.href, ...(isArmed ? { CRASH_AT: 'stop:any' } : {}) };
    const replica = new Replica(line, own);
    await replica.startAgain();
    return replica;
  }

  get url(): string {
    return this.#process!.url!;
  }

  isAlive(): boolean {
    return this.#process?.isAlive() === true;
  }

  output(): string {
    return this.#process?.output() ?? '';
  }

  /**
   * Resolves when it can decide about payments: it holds its lease, and its store can be written.
   */
  async untilWell(): Promise<void> {
    const untilMs = performance.now() + WELL_MS_MAX;
    while (performance.now() < untilMs) {
      const well = await fetch(`${this.url}/status.json`).then(isWell, () => false);
      if (well) return;
      await sleep(POLL_INTERVAL_MS);
    }
    throw new Error(`a replica does not get well: ${this.output()}`);
  }

  /**
   * Starts its next life; until it listens the replica is the one that died. It is started again, as
   * a supervisor would, where a busy machine has no database for it in time.
   */
  async startAgain(): Promise<void> {
    for (let starts = 1; ; starts++) {
      try {
        return await this.#startOnce();
      } catch (error) {
        if (starts === STARTS_MAX || !NO_DATABASE.test((error as Error).message)) throw error;
      }
    }
  }

  async #startOnce(): Promise<void> {
    let text = '';
    this.#process = await startServiceProcess(SERVICE, {
      env: this.#env,
      onOutput: (chunk, process) => {
        const lines = (text + chunk).split('\n');
        text = lines.pop()!;
        for (const line of lines) {
          const point = CRASH_POINT.exec(line)?.[1];
          if (point !== undefined) void this.#reached(point as CrashPointName, process);
        }
      },
    });
  }

  /** Resolves when it stands still at the crash point that comes next under this name. */
  holdAt(point: CrashPointName): Promise<void> {
    this.#wanted = point;
    return new Promise((resolve) => {
      this.#onHeld = resolve;
    });
  }

  /** Ends a wait for a crash point that was not come to. */
  holdNowhere(): void {
    this.#wanted = null;
  }

  goOn(): void {
    this.#process?.goOn();
  }

  stop(): void {
    this.#process?.pause();
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  cut(how: Cut): void {
    this.#line.cut(how);
  }

  heal(): void {
    this.#line.heal();
  }

  /** Ends whatever trouble it is in, with a new life. */
  async mend(): Promise<void> {
    this.holdNowhere();
    this.heal();
    this.goOn();
    await this.kill();
    await this.startAgain();
  }

  async close(): Promise<void> {
    this.goOn();
    await this.kill();
    await this.#line.close();
  }

  async #reached(point: CrashPointName, process: Stoppable): Promise<void> {
    // The line comes before the stop.
    while (process.isAlive() && !process.isStopped()) await sleep(1);
    if (point !== this.#wanted) return process.goOn();
    this.#wanted = null;
    this.#onHeld?.();
  }
}

type Stoppable = Pick<ServiceProcess, 'isAlive' | 'isStopped' | 'goOn'>;

async function isWell(answer: Response): Promise<boolean> {
  const { replica, components } = (await answer.json()) as StatusReport;
  return replica.is_lease_held && components.store?.ok === true;
}
