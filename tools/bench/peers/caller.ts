import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { seededRandom } from '#local/venue/market/seeded-random';
import { SEED } from '../support/book-walk.js';
import { childOptions, serveParent } from '../support/children.js';
import { CPU_TAKEN } from '../support/cpu-taken.js';
import { percentile } from '../support/rounds.js';
import type { Answered } from './judge.js';
import { wallMs } from './truth.js';
import type { PeerOrder, WayModule, WayOptions } from './way.js';

/** What this process asks, and how. */
export interface CallerOptions {
  /** The module that checks orders, as an address. */
  readonly way: string;
  readonly given: WayOptions;
  readonly runMs: number;
}

/** What came of as many checks as there was time for. */
export interface Speed {
  readonly checks: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Answers, and how long they took, without anybody else asking. */
export interface Looked extends Pick<Speed, 'p50Ms' | 'p99Ms'> {
  readonly answers: readonly Answered[];
}

const CALLERS = 64;
/** Checks that take no wait, between two turns of everything else. */
const AT_ONCE = 64;
/** Between answers that are looked at, so that they fall anywhere between two changes. */
const PAUSE_MS_MAX = 8;
const LOOKED_AT_ONCE = 4;

const { way, given, runMs } = childOptions<CallerOptions>();
const { open } = (await import(way)) as WayModule;
const check = await open(given);
const random = seededRandom(SEED);
let asked = 0;
const next = (): PeerOrder => given.orders[asked++ % given.orders.length]!;

/** As many as there is time for. */
async function load(): Promise<Speed> {
  const startedMs = performance.now();
  const untilMs = startedMs + runMs;
  const isAtOnce = !(check(next()) instanceof Promise);
  const { checks, tookMs } = isAtOnce ? await loadAtOnce(untilMs) : await loadWaiting(untilMs);
  const perSecond = (checks / (performance.now() - startedMs)) * 1e3;
  return { checks, perSecond, ...percentilesOf(tookMs) };
}

interface Done {
  readonly checks: number;
  readonly tookMs: readonly number[];
}

/** By so many callers, each of whom waits for its answer. */
async function loadWaiting(untilMs: number): Promise<Done> {
  const tookMs: number[] = [];
  const call = async () => {
    for (let now = performance.now(); now < untilMs; ) {
      await check(next());
      const endedMs = performance.now();
      tookMs.push(endedMs - now);
      now = endedMs;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return { checks: tookMs.length, tookMs };
}

/** One after the other; after some the frames that came meanwhile have their turn. The first is timed. */
async function loadAtOnce(untilMs: number): Promise<Done> {
  const tookMs: number[] = [];
  for (let now = performance.now(); now < untilMs; now = performance.now()) {
    check(next());
    tookMs.push(performance.now() - now);
    for (let done = 1; done < AT_ONCE; done++) check(next());
    await turn();
  }
  return { checks: tookMs.length * AT_ONCE, tookMs };
}

/** Answers to be looked at, a few at a time and with pauses. */
async function look(): Promise<Looked> {
  const answers: Answered[] = [];
  const tookMs: number[] = [];
  const untilMs = performance.now() + runMs;
  const call = async () => {
    while (performance.now() < untilMs) {
      const order = next();
      const startedMs = performance.now();
      const quote = await check(order);
      answers.push({ order, quote, atMs: wallMs() });
      tookMs.push(performance.now() - startedMs);
      await sleep(random.next() * PAUSE_MS_MAX);
    }
  };
  await Promise.all(Array.from({ length: LOOKED_AT_ONCE }, call));
  return { answers, ...percentilesOf(tookMs) };
}

function percentilesOf(tookMs: readonly number[]): Pick<Speed, 'p50Ms' | 'p99Ms'> {
  const sorted = Float64Array.from(tookMs).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

serveParent({}, { cpu: CPU_TAKEN.cpu, load, look }, async () => undefined);
