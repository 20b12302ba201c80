import type { Timers } from '#system/timers';
import { interval } from '../interval.js';

/** Between two looks: files grow slowly, and a tape has hundreds of them. */
const POLL_INTERVAL_MS = 60_000;

/**
 * What is on the disk of the data directory, in bytes; null: not known yet, or there are no such
 * files.
 */
export interface DiskUseReport {
  readonly storeBytes: number | null;
  readonly tapeBytes: number | null;
  /**
   * When the last checked backup was made; 0: none is known. null: the store is backed up by other
   * tools.
   */
  readonly backupAtMs: number | null;
}

export interface DiskUseDeps {
  /** Of files and of folders with all that is in them; null: there is none of it. */
  readonly bytesOf: (paths: readonly string[]) => Promise<number | null>;
  /** Files of the embedded store; none: the store is elsewhere. */
  readonly storePaths: readonly string[];
  readonly tapePath: string;
  readonly lastBackupMs: () => Promise<number | null>;
  readonly timers: Timers;
}

/**
 * Looks now and then how large what is kept has become, and when it was last backed up, so that
 * nobody who asks has to wait for the disk.
 */
export class DiskUse {
  readonly #deps: DiskUseDeps;
  readonly #stopping = new AbortController();
  #report: DiskUseReport = { storeBytes: null, tapeBytes: null, backupAtMs: null };

  constructor(deps: DiskUseDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves after the first look. Never rejects: a disk that does not answer leaves what was last
   * known.
   */
  async start(): Promise<void> {
    const look = () => this.#look();
    const onError = () => undefined;
    await look().catch(onError);
    void interval(POLL_INTERVAL_MS, look, { timers: this.#deps.timers, signal: this.#stopping.signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  report(): DiskUseReport {
    return this.#report;
  }

  async #look(): Promise<void> {
    const { bytesOf, storePaths, tapePath, lastBackupMs } = this.#deps;
    const isElsewhere = storePaths.length === 0;
    const [storeBytes, tapeBytes, backupAtMs] = await Promise.all([
      isElsewhere ? null : bytesOf(storePaths),
      bytesOf([tapePath]),
      isElsewhere ? null : lastBackupMs().then((atMs) => atMs ?? 0),
    ]);
    this.#report = { storeBytes, tapeBytes, backupAtMs };
  }
}
