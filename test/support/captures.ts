import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from 'mocha';
import { ROOT } from './source-tree.js';

const CAPTURES = resolve(ROOT, '../shared/captures');

/** Returns the path of a file or folder of real venue recordings; skips the test, loudly, where they are not on this machine. */
export function capture(test: Context, ...parts: readonly string[]): string {
  const path = join(CAPTURES, ...parts);
  if (existsSync(path)) return path;
  console.warn(`    SKIPPED: no recording at ${path}`);
  test.skip();
}

/** Returns the 17 recorded baseball games. */
export function recordedGames(test: Context): readonly string[] {
  const folder = capture(test, 'ws-market', 'mlb-2025');
  return readdirSync(folder)
    .filter((name) => name.endsWith('_polymarket-market-events.csv.gz'))
    .map((name) => join(folder, name));
}
