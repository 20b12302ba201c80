import type { SourceFile } from '#test/support/source-tree';

/**
 * What starts processes (and with them the chain), runs the local venue, opens the tape's
 * database, or starts a browser.
 */
const SLOW = [
  'node:child_process',
  'node:cluster',
  'node:worker_threads',
  'src/local/venue/start-local-venue.ts',
  '@duckdb/node-api',
  'playwright-core',
];
/** Who loads this wants a PostgreSQL. */
const POSTGRES = 'test/support/postgres.ts';
const TEST_FILE = /^(?:test|tools)\/.*\.test\.ts$/;

/** The test files, as compiled paths. */
export interface Plan {
  /** Whatever these run, none of that. */
  readonly fast: readonly string[];
  /** The others, each with the way from it to the module that makes it slow. */
  readonly slow: ReadonlyMap<string, readonly string[]>;
  /** Those that want a PostgreSQL. */
  readonly onPostgres: readonly string[];
}

/**
 * Returns which tests are fast: a rule instead of a list, so that it holds for tests to come. A
 * test file is slow when something that it loads, however far away, loads one of the modules above.
 * Recordings do not make a file slow: each test that needs them asks test/support/captures.ts,
 * which leaves them out of a fast run.
 */
export function planOf(sources: readonly SourceFile[]): Plan {
  const loads = new Map(sources.map((source) => [source.path, source.loads]));
  const tests = sources.map(({ path }) => path).filter((path) => TEST_FILE.test(path));
  const trails = tests.map((path) => [toCompiled(path), importsTo(SLOW, path, loads)] as const);
  return {
    fast: trails.filter(([, trail]) => trail === null).map(([path]) => path),
    slow: new Map(trails.flatMap(([path, trail]) => (trail === null ? [] : [[path, trail] as const]))),
    onPostgres: tests.filter((path) => importsTo([POSTGRES], path, loads) !== null).map(toCompiled),
  };
}

/**
 * Returns a sentence that names the module by which most files are slow: where a cut would let most
 * of them into a fast run.
 */
export function slowestModuleText({ fast, slow }: Plan): string {
  const ends = [...slow.values()].map((trail) => trail.slice(-2).join(', which loads '));
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  return `${slow.size} of ${slow.size + fast.length} files are slow, ${count} of them by ${most}`;
}

/** The shortest chain of imports that ends at one of the modules, or null. */
function importsTo(
  modules: readonly string[],
  from: string,
  loads: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  const seen = new Set([from]);
  const trails: (readonly string[])[] = [[from]];
  for (let trail = trails.shift(); trail !== undefined; trail = trails.shift()) {
    for (const next of loads.get(trail.at(-1)!) ?? []) {
      if (modules.includes(next)) return [...trail, next];
      if (seen.has(next)) continue;
      seen.add(next);
      trails.push([...trail, next]);
    }
  }
  return null;
}

function toCompiled(path: string): string {
  return `dist/${path.replace(/\.ts$/, '.js')}`;
}
