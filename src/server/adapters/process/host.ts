import { readFileSync, readlinkSync } from 'node:fs';

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

/** Only Linux has these files. */
function textOf(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
