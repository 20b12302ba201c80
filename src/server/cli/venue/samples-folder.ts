import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#compose/places';
import { UsageError } from '../exit.js';

/** Makes the folder. Throws a UsageError where it is a file, or holds anything. */
export function makeSamplesFolder(dir: string): void {
  if (isFile(dir)) throw new UsageError(`${dir} is a file; give a folder that is empty or not there for --samples`);
  makeFolder(dir);
  if (readdirSync(dir).length > 0) {
    throw new UsageError(`${dir} is not empty; give a folder that is empty or not there for --samples`);
  }
}

/** Writes files of JSON, and the report beside them. */
export function writeSamples(
  dir: string,
  samples: readonly { readonly name: string; readonly text: string }[],
  report: unknown,
): void {
  for (const { name, text } of samples) writeFileSync(join(dir, `${name}.json`), `${text}\n`);
  writeFileSync(join(dir, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}
