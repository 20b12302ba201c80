import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess } from '../end-with-this-process.js';
import type { Target } from './proxy.js';

const START_MS_MAX = 60_000;
/** Longer than the service itself takes at most. */
const STOP_MS_MAX = 18_000;
/** From when it gets no more requests until it is told to stop. */
const RETIRE_MS = 100;
const POLL_INTERVAL_MS = 500;
const LOOK_MS_MAX = 1_000;
const LOOK_AGAIN_MS = 50;
/** As much of its last words as is worth repeating. */
const COMPLAINT_CHARS_MAX = 300;

export interface ReplicaOptions {
  readonly id: string;
  readonly port: number;
  /** Its own: what it logs, and what it keeps beside the store. */
  readonly folder: string;
  /** The script, with its arguments, that a process of Node runs; with the options of this one. */
  readonly script: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a process of a replica ended. */
export interface ReplicaEnd {
  readonly pid: number;
  /** `SIGKILL`, or `code 1`, with what it said last. */
  readonly how: string;
}

/**
 * One life of a replica: a process of the service that ends when this process does, and who looks
 * after its health.
 */
export class Replica implements Target {
  readonly id: string;
  readonly port: number;
  readonly pid: number;
  readonly gone: Promise<ReplicaEnd>;
  #isWell = true;
  #isGone = false;
  #isRetired = false;
  readonly #child: ChildProcess;

  private constructor({ id, port }: ReplicaOptions, child: ChildProcess) {
    this.id = id;
    this.port = port;
    this.pid = child.pid!;
    this.#child = child;
    this.gone = this.#endOf(child);
  }

  /**
   * Resolves when it is ready for requests; rejects, with its last words, if it ends or is not in
   * time.
   */
  static async start(options: ReplicaOptions): Promise<Replica> {
    mkdirSync(options.folder, { recursive: true });
    const log = openSync(join(options.folder, 'preflight.log'), 'a', 0o600);
    const child = spawn(process.execPath, [...process.execArgv, ...options.script], {
      env: options.env,
      // Of its own group: Ctrl-C in a terminal must not end it before the requests that are on the
      // way.
      detached: true,
      stdio: ['ignore', log, 'pipe'],
    });
    closeSync(log);
    const replica = new Replica(options, child);
    const release = endWithThisProcess(replica.pid, 'TERM');
    void replica.gone.then(release);
    for (let waitedMs = 0; waitedMs < START_MS_MAX && !replica.#isGone; waitedMs += LOOK_AGAIN_MS) {
      if (await replica.#answers()) {
        void replica.#watch();
        return replica;
      }
      await sleep(LOOK_AGAIN_MS);
    }
    await replica.stop();
    throw new Error(`replica ${options.id} does not start: it ended by ${(await replica.gone).how}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isWell(): boolean {
    return this.#isWell && !this.#isGone && !this.#isRetired;
  }

  /** Has new requests go elsewhere; lets it finish those that it has, for a while. */
  async stop(): Promise<void> {
    this.#isRetired = true;
    // A connection that is being made to it must find it listening.
    if (!this.#isGone) await sleep(RETIRE_MS);
    this.#child.kill('SIGTERM');
    const limit = new AbortController();
    const tooLong = sleep(STOP_MS_MAX, 'too long', { signal: limit.signal }).catch(() => null);
    if ((await Promise.race([this.gone, tooLong])) === 'too long') this.#child.kill('SIGKILL');
    await this.gone;
    limit.abort();
  }

  /**
   * A replica that is paused or cut off from its store gets no requests as long as others are well.
   */
  async #watch(): Promise<void> {
    while (!this.#isGone && !this.#isRetired) {
      await sleep(POLL_INTERVAL_MS);
      this.#isWell = await this.#answers();
    }
  }

  async #answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(LOOK_MS_MAX);
    const answer = await fetch(`${this.url}/healthz`, { signal }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    return answer?.ok === true;
  }

  async #endOf(child: ChildProcess): Promise<ReplicaEnd> {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-COMPLAINT_CHARS_MAX);
    });
    const how = await new Promise<string>((resolve) => {
      child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
      child.once('error', (error) => resolve(error.message));
    });
    this.#isGone = true;
    const last = said.trim().replaceAll(/\s+/g, ' ');
    return { pid: this.pid, how: last === '' ? how : `${how} (${last})` };
  }
}
