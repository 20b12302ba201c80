import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Runs after every build: writes the service and the command `preflight` once more as a few files, which start in half the time
 * of the many that the compiler writes. Packages with native parts, and those that look for files of their own, stay outside.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const OUT = join(ROOT, 'dist/bundle/service');
const MIGRATIONS = 'src/adapters/postgres/migrations';

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
  entryPoints: { main: 'src/main.ts', preflight: 'src/cli/main.ts' },
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  external: ['lmdb', '@duckdb/node-api', 'tiny-secp256k1', 'pg', 'node-pg-migrate', 'pino', 'express', 'cli-progress'],
  logLevel: 'warning',
  // What is CommonJS asks for node's modules by require().
  banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
});
cpSync(join(ROOT, MIGRATIONS), join(OUT, 'migrations'), { recursive: true });
