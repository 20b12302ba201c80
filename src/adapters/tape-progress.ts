import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceText } from './tape-files.js';
import { readIfThere } from './tape-manifest.js';

export const PROGRESS_FOLDER = 'progress';

/** Jobs become file names. */
const JOB_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Returns what a job said last; null where it said nothing yet. */
export async function readProgress(dir: string, job: string): Promise<unknown> {
  const text = await readIfThere(pathOf(dir, job));
  return text === null ? null : JSON.parse(text);
}

export async function saveProgress(dir: string, job: string, progress: unknown): Promise<void> {
  const path = pathOf(dir, job);
  await mkdir(join(dir, PROGRESS_FOLDER), { recursive: true });
  await replaceText(path, `${JSON.stringify(progress)}\n`);
}

function pathOf(dir: string, job: string): string {
  if (!JOB_NAME.test(job)) throw new Error(`"${job}" cannot name a job; use 1 to 100 letters, digits, "-" and "_"`);
  return join(dir, PROGRESS_FOLDER, `${job}.json`);
}
