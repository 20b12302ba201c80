import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs in every build and before every start: bundles what runs (the service, its pages and the
 * caller's command) out of the sources, without checking their types. Does nothing when the last
 * bundles are of the same sources.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const STAMP = join(ROOT, 'dist/bundled-from.sha256');
const SOURCES = ['src', 'machines', 'streams', 'scripts', 'package.json', 'package-lock.json'];
const STEPS = [
  ['the service', 'bundle-service.mjs'],
  ['the pages', 'page/build.mjs'],
  ['the client', 'client/build.mjs'],
];
const OUTPUTS = ['dist/engine.sha256', 'dist/bundle/service/main.js', 'dist/page/manifest.json', 'dist/client.tgz'];

const stamp = hashOf(SOURCES.flatMap((name) => filesIn(join(ROOT, name))));
const isThere = OUTPUTS.every((path) => existsSync(join(ROOT, path)));
if (!isThere || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) await bundle();

async function bundle() {
  console.error('preflight: building what runs (some seconds, after a change only)');
  rmSync(STAMP, { force: true });
  await run('hash-engine.mjs');
  await Promise.all(
    STEPS.map(async ([what, script]) => {
      const sinceMs = performance.now();
      await run(script);
      console.error(`preflight: built ${what} (${((performance.now() - sinceMs) / 1_000).toFixed(1)} s)`);
    }),
  );
  await run('client/pack.mjs');
  writeFileSync(STAMP, stamp);
}

/** Ends this process with the exit code of a script that fails; what it printed says why. */
function run(script) {
  return new Promise((done) => {
    spawn(process.execPath, [join(ROOT, 'scripts', script)], { stdio: 'inherit' }).once('close', (code) => {
      if (code === 0) done();
      else process.exit(code ?? 1);
    });
  });
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
