import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/**
 * What is kept of lines that the reader of standard output has not taken; later lines are dropped.
 */
const UNREAD_BYTES_MAX = 1024 * 1024;

/** Writes bytes and returns how many; throws EAGAIN when none can be taken now. */
export type WriteBytes = (bytes: Uint8Array) => number;

/**
 * Returns the standard output of the process as a place for log lines. A reader that is gone or
 * that does not read must not hold up the service, nor its end: a line is written at once, kept if
 * it cannot be, and dropped beyond a bound.
 */
export function standardOutput(): DestinationStream {
  // Touching the stream makes a pipe non-blocking, so that `writeSync` throws EAGAIN where it would
  // wait.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return patientDestination((bytes) => writeSync(1, bytes));
}

/** Returns a destination that never waits for its reader and never throws. */
export function patientDestination(writeBytes: WriteBytes, unreadBytesMax = UNREAD_BYTES_MAX): DestinationStream {
  let unread: Buffer = Buffer.alloc(0);
  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (unread.length + bytes.length <= unreadBytesMax) unread = Buffer.concat([unread, bytes]);
      unread = rest(unread, writeBytes);
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
