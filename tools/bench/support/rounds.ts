/**
 * What a piece of work took: by the clock on the wall, and of the processor (all threads of this
 * process).
 */
export interface Cost {
  readonly wallMicros: number;
  readonly cpuMicros: number;
}

/** One of several ways to do the same work. */
export interface Variant<T> {
  readonly name: string;
  readonly run: () => T | Promise<T>;
}

/** Tells on standard error how far a run is, so that standard output is the report alone. */
export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

/**
 * Runs every variant once a round and returns the results by name. What the machine does beside us
 * then hits all of them alike; and nobody always runs in the wake of the same neighbor, who may
 * leave the caches full of what the next one needs or of what it does not.
 */
export async function interleave<T>(
  title: string,
  variants: readonly Variant<T>[],
  rounds: number,
  report: (text: string) => void = progress,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const results = new Map<string, T[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    report(`${title}: round ${round + 1} of ${rounds}`);
    for (const { name, run } of orderOf(variants, round)) results.get(name)!.push(await run());
  }
  return results;
}

/**
 * Every second round goes backwards, and each pair of rounds begins with the next one: of three,
 * each follows each of the others as often in six rounds; of more, each follows the two beside it.
 */
function orderOf<T>(items: readonly T[], round: number): readonly T[] {
  const first = (round >> 1) % items.length;
  const turned = [...items.slice(first), ...items.slice(0, first)];
  return round % 2 === 0 ? turned : turned.reverse();
}

/**
 * Returns what the work took. The young garbage of earlier work is collected first, where node was
 * started with --expose-gc; a whole collection would also throw compiled code away.
 */
export async function costOf(work: () => void | Promise<void>): Promise<Cost> {
  globalThis.gc?.({ type: 'minor', execution: 'sync' });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallMicros = (performance.now() - startedMs) * 1e3;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMicros, cpuMicros: user + system };
}

/** The least time over which short work is measured. */
const STEADY_MS = 30;

/**
 * Repeats short work, after one repetition that does not count, and returns µs of CPU for each of
 * the `count` items that one repetition handles. CPU, because on a busy machine the wall clock
 * counts the neighbors' work too.
 */
export async function steadyMicros(count: number, work: (repetition: number) => void): Promise<number> {
  work(0);
  let repetition = 0;
  const { cpuMicros } = await costOf(() => {
    const startedMs = performance.now();
    do work(++repetition);
    while (performance.now() - startedMs < STEADY_MS);
  });
  return cpuMicros / repetition / count;
}

/**
 * Returns the value that as many lie below as above; of an even number of values the mean of the
 * middle two.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/** Returns the value below which the given part (0 to 1) of the ascending values lies. */
export function percentile(ascending: ArrayLike<number>, part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))]!;
}

/** Returns the medians of the members of several results of one form. */
export function medians<T extends { readonly [Name in keyof T]: number }>(results: readonly T[]): T {
  const names = Object.keys(results[0]!) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, median(results.map((result) => result[name]))])) as T;
}

/**
 * Returns the median of the ratios of two results of the same round. Both saw the same machine, so
 * this holds still where the medians of either are torn about by neighbors.
 */
export function medianRatio<T>(above: readonly T[], below: readonly T[], of: (result: T) => number): number {
  return median(above.map((result, round) => of(result) / of(below[round]!)));
}
