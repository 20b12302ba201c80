import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Context } from 'mocha';
import { ROOT } from './source-tree.js';

const CAPTURES = resolve(ROOT, '../shared/captures');

/** Skips the test, loudly, where the recordings of the real venue are not on this machine. */
export function needCaptures(test: Context): void {
  if (existsSync(CAPTURES)) return;
  console.warn(`    SKIPPED: no recordings at ${CAPTURES}`);
  test.skip();
}

/** Returns the path of a file or folder of the recordings, or skips the test. */
export function capture(test: Context, ...parts: readonly string[]): string {
  needCaptures(test);
  return join(CAPTURES, ...parts);
}

/** Returns the text of a recorded file, unzipped. */
export function readCapture(name: string): string {
  const bytes = readFileSync(join(CAPTURES, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Returns a recorded file as JSON. */
export function readCaptureJson(name: string): unknown {
  return JSON.parse(readCapture(name));
}

/** Returns the values of a recorded file of one JSON text per line. */
export function readCaptureLines(name: string): unknown[] {
  return readCapture(name)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Returns the files of the 17 recorded baseball games. */
export function recordedGames(test: Context): readonly string[] {
  const folder = capture(test, 'ws-market', 'mlb-2025');
  return readdirSync(folder)
    .filter((name) => name.endsWith('_polymarket-market-events.csv.gz'))
    .map((name) => join(folder, name));
}
