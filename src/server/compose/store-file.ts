import { lockOnDisk } from '#adapters/lmdb/memory-lock';
import { failStop } from '#adapters/process/fail-stop';
import { type FileIdentity, identityOf, lookAgain } from '#adapters/process/file-identity';
import type { Log } from '#ports/log';
import { interval } from '#services/interval';
import type { Timers } from '#system/timers';
import type { Part } from './parts.js';

/** What is acknowledged between two looks may be in a file that the next start does not find. */
const LOOK_INTERVAL_MS = 250;

export interface StoreFileDeps {
  readonly timers: Timers;
  /** Ends the process. Absent: as the service does. */
  readonly failStop?: (sentence: string) => void;
}

/**
 * Watches whether the path of an open store still leads to the file that is open: changes of one
 * that was moved, removed or replaced are acknowledged, and gone at the next start. So the process
 * ends, in one sentence. The file is looked at now, and then beside the work: a disk that does not
 * answer holds up nothing but the next look.
 */
export function watchStoreFile(path: string, { timers, failStop: fail = failStop }: StoreFileDeps): Part {
  const stopping = new AbortController();
  let known: FileIdentity = identityOf(path);

  async function look(): Promise<void> {
    const found = await lookAgain(path, known);
    if (stopping.signal.aborted) return;
    if (typeof found !== 'string') {
      known = found;
      return;
    }
    stopping.abort();
    fail(
      `${path} ${found} while the service works on it: what it would acknowledge would be lost, so it ends; put the file back, or stop the service before the store is moved or restored`,
    );
  }

  // A disk that says nothing has not said that the file is another one.
  const onError = () => undefined;
  return {
    start: () => void interval(LOOK_INTERVAL_MS, look, { timers, signal: stopping.signal, onError }),
    stop: () => stopping.abort(),
  };
}

/** Writes to the log if a disk that hangs would stop every answer of a service on this store. */
export function warnOfLock(path: string, log: Log): void {
  const sentence = lockOnDisk(path);
  if (sentence !== null) log.warn({ path }, sentence);
}
