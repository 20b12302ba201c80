import { show, table } from '../support/report.js';
import { median, medianRatio, percentile } from '../support/rounds.js';
import type { Speed } from './caller.js';
import type { Faults, Judged } from './judge.js';
import { SERVICE } from './ways.js';

/** What one way came to in one round. CPU is of a check under load, all threads. */
export interface Run extends Speed {
  readonly aloneP50Ms: number;
  readonly aloneP99Ms: number;
  readonly callerMicros: number;
  readonly serviceMicros: number;
  readonly venueMicros: number;
  readonly judged: readonly Judged[];
}

/** The rounds of each way, the first the one that others are compared with; or why there are none. */
export type Runs = ReadonlyMap<string, readonly Run[] | string>;

/** How fast each is. */
export function speedTable(runs: Runs): string {
  const [first] = runs.values();
  const of = (all: readonly Run[], part: (run: Run) => number) => show(median(all.map(part)));
  const ms = (all: readonly Run[], part: (run: Run) => number) =>
    median(all.map(part)) < 1e-3 ? '<0.001' : of(all, part);
  const rows = measured(runs).map(([name, all]) => [
    name,
    of(all, ({ perSecond }) => perSecond),
    typeof first === 'string' ? '-' : show(medianRatio(all, first!, ({ perSecond }) => perSecond)),
    `${ms(all, ({ p50Ms }) => p50Ms)}/${ms(all, ({ p99Ms }) => p99Ms)}`,
    `${ms(all, ({ aloneP50Ms }) => aloneP50Ms)}/${ms(all, ({ aloneP99Ms }) => aloneP99Ms)}`,
    of(all, ({ callerMicros }) => callerMicros),
    // It works on its books whoever asks; that is a cost of a check only where it is asked.
    name === SERVICE ? of(all, ({ serviceMicros }) => serviceMicros) : '-',
    of(all, ({ venueMicros }) => venueMicros),
  ]);
  const head = ['', 'checks/s', 'x the first', 'p50/p99 ms', 'alone p50/p99 ms'];
  return table([...head, 'CPU µs: caller', 'service', 'venue'], rows);
}

/** In what share of their answers each is wrong, and how. */
export function faultTable(runs: Runs): string {
  const rows = measured(runs).map(([name, all]) => {
    const judged = all.flatMap((run) => run.judged);
    const late = Float64Array.from(judged, ({ outdatedMs }) => outdatedMs).sort();
    const share = (is: (one: Faults) => boolean) => show((judged.filter(is).length / judged.length) * 100);
    return [
      name,
      show(judged.length),
      show(percentile(late, 0.99)),
      share(({ isOutdated }) => isOutdated),
      share(({ leavesFeeOut }) => leavesFeeOut),
      share(({ isFeeWrong }) => isFeeWrong),
      share(({ hidesMinimum }) => hidesMinimum),
      share(({ isOffStep }) => isOffStep),
      share(({ isUnexplained }) => isUnexplained),
    ];
  });
  const head = ['% of the answers', 'answers', 'outdated by, p99 ms', 'outdated', 'no fee', 'wrong fee'];
  return table([...head, 'too small, not said', 'off the price step', 'of no book'], rows);
}

function measured(runs: Runs): readonly (readonly [string, readonly Run[]])[] {
  return [...runs].flatMap(([name, all]) => (typeof all === 'string' ? [] : [[name, all] as const]));
}
