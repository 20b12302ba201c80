import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** Of the digest that names a space, in names of folders. */
const SPACE_DIGITS = 12;

/** The machine that this process runs on, as far as its other processes can be told apart. */
export interface Host {
  /** New at each start of the machine; "" if it has no such name. */
  readonly bootId: string;
  readonly pid: number;
  /**
   * Names the space in which process numbers mean something (a container has its own); null if
   * unknown.
   */
  readonly pidSpace: string | null;
  /** Milliseconds of a clock that all processes of the machine share, and that nobody can set. */
  uptimeMs(): number;
  /** Whether a process of the same space is certainly no more. */
  hasEnded(pid: number): boolean;
}

/** This machine. */
export const systemHost: Host = {
  bootId: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '',
  pid: process.pid,
  pidSpace: textOf(() => readlinkSync('/proc/self/ns/pid')),
  uptimeMs: () => Number(process.hrtime.bigint() / 1_000_000n),
  hasEnded(pid) {
    try {
      process.kill(pid, 0);
      return false;
    } catch (error) {
      // Another user's process cannot be asked, but is there.
      return (error as NodeJS.ErrnoException).code === 'ESRCH';
    }
  },
};

/**
 * Names the machine, since its start, and the container in which the number of a process means
 * something: another one on the same folder has processes that cannot be seen from here.
 */
export function spaceOf({ bootId, pidSpace }: Pick<Host, 'bootId' | 'pidSpace'>): string {
  return createHash('sha256').update(`${bootId} ${pidSpace}`).digest('hex').slice(0, SPACE_DIGITS);
}

/**
 * Whether the process of that number in a space has ended; null: it cannot be asked. One that took
 * over the number of another is taken for it.
 */
export function hasEndedIn(space: string | undefined, pid: number, host: Host): boolean | null {
  return host.pidSpace !== null && space === spaceOf(host) ? host.hasEnded(pid) : null;
}

/** Only Linux has these files. */
function textOf(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
