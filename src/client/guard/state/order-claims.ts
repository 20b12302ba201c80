import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseObject } from '#domain/json';
import type { Clock } from '#system/clock';
import { createWhole, makePrivateFolder } from '../../node/durable.js';
import { BUDGET_WINDOW_MS } from '../../terms/limits.js';

/** What entries claim of a cap before they are posted. What it resolves with is on disk. */
export interface OrderClaims {
  /** Claims so many micro-USD unless more than `capMicros` would be claimed in any 24 hours. */
  claim(id: string, micros: bigint, capMicros: bigint): ClaimedOrder;
  /** Lets a claim count less: what is known not to have been sent, or not to be spent. */
  lower(id: string, micros: bigint): void;
  /** Returns what counts now, in micro-USD. */
  claimedMicros(): bigint;
}

type ClaimedOrder = { readonly kind: 'claimed' } | { readonly kind: 'over'; readonly claimedMicros: bigint };

/** One file: a claim, or what one counts from then on. */
interface Entry {
  readonly atMs: number;
  readonly id: string;
  readonly micros: bigint;
  readonly lowers: boolean;
}

const NAME = /^(\d{12})\.json$/;
/** Entries are looked at for a day; longer than any process sleeps in the middle of a claim. */
const KEPT_MS = 7 * BUDGET_WINDOW_MS;
/** Processes that claim at the same moment take turns; each round one of them gets on. */
const ROUNDS_MAX = 500;
const SWEEP_EVERY = 256;

/**
 * Claims as files without a lock: each claim is the next number, made whole by a link, which only
 * one process can make. A claim is made in the knowledge of all numbers before it, so that the sum
 * of 24 hours stays within the cap whatever dies, and when. One file per claim, where the budget of
 * calls has one per cent (../../node/file-ledger.ts): orders are a hundred times as large. A clock
 * that is set back frees nothing.
 */
export function fileOrderClaims(folder: string, clock: Pick<Clock, 'nowMs'>): OrderClaims {
  const entries: Entries = new Map();
  const read = () => readNew(folder, entries);
  const append = (make: () => Entry | null): boolean => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      read();
      const entry = make();
      if (entry === null) return false;
      const number = lastOf(entries) + 1;
      if (createWhole(pathOf(folder, number), textOf(entry))) {
        entries.set(number, entry);
        if (number % SWEEP_EVERY === 0) sweep(folder, entries, clock.nowMs());
        return true;
      }
    }
    throw new Error(`${folder}: others claimed first ${ROUNDS_MAX} times`);
  };
  const claimedMicros = () => sumOf(entries, clock.nowMs());
  return {
    claim(id, micros, capMicros) {
      const isClaimed = append(() =>
        claimedMicros() + micros > capMicros ? null : { atMs: clock.nowMs(), id, micros, lowers: false },
      );
      return isClaimed ? { kind: 'claimed' } : { kind: 'over', claimedMicros: claimedMicros() };
    },
    lower(id, micros) {
      append(() => ({ atMs: clock.nowMs(), id, micros, lowers: true }));
    },
    claimedMicros() {
      if (!existsSync(folder)) return 0n;
      read();
      return claimedMicros();
    },
  };
}

const pathOf = (folder: string, number: number) => join(folder, `${String(number).padStart(12, '0')}.json`);

/** In the order of their numbers. */
type Entries = Map<number, Entry>;

/**
 * Reads what is new: files never change. Numbers follow each other, so that a listing that a claim
 * or a sweep ran through shows by a gap, and is made again.
 */
function readNew(folder: string, entries: Entries): void {
  makePrivateFolder(folder);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const name of readdirSync(folder).sort()) {
      const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(number) || entries.has(number)) continue;
      const text = readIfThere(join(folder, name));
      if (text !== null) entries.set(number, entryOf(join(folder, name), text));
    }
    const [first] = entries.keys();
    if (first === undefined || lastOf(entries) - first + 1 === entries.size) return;
    entries.clear();
  }
  throw new Error(`${folder}: a claim is missing`);
}

function lastOf(entries: Entries): number {
  let last = 0;
  for (const number of entries.keys()) last = Math.max(last, number);
  return last;
}

/** Another process may have swept it away since its name was read. */
function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function entryOf(path: string, text: string): Entry {
  const received = parseObject(text);
  const { at_ms: atMs, id, micros, lowers } = received ?? {};
  if (typeof atMs !== 'number' || typeof id !== 'string' || !/^\d{1,18}$/.test(String(micros))) {
    const remedy = `Move ${dirname(path)} away, and the daily cap counts from nothing`;
    throw new Error(`${path} is not a claim: it is damaged. ${remedy}`);
  }
  return { atMs, id, micros: BigInt(String(micros)), lowers: lowers === true };
}

function textOf({ atMs, id, micros, lowers }: Entry): string {
  return JSON.stringify({ at_ms: atMs, id, micros: String(micros), ...(lowers ? { lowers } : {}) });
}

/** A claim of the future counts too: the clock was set back since. */
function sumOf(entries: Entries, nowMs: number): bigint {
  const live = new Map<string, bigint>();
  for (const { atMs, id, micros, lowers } of entries.values()) {
    const before = live.get(id);
    if (!lowers && atMs > nowMs - BUDGET_WINDOW_MS) live.set(id, (before ?? 0n) + micros);
    else if (lowers && before !== undefined && micros < before) live.set(id, micros);
  }
  return [...live.values()].reduce((sum, micros) => sum + micros, 0n);
}

/** From the oldest on, so that no gap is left. The last stays whatever its age: numbers are given once. */
function sweep(folder: string, entries: Entries, nowMs: number): void {
  const last = lastOf(entries);
  for (const [number, { atMs }] of entries) {
    if (number === last || atMs > nowMs - KEPT_MS) return;
    rmSync(pathOf(folder, number), { force: true });
    entries.delete(number);
  }
}
