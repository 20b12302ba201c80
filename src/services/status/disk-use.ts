import type { Timers } from '#ports/timers';
import { every } from '../every.js';

/** Between two looks: files grow slowly, and a tape has hundreds of them. */
const LOOK_EVERY_MS = 60_000;

/** Bytes on the disk of the data directory; null: not known yet, or there are no such files. */
export interface DiskUseReport {
  readonly storeBytes: number | null;
  readonly tapeBytes: number | null;
}

export interface DiskUseDeps {
  /** Of files and of folders with all that is in them; null: there is none of it. */
  readonly bytesOf: (paths: readonly string[]) => Promise<number | null>;
  /** Files of the embedded store; none: the store is elsewhere. */
  readonly storePaths: readonly string[];
  readonly tapePath: string;
  readonly timers: Timers;
}

/** Looks now and then how large what is kept has become, so that nobody who asks has to wait for the disk. */
export class DiskUse {
  readonly #deps: DiskUseDeps;
  readonly #stopping = new AbortController();
  #report: DiskUseReport = { storeBytes: null, tapeBytes: null };

  constructor(deps: DiskUseDeps) {
    this.#deps = deps;
  }

  /** Resolves after the first look. Never rejects: a disk that does not answer leaves what was last known. */
  async start(): Promise<void> {
    const look = () => this.#look();
    const onError = () => undefined;
    await look().catch(onError);
    void every(LOOK_EVERY_MS, look, { timers: this.#deps.timers, signal: this.#stopping.signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  report(): DiskUseReport {
    return this.#report;
  }

  async #look(): Promise<void> {
    const { bytesOf, storePaths, tapePath } = this.#deps;
    const [storeBytes, tapeBytes] = await Promise.all([
      storePaths.length === 0 ? null : bytesOf(storePaths),
      bytesOf([tapePath]),
    ]);
    this.#report = { storeBytes, tapeBytes };
  }
}
