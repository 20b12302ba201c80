/**
 * Does one piece of work on the tape of a folder when it is asked to, and tells what it took: a
 * process of its own has a peak of its own.
 */
import { openTape } from '#adapters/tape/tape';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { childOptions, serveParent } from './support/children.js';
import { LARGE_AS_OF_S, LARGE_WALLET, makeLargeTape } from './support/large-tape.js';
import { progress } from './support/rounds.js';
import { scanTape } from './support/scan-tape.js';

/** What a piece of work took. */
export interface EngineCost {
  readonly seconds: number;
  /** The highest that the process has been. */
  readonly peakMegabytes: number;
  /** Fills, wallets or whatever the work counts. */
  readonly count: number;
}

export interface EngineOptions {
  readonly dir: string;
  readonly fills: number;
}

const { dir, fills } = childOptions<EngineOptions>();

async function costOf(work: () => Promise<number>): Promise<EngineCost> {
  const startedMs = performance.now();
  const count = await work();
  const seconds = (performance.now() - startedMs) / 1e3;
  return { seconds, count, peakMegabytes: process.resourceUsage().maxRSS / 1e3 };
}

async function make(): Promise<number> {
  await makeLargeTape(dir, fills, (text) => progress(`ratings-engine: ${text}`));
  return fills;
}

async function compact(): Promise<number> {
  const tape = await openTape({ dir });
  await tape.compact(LARGE_AS_OF_S, (_, done, all) => progress(`ratings-engine: compacted ${done} of ${all} ranges`));
  const status = await tape.status();
  await tape.close();
  return status.fills;
}

async function rate(): Promise<number> {
  const tape = await openTape({ dir });
  let wallets = 0;
  for await (const batch of tape.rateAll(LARGE_AS_OF_S, RATING_CONFIG)) wallets += batch.length;
  await tape.close();
  return wallets;
}

async function findWallet(): Promise<number> {
  const tape = await openTape({ dir });
  const found = await tape.fillsOf(LARGE_WALLET);
  await tape.close();
  return found.length;
}

const answers = { make, compact, scan: () => scanTape(dir), rate, findWallet };
serveParent(
  {},
  Object.fromEntries(Object.entries(answers).map(([name, work]) => [name, () => costOf(work)])),
  async () => {},
);
