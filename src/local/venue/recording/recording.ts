import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readCsvRecording } from './csv.js';
import type { Recording } from './form.js';
import { readJsonlRecording } from './jsonl.js';

export type { Recording } from './form.js';

/**
 * Reads a recording: `.csv` of one row per level (two header variants), or `.jsonl` of raw frames;
 * either may be gzipped. Rejects if the file cannot be read, is of another kind, or holds no frame.
 */
export async function readRecording(file: string): Promise<Recording> {
  const name = basename(file).replace(/\.gz$/, '');
  const recording = await readAs(name, bytesOf(file)).catch((error: Error) => {
    throw new Error(`${file} cannot be played: ${error.message}`, { cause: error });
  });
  if (recording.frames.length === 0) throw new Error(`${file} holds no frame; is it a market-channel recording?`);
  return recording;
}

/** Returns one line for people: what is played, and how much was left out. */
export function summaryOf({ name, markets, frames, bookFrames, priceChangeFrames, skipped }: Recording): string {
  const held = `${frames.length} frames of ${markets.length} markets (${bookFrames} books, ${priceChangeFrames} changes)`;
  return `playing ${name}: ${held}; rows and lines left out as torn or of another form: ${skipped}`;
}

async function readAs(name: string, bytes: Readable): Promise<Recording> {
  if (name.endsWith('.csv')) return readCsvRecording(name, bytes);
  if (name.endsWith('.jsonl')) return readJsonlRecording(name, bytes);
  bytes.destroy();
  throw new Error(`${name} is no recording: give a .csv or .jsonl file, or one of these gzipped`);
}

function bytesOf(file: string): Readable {
  if (!file.endsWith('.gz')) return createReadStream(file);
  // A failure reaches the reader through the last stream; there is no one else to report it to.
  return pipeline(createReadStream(file), createGunzip(), () => {});
}
