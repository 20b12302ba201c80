import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process writes into, or what is none of another's. */
const OWN = new Set(['lock.duckdb', 'tmp']);

/**
 * Copies the folder of a tape in moments, with links: its files are never changed, only replaced.
 * What was at the target is removed: a copy that was worked on is of no use when the work died.
 */
export async function copyLinked(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await linkAll(from, to);
}

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (OWN.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkAll(source, target) : link(source, target));
  }
}
