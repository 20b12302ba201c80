import { join } from 'node:path';
import { tapeFault } from '../engine/fault.js';
import { replaceText } from './files.js';
import type { TapeFolder } from './folder.js';
import { readIfThere } from './manifest.js';

export const PROGRESS_FOLDER = 'progress';

/** Jobs become file names. */
const JOB_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Returns what a job saved last; null if it saved nothing yet. */
export async function readProgress(dir: string, job: string): Promise<unknown> {
  const text = await readIfThere(join(dir, pathOf(job)));
  return text === null ? null : JSON.parse(text);
}

/** Writes how far a job has come, at once and durably. */
export async function saveProgress(folder: TapeFolder, job: string, progress: unknown): Promise<void> {
  await replaceText(folder, pathOf(job), `${JSON.stringify(progress)}\n`);
}

function pathOf(job: string): string {
  if (!JOB_NAME.test(job)) throw tapeFault(`"${job}" cannot name a job; use 1 to 100 letters, digits, "-" and "_"`);
  return join(PROGRESS_FOLDER, `${job}.json`);
}
