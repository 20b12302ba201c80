/**
 * Does one piece of a night's work on the tape of a folder, and tells what it took: a process of
 * its own has a peak of its own.
 */
import { join } from 'node:path';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { openTape } from '#adapters/tape/tape';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { Log } from '#ports/log';
import type { Tape } from '#ports/tape';
import { JobOwner } from '#services/jobs/job-owner';
import { RatingJob } from '#services/ratings/job';
import { childOptions, serveParent } from '../support/children.js';
import { LARGE_AS_OF_S } from '../support/large-tape.js';
import { progress } from '../support/rounds.js';
import { scanTape } from '../support/scan-tape.js';
import { addArrival, makeNightTape } from './night-tape.js';

/** What a piece of work took. */
export interface NightCost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The highest that the process has been. */
  readonly peakMegabytes: number;
  /** CPU of the compaction alone, where it is part of the work. */
  readonly compactionCpuSeconds?: number;
}

export interface NightOptions {
  readonly dir: string;
  /** What is to be added to the tape. */
  readonly parts: string;
  readonly fills: number;
}

const { dir, parts, fills } = childOptions<NightOptions>();
const PAST_DAYS = 30;
const report = (text: string) => progress(`night, ${fills} fills: ${text}`);
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Tells of each step once in a while. */
function reporter(): (step: string, done: number, all: number) => void {
  let lastMs = 0;
  return (step, done, all) => {
    if (performance.now() - lastMs < 5_000 && done < all) return;
    lastMs = performance.now();
    report(`${step} ${done} of ${all}`);
  };
}

async function costOf(work: () => Promise<unknown>, more: () => Partial<NightCost> = () => ({})): Promise<NightCost> {
  const [startedMs, cpuBefore] = [performance.now(), cpuSeconds()];
  await work();
  const seconds = (performance.now() - startedMs) / 1e3;
  return {
    seconds,
    cpuSeconds: cpuSeconds() - cpuBefore,
    peakMegabytes: process.resourceUsage().maxRSS / 1e3,
    ...more(),
  };
}

async function withTape<T>(work: (tape: Tape) => Promise<T>, recentPctMax?: number): Promise<T> {
  const tape = await openTape({ dir, ...(recentPctMax === undefined ? {} : { recentPctMax }) });
  try {
    return await work(tape);
  } finally {
    await tape.close();
  }
}

const compact = (recentPctMax?: number) =>
  costOf(() => withTape((tape) => tape.compact(LARGE_AS_OF_S, reporter()), recentPctMax));

/** All that the service does at night, but for what it asks of the venue. */
function night(): Promise<NightCost> {
  let compactionCpuSeconds = 0;
  const run = () =>
    withTape(async (tape) => {
      const timed: Tape['compact'] = async (...given) => {
        const before = cpuSeconds();
        await tape.compact(...given);
        compactionCpuSeconds = cpuSeconds() - before;
      };
      const store = openLmdbRatings({ path: lmdbRatingsPath(join(dir, '..')) });
      const outside = { clock: systemClock, random: systemRandom, log: silent, config: RATING_CONFIG };
      const requested = { refreshMarkets: async () => {}, gapsOf: async () => [] };
      const owner = { leases: store.jobs, stopwatch: systemClock, timers: systemTimers };
      const jobs = new JobOwner({ ...owner, random: systemRandom, log: silent });
      const job = new RatingJob({ store, jobs, tape: { ...tape, compact: timed }, ...requested, ...outside });
      await job.run(LARGE_AS_OF_S, { progress: reporter(), replaceLater: true });
      await store.close();
    });
  return costOf(run, () => ({ compactionCpuSeconds }));
}

const rate = (asOfS: number) =>
  costOf(() =>
    withTape(async (tape) => {
      for await (const _ of tape.rateAll(asOfS, RATING_CONFIG, { progress: reporter() }));
    }),
  );

serveParent(
  {},
  {
    make: () => costOf(() => makeNightTape(dir, parts, fills, report)),
    first: () => compact(),
    day: () => addArrival(dir, parts, 'day'),
    night,
    scan: () => costOf(() => scanTape(dir)),
    rate: () => rate(LARGE_AS_OF_S),
    ratePast: () => rate(LARGE_AS_OF_S - PAST_DAYS * 86_400),
    addLate: () => addArrival(dir, parts, 'late'),
    late: () => compact(),
    merge: () => compact(0),
  },
  async () => {},
);
