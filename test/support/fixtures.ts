import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-tree.js';

/** Returns the text of a whole captured message of the venue (test/fixtures/README.md). */
export function readFixture(name: string): string {
  return readFileSync(join(ROOT, 'test/fixtures', name), 'utf8').trim();
}

/** Returns such a message as JSON. */
export function readFixtureJson(name: string): unknown {
  return JSON.parse(readFixture(name));
}

/** Returns the texts of a fixture of one message per line. */
export function readFixtureLines(name: string): readonly string[] {
  return readFixture(name).split('\n');
}
