import { writeSync } from 'node:fs';
import { CRASH_POINTS, type CrashPointName, type CrashPoints, UPKEEP_CRASH_POINTS } from '#ports/crash-point';

const STOP = 'stop:';
const ANY = 'any';
const STDERR = 2;
const STEPS: readonly CrashPointName[] = CRASH_POINTS;
const ALL: readonly CrashPointName[] = [...CRASH_POINTS, ...UPKEEP_CRASH_POINTS];

/**
 * Returns crash points armed by a text `name` or `name#k` (the k-th time, 1 if left out): there the
 * process kills itself with SIGKILL, or with `stop:name` stops itself with SIGSTOP until it is
 * continued. With `stop:any` it stops at each step of a payment, every time, after a line on stderr
 * that says at which: `{"crash_point":"name"}`. Returns null without a text: nothing is armed. Throws when
 * the text names no crash point.
 */
export function armCrashPoint(text: string | undefined): CrashPoints | null {
  if (text === undefined || text === '') return null;
  const isStop = text.startsWith(STOP);
  const [name, nth = '1'] = (isStop ? text.slice(STOP.length) : text).split('#');
  if (isStop && name === ANY) return { armed: () => true, hit: stopAt };
  if (!ALL.includes(name as CrashPointName)) {
    throw new Error(`CRASH_AT: no crash point "${name}"; there are ${ALL.join(', ')}`);
  }
  let left = Number(nth);
  return {
    armed: (point) => point === name && left > 0,
    hit: (point) => {
      if (point === name && --left === 0) process.kill(process.pid, isStop ? 'SIGSTOP' : 'SIGKILL');
    },
  };
}

/** Whoever reads the line decides what becomes of the process. */
function stopAt(point: CrashPointName): void {
  if (!STEPS.includes(point)) return;
  writeSync(STDERR, `{"crash_point":"${point}"}\n`);
  process.kill(process.pid, 'SIGSTOP');
}
