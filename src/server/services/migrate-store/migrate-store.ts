import { createHash } from 'node:crypto';
import type { StoreFault } from '#domain/integrity/fault';
import type { CopiedKind, CopiedRows, CopyProgress, CopyTarget } from '#ports/copy-target';
import type { RatingsStore } from '#ports/ratings-store';
import type { Cursor, RowsPage } from '#ports/store';
import type { Clock } from '#system/clock';
import { checkStore } from '../integrity/check.js';
import { pagesOf } from '../integrity/pages.js';
import { COPIED_KINDS, type CopyReaders, readersOf, type WholeStore } from './kinds.js';

/** What a migration from one store to another works on. */
export interface MigrationDeps {
  readonly from: WholeStore;
  readonly target: CopyTarget;
  /** Opens the target as a store, to be read once all is there. */
  readonly openTarget: () => Promise<WholeStore & { close(): Promise<void> }>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Rejects if somebody began to work on the source. */
  readonly stillAlone: () => Promise<void>;
  /** What it is at, for people. */
  readonly onProgress: (doing: 'checking' | 'copying' | 'comparing', kind: string, rows: number) => void;
}

/** Rows that were copied, by kind, the same on both sides. */
export type MigrationReport = readonly RowsDigest[];

/**
 * Copies everything that a store is, or goes on with a copy that was interrupted. The target can be
 * worked on once all of it is there: each wallet adds up, and both sides have the same rows.
 * Rejects with an Error in one sentence; what is in the target by then stays marked as unfinished.
 */
export async function migrateStore(source: string, deps: MigrationDeps): Promise<MigrationReport> {
  const { from, target, clock, onProgress } = deps;
  const checked = await checkStore(from, (kind, rows) => onProgress('checking', kind, rows));
  if (checked.faultsFound > 0) {
    throw new Error(
      `the store to copy has ${faultsOf(checked.faults, checked.faultsFound)}: see preflightctl store check`,
    );
  }
  await deps.stillAlone();
  const progress = await target.begin({ source, startedAtMs: clock.nowMs(), done: [], from: null });
  await copyRows(progress, deps);
  await deps.stillAlone();
  const report = await compare(progress.startedAtMs, deps);
  await deps.stillAlone();
  await target.finish();
  return report;
}

async function copyRows(begun: CopyProgress, deps: MigrationDeps): Promise<void> {
  const readers = readersOf(deps.from, begun.startedAtMs);
  let progress = begun;
  for (const kind of COPIED_KINDS) {
    if (!progress.done.includes(kind)) progress = await copyKind(kind, readers, { progress, deps });
  }
}

async function copyKind<Kind extends CopiedKind>(
  kind: Kind,
  readers: CopyReaders,
  { progress, deps }: { readonly progress: CopyProgress; readonly deps: MigrationDeps },
): Promise<CopyProgress> {
  let [rows, at] = [0, progress];
  for await (const { items, faults, next } of pagesOf<RowsPage<CopiedRows[Kind]>>(readers[kind], progress.from)) {
    for (const fault of faults) throw fault;
    at = next === null ? { ...at, done: [...at.done, kind], from: null } : { ...at, from: next };
    await deps.target.put(kind, items, at);
    rows += items.length;
    deps.onProgress('copying', kind, rows);
    await deps.stillAlone();
  }
  return at;
}

/**
 * How the last run went and how long a rating takes: one row each, written as often as one likes.
 */
async function copyRest(from: RatingsStore | null, to: RatingsStore | null): Promise<void> {
  const [report, meanMs] = [(await from?.runReport()) ?? null, (await from?.profileMeanMs()) ?? null];
  if (report !== null) await to?.putRunReport(report);
  if (meanMs !== null) await to?.putProfileMeanMs(meanMs);
}

async function compare(startedAtMs: number, { from, openTarget, onProgress }: MigrationDeps): Promise<MigrationReport> {
  const said = (kind: string, rows: number) => onProgress('comparing', kind, rows);
  const copy = await openTarget();
  try {
    await copyRest(from.ratings, copy.ratings);
    const before = await digestsOf(from, startedAtMs, said);
    const after = await digestsOf(copy, startedAtMs, said);
    const other = before.filter(({ rows, hash }, n) => rows !== after[n]!.rows || hash !== after[n]!.hash);
    if (other.length > 0) throw notTheSame(other.map(({ kind }) => kind));
    const { faults, faultsFound } = await checkStore(copy, said);
    if (faultsFound > 0)
      throw new Error(`the copy has ${faultsOf(faults, faultsFound)}: start over on an empty database`);
    return before;
  } finally {
    await copy.close();
  }
}

function notTheSame(kinds: readonly CopiedKind[]): Error {
  const text = `both sides do not have the same ${kinds.join(', ')}: the store to copy was written meanwhile`;
  return new Error(`${text}; stop whatever works on it, and start over on an empty database`);
}

function faultsOf([first]: readonly StoreFault[], found: number): string {
  return `${found} ${found === 1 ? 'fault' : 'faults'}${first === undefined ? '' : ` (${first.where}: ${first.what})`}`;
}

/**
 * How many rows of a kind there are, and what all of them together hash to, whatever their order.
 */
interface RowsDigest {
  readonly kind: CopiedKind;
  readonly rows: number;
  /** 64 hexadecimal digits: the sum of the SHA-256 of each row. */
  readonly hash: string;
}

/** Reads everything that a copy is made of, and digests it kind by kind. */
async function digestsOf(
  whole: WholeStore,
  startedAtMs: number,
  onProgress: (kind: CopiedKind, rows: number) => void,
): Promise<readonly RowsDigest[]> {
  const readers = readersOf(whole, startedAtMs);
  const digests: RowsDigest[] = [];
  for (const kind of COPIED_KINDS) {
    let [rows, sum] = [0, 0n];
    const read: (from: Cursor, limit: number) => Promise<RowsPage<unknown>> = readers[kind];
    for await (const { items } of pagesOf(read)) {
      for (const row of items) sum += hashOf(row);
      rows += items.length;
      onProgress(kind, rows);
    }
    digests.push({ kind, rows, hash: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') });
  }
  return digests;
}

function hashOf(row: unknown): bigint {
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(row, canonical)).digest('hex')}`);
}

/** Two engines may name the fields of one row in another order. */
function canonical(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
