import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream } from 'pino';

/**
 * What is kept of lines that the reader of standard output has not taken; later lines are dropped.
 */
const UNREAD_BYTES_MAX = 1024 * 1024;

/** A reader that did not take all is tried again so often, for nobody tells that it reads again. */
const AGAIN_INTERVAL_MS = 50;
/** How long the end of the process waits for the reader of its last lines. */
const LAST_LINES_MS = 1_000;

/** Writes bytes and returns how many; throws EAGAIN when none can be taken now. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** A place for log lines that never waits for its reader and never throws. */
export interface PatientDestination extends DestinationStream {
  /** Resolves when everything is written or dropped, or after so long. */
  end(waitMs: number): Promise<void>;
}

/** That of this process, once it has one. */
let output: PatientDestination | null = null;

/**
 * Returns the standard output of the process as a place for log lines. A reader that is gone or
 * that does not read must not hold up the service: a line is written at once, kept if it cannot be,
 * and dropped beyond a bound.
 */
export function standardOutput(): DestinationStream {
  // Touching the stream makes a pipe non-blocking, so that `writeSync` throws EAGAIN where it would
  // wait.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  output = patientDestination((bytes) => writeSync(1, bytes));
  return output;
}

/** Resolves when the reader of standard output has taken all lines, or has had its time. */
export async function lastLinesWritten(): Promise<void> {
  await output?.end(LAST_LINES_MS);
}

/** Returns a place for log lines over any way to write bytes; it keeps so many unread ones. */
export function patientDestination(writeBytes: WriteBytes, unreadBytesMax = UNREAD_BYTES_MAX): PatientDestination {
  let unread: Buffer = Buffer.alloc(0);
  let again: NodeJS.Timeout | null = null;

  function write(): void {
    unread = rest(unread, writeBytes);
    if (unread.length === 0 || again !== null) return;
    again = setTimeout(() => {
      again = null;
      write();
    }, AGAIN_INTERVAL_MS).unref();
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (unread.length + bytes.length <= unreadBytesMax) unread = Buffer.concat([unread, bytes]);
      write();
    },
    async end(waitMs) {
      for (let waitedMs = 0; unread.length > 0 && waitedMs < waitMs; waitedMs += AGAIN_INTERVAL_MS) {
        await sleep(AGAIN_INTERVAL_MS);
        write();
      }
    },
  };
}

/** Writes what can be written now and returns what is left. With the reader gone, nothing is. */
function rest(bytes: Buffer, writeBytes: WriteBytes): Buffer {
  let left = bytes;
  try {
    while (left.length > 0) left = left.subarray(writeBytes(left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return Buffer.alloc(0);
  }
  return left;
}
