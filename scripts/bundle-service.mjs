import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lean } from './lean.mjs';

/**
 * Runs in every build: writes the service, the command `preflightctl`, the local profile and the
 * cluster once more as a few files, which start in half the time of the many that the compiler
 * writes. Packages with native parts, and those that look for files of their own, stay outside.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const OUT = join(ROOT, 'dist/bundle/service');
/** A production build leaves the local profile out, and what that needs. */
const isWhole = !process.argv.includes('--without-local');
const LOCAL = {
  local: 'src/local/main.ts',
  pay: 'src/local/pay.ts',
  cluster: 'src/local/cluster/main.ts',
  'cluster-demo': 'src/local/cluster/demo.ts',
  // Named as it is among the compiler's files: the cluster starts it by its name.
  'replica-main': 'src/local/cluster/replica-main.ts',
};
/** What runs a service, or starts those that do: each gets a start that sets what Node reads once. */
const SERVICES = ['main', ...(isWhole ? ['local', 'cluster'] : [])];
/**
 * Threads for files and names of hosts. Of Node's own four, a disk that hangs takes all: then no
 * host is found any more either.
 */
const THREADS = 16;
const MIGRATIONS = 'src/server/adapters/postgres/migrations';

rmSync(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  conditions: ['@preflight/source', 'module'],
  entryPoints: {
    main: 'src/server/main.ts',
    preflightctl: 'src/server/cli/main.ts',
    preflight: 'src/server/cli/former-name.ts',
    ...(isWhole ? LOCAL : {}),
  },
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  external: ['lmdb', '@duckdb/node-api', 'pg', 'node-pg-migrate', 'cli-progress'],
  plugins: [lean],
  logLevel: 'warning',
  // What is CommonJS asks for node's modules by require().
  banner: {
    js: "import { createRequire as requiring } from 'node:module';const require = requiring(import.meta.url);",
  },
});
cpSync(join(ROOT, MIGRATIONS), join(OUT, 'migrations'), { recursive: true });
for (const name of SERVICES) writeFileSync(join(OUT, `${name}.cjs`), startOf(name));

/** Loading a module already takes the pool, so this has to be said in one that is none. */
function startOf(name) {
  return `process.env.UV_THREADPOOL_SIZE ??= '${THREADS}';\nimport('./${name}.js');\n`;
}
