import { systemClock } from '#adapters/process/system-clock';
import type { ChainClient } from './chain-client.js';
import { nextBlockS } from './recover.js';
import { repeat } from './repeat.js';

/**
 * Blocks keep coming for so long after the chain was last used, then it rests. A payment is decided
 * in half of it.
 */
const AWAKE_MS = 300_000;

export interface HeartbeatOptions {
  readonly client: ChainClient;
  /** An empty block is due when the last one is so old; 0: never. */
  readonly intervalMs: number;
  /** Makes a block if one is still due when its turn comes. */
  readonly mineIf: (isDue: () => Promise<boolean>) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * Time passes on a chain by its blocks: contracts that are only asked see the time of the last one,
 * and an authorization expires by it. So blocks come without transactions too, but only while there
 * is a client to see them.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #usedAtMs = systemClock.nowMs();
  readonly #end: () => void;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    const { intervalMs, failed } = options;
    this.#end = intervalMs === 0 ? () => {} : repeat(intervalMs, () => this.#beat(), failed);
  }

  /** Says that the chain is in use; a block that is due comes now. */
  async wake(): Promise<void> {
    this.#usedAtMs = systemClock.nowMs();
    await this.#beat();
  }

  end(): void {
    this.#end();
  }

  async #beat(): Promise<void> {
    const { intervalMs, client, mineIf } = this.#options;
    if (intervalMs === 0 || systemClock.nowMs() - this.#usedAtMs > AWAKE_MS) return;
    const isDue = async () => {
      const { timestamp } = await client.getBlock();
      return ((await nextBlockS(client)) - Number(timestamp)) * 1_000 >= intervalMs;
    };
    if (await isDue()) await mineIf(isDue);
  }
}
