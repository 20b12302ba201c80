import { readFileSync } from 'node:fs';

/**
 * Returns the CPU that the main thread of this process has taken, or null if the system does not
 * tell.
 */
export function mainThreadMicros(): number | null {
  try {
    // Linux counts each thread by itself; the first thread has the number of the process.
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3;
  } catch {
    return null;
  }
}

/**
 * What a child says of its CPU, in µs: of all of its threads, and of the first alone (null if the
 * system does not tell).
 */
export const CPU_TAKEN = {
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  mainCpu: mainThreadMicros,
};
