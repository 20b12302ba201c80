import { rm } from 'node:fs/promises';
import { openTape } from '#adapters/tape/tape';
import { tapePath } from '#compose/tape';
import type { Fill } from '#domain/rating/fill';
import type { Tape } from '#ports/tape';
import { tempFolder } from './temp-folder.js';

/** A data directory with a real tape, gone after the test. */
export interface TempTape {
  readonly dataDir: string;
  readonly tape: Tape;
  close(): Promise<void>;
}

export async function openTempTape(): Promise<TempTape> {
  const dataDir = tempFolder('tape');
  // The other cores have tests of their own.
  const tape = await openTape({ dir: tapePath(dataDir), threads: 1 });
  const close = async () => {
    await tape.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { dataDir, tape, close };
}

/** Returns the fills that a tape holds of some wallets, each once, in one order. */
export async function allFills(tape: Tape, wallets: readonly string[]): Promise<readonly string[]> {
  const fills: Fill[] = [];
  for (const wallet of wallets) fills.push(...(await tape.fillsOf(wallet)));
  return distinct(fills);
}

/** Returns fills as texts, each once, in one order. */
export function distinct(fills: readonly Fill[]): readonly string[] {
  const text = (fill: Fill) => JSON.stringify(Object.entries(fill).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return [...new Set(fills.map(text))].toSorted();
}
