import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new folder, which is removed when this process ends. */
export function tempFolder(name: string, within = tmpdir()): string {
  if (made.length === 0) process.once('exit', () => made.forEach(remove));
  const folder = mkdtempSync(join(within, `preflight-${name}-`));
  made.push(folder);
  return folder;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
