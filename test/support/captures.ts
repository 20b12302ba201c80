import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Context } from 'mocha';
import { LEAVES_RECORDINGS_OUT } from './size.js';
import { skipLoudly } from './skipped.js';
import { ROOT } from './source-tree.js';

/**
 * The large recordings of the real venue, which are not in the repository: in CAPTURES_DIR, or
 * beside the repository.
 */
const CAPTURES = resolve(process.env.CAPTURES_DIR || join(ROOT, '../shared/captures'));
const GAMES = join('ws-market', 'mlb-2025');
const GAME_SUFFIX = '_polymarket-market-events.csv.gz';

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON that others wrote.
type Json = any;

/**
 * Skips the test: loudly when the recordings are not on this machine, and quietly in a fast run.
 */
export function needCaptures(test: Context): void {
  if (LEAVES_RECORDINGS_OUT) test.skip();
  if (!existsSync(CAPTURES))
    skipLoudly(test, `no recordings of the venue at ${CAPTURES} (CAPTURES_DIR names the folder)`);
}

/** Returns the path of a file or folder of the recordings, or skips the test. */
export function capture(test: Context, ...parts: readonly string[]): string {
  needCaptures(test);
  return join(CAPTURES, ...parts);
}

/** Returns a recorded file as JSON, or skips the test. */
export function captureJson(test: Context, name: string): Json {
  needCaptures(test);
  return readCaptureJson(name);
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

/** Returns the files of the 17 recorded baseball games, or skips the test. */
export function recordedGames(test: Context): readonly string[] {
  needCaptures(test);
  return gameFiles();
}

/** Returns the files of the recorded games; none when the recordings are not on this machine. */
export function gameFiles(): readonly string[] {
  const folder = join(CAPTURES, GAMES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(GAME_SUFFIX))
    .map((name) => join(folder, name));
}
