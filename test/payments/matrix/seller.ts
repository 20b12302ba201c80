import { join } from 'node:path';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import { ROOT } from '#test/support/source-tree';
import type { Site } from './site.js';

/**
 * Somebody who sells over x402, as a process that can be killed and started again on the same data.
 */
export interface Seller {
  readonly name: string;
  /** Whether it has a ledger of credits to look into. */
  readonly keepsCredits: boolean;
  /** `crashAt`: where it is to kill or stop itself; null: nowhere. */
  start(site: Site, crashAt: string | null): Promise<ServiceProcess>;
}

const SERVICE = join(ROOT, 'dist/bundle/service/main.cjs');

/** The service as operators run it. */
export const preflight: Seller = {
  name: 'preflight',
  keepsCredits: true,
  start({ world, dataDir, facilitators }, crashAt) {
    const urls = facilitators.map(({ url }) => url);
    const env = world.serviceEnv(dataDir, urls);
    return startServiceProcess(SERVICE, { env: crashAt === null ? env : { ...env, CRASH_AT: crashAt } });
  },
};

/**
 * How many processes start at once; their number in all is not limited here, since most of them
 * wait.
 */
const STARTS_AT_ONCE = 2;
let starting = 0;
const queue: (() => void)[] = [];

/** Whoever has a client waiting goes first: its payment is getting older. */
async function inTurn<T>(isUrgent: boolean, start: () => Promise<T>): Promise<T> {
  if (starting >= STARTS_AT_ONCE) {
    await new Promise<void>((resolve) => (isUrgent ? queue.unshift(resolve) : queue.push(resolve)));
  }
  starting++;
  try {
    return await start();
  } finally {
    starting--;
    queue.shift()?.();
  }
}

/** A dead process is not always noticed before the connection that broke with it. */
const NOTICE_MS_MAX = 20_000;

/**
 * The lives of one seller on one data directory: each ends by the next crash, until there are no
 * more.
 */
export class Lives {
  readonly seller: Seller;
  readonly #site: Site;
  #process: ServiceProcess | null = null;
  #armed: string | null = null;
  #isRestart = false;
  #isOver = false;
  readonly #crashes: string[];
  /** How long its newest start took, without the wait for its turn. */
  startedInMs = 0;
  /** Where it died, in order. */
  readonly deaths: string[] = [];

  constructor(seller: Seller, site: Site, crashes: readonly string[]) {
    this.seller = seller;
    this.#site = site;
    this.#crashes = [...crashes];
  }

  /** Whether it was killed for good. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns where it listens, after it was started (again) if need be. */
  async url(): Promise<string> {
    for (;;) {
      if (this.#isOver) throw new Error('it lives no more');
      if (this.#process?.isAlive() && this.#process.url !== null) return this.#process.url;
      await this.#bury();
      this.#armed = this.#crashes.shift() ?? null;
      this.#process = await inTurn(this.#isRestart, () => this.#start());
      if (this.#isOver) await this.kill();
      this.#isRestart = true;
    }
  }

  async #start(): Promise<ServiceProcess> {
    const fromMs = performance.now();
    const started = await this.seller.start(this.#site, this.#armed);
    this.startedInMs = performance.now() - fromMs;
    return started;
  }

  /** Waits a moment for the death by which a connection broke. Returns whether there was one. */
  async diedNow(): Promise<boolean> {
    if (this.#process === null) return true;
    const timer = new Promise<'alive'>((resolve) => setTimeout(resolve, NOTICE_MS_MAX, 'alive').unref());
    if ((await Promise.race([this.#process.gone, timer])) === 'alive') return false;
    await this.#bury();
    return true;
  }

  /** Kills it from outside; what it was still to die of is forgotten. */
  async kill(): Promise<void> {
    this.#crashes.length = 0;
    const dying = this.#process;
    this.#process = null;
    await dying?.kill();
  }

  /** Kills it for good. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }

  /** What it is at, and the last of what it wrote. */
  lastWords(): string {
    const state = this.#process?.isAlive() ? 'alive' : 'dead';
    return `it is ${state}, died at ${this.deaths.join(', ') || 'nothing'}, and wrote\n${this.#process?.output() ?? ''}`;
  }

  async #bury(): Promise<void> {
    if (this.#process === null) return;
    const how = await this.#process.gone;
    if (how !== 'SIGKILL' || this.#armed === null) {
      throw new Error(`it ended by itself (${how}), armed at ${this.#armed}:\n${this.#process.output()}`);
    }
    this.deaths.push(this.#armed);
    this.#process = null;
  }
}
