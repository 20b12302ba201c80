import type { TapeWallet, WalletAddress } from '#domain/ids';
import { RATING_REASONS } from '#domain/rating/rating';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Strength } from '#domain/rating/strength/strength';
import type { SecondsSpan, Unseen } from '#domain/rating/unseen';
import type { Board, RunReport, VerdictRecord, WalletRow } from '#ports/ratings-store';
import { decodeRating, encodeRating, VERDICTS } from './rating-row.js';
import { malformedRow } from './row-fields.js';
import { type RowReader, readFields } from './row-reader.js';

/*
 * Rows of the ratings file: lists that begin with the version of this file's schema, which is not
 * the one of the credits. Nothing read from disk is trusted: each field is checked.
 */

export const RATINGS_VERSION = 1;

const STRENGTHS = ['strong'] as const satisfies readonly Strength[];
const WALLET_STATES = ['QUEUED', 'PROFILING', 'FAILED'] as const satisfies readonly WalletRow['state'][];

/** Returns a reader of the fields behind the version, which has to be the one that is known. */
export function readRatingRow(key: string, raw: unknown, length: number): RowReader {
  const version = Array.isArray(raw) ? raw[0] : undefined;
  if (Array.isArray(raw) && version !== RATINGS_VERSION) {
    throw malformedRow(key, `schema version is ${version}, this program knows ${RATINGS_VERSION}`);
  }
  const read = readFields(key, raw, length);
  read.count('version');
  return read;
}

/**
 * Returns the stored form of a rating. The last field but one is there if something was not seen,
 * or if there is a last one: that the COPY is strong.
 */
export function encodeStoredRating(stored: StoredRating): unknown {
  const { rating, name, computedAtMs, config, unseen, strength } = stored;
  const row = [RATINGS_VERSION, name, computedAtMs, config, encodeRating(rating)];
  const notSeen = unseen === undefined ? null : encodeUnseen(unseen);
  if (strength !== undefined) return [...row, notSeen, strength];
  return notSeen === null ? row : [...row, notSeen];
}

function encodeUnseen({ beforeS, gap, markets }: Unseen): unknown {
  return [beforeS, gap?.fromS ?? null, gap?.toS ?? null, markets];
}

function decodeUnseen(row: RowReader): Unseen {
  const read = row.inner('unseen', 4);
  const beforeS = read.countOrNull('unseen.beforeS');
  const [fromS, toS] = [read.countOrNull('unseen.gap.fromS'), read.countOrNull('unseen.gap.toS')];
  const gap = fromS === null || toS === null ? null : { fromS, toS };
  return { beforeS, gap, markets: read.count('unseen.markets') };
}

/** Returns a rating from its stored form, or throws the error that names the row. */
export function decodeStoredRating(key: string, raw: unknown, wallet: TapeWallet): StoredRating {
  const fields = Array.isArray(raw) ? raw.length : 0;
  const read = readRatingRow(key, raw, fields === 6 || fields === 7 ? fields : 5);
  const row = {
    name: read.textOrNull('name'),
    computedAtMs: read.count('computedAtMs'),
    config: read.text('config'),
    rating: decodeRating(read, wallet),
  };
  const hasUnseen = fields > 5 && Array.isArray(raw) && raw[5] !== null;
  if (fields === 7 && !hasUnseen) read.countOrNull('unseen');
  return {
    ...row,
    ...(hasUnseen ? { unseen: decodeUnseen(read) } : {}),
    ...(fields === 7 ? { strength: read.oneOf(STRENGTHS, 'strength') } : {}),
  };
}

/**
 * Returns the stored form of a board. The last field but one is there if trades are missing (empty
 * if none are), or if there is a last one: how edges are spread.
 */
export function encodeBoard(board: Board): unknown {
  return [
    RATINGS_VERSION,
    board.run,
    board.asOfS,
    board.computedAtMs,
    board.config,
    board.tapeStartS,
    board.walletsSeen,
    VERDICTS.map((verdict) => board.walletsByVerdict[verdict]),
    board.placeboCopies,
    board.leaderboard,
    board.redList,
    ...(board.gaps === undefined && board.edgePrior === undefined ? [] : [fromGaps(board.gaps ?? [])]),
    ...(board.edgePrior === undefined ? [] : [board.edgePrior]),
  ];
}

/** Returns a board from its stored form. */
export function decodeBoard(key: string, raw: unknown): Board {
  const fields = Array.isArray(raw) ? raw.length : 0;
  const read = readRatingRow(key, raw, fields === 12 || fields === 13 ? fields : 11);
  const board = {
    run: read.count('run'),
    asOfS: read.count('asOfS'),
    computedAtMs: read.count('computedAtMs'),
    config: read.text('config'),
    tapeStartS: read.countOrNull('tapeStartS'),
    walletsSeen: read.count('walletsSeen'),
    walletsByVerdict: decodeCounts(read),
    placeboCopies: read.count('placeboCopies'),
    leaderboard: read.texts('leaderboard'),
    redList: read.texts('redList'),
  };
  const gaps = fields > 11 ? toGaps(read.counts('gaps')) : [];
  return {
    ...board,
    ...(gaps.length === 0 ? {} : { gaps }),
    ...(fields === 13 ? { edgePrior: read.counts('edgePrior') } : {}),
  };
}

function fromGaps(gaps: readonly SecondsSpan[]): readonly number[] {
  return gaps.flatMap(({ fromS, toS }) => [fromS, toS]);
}

function toGaps(seconds: readonly number[]): readonly SecondsSpan[] {
  return seconds.flatMap((fromS, i) => (i % 2 === 0 ? [{ fromS, toS: seconds[i + 1]! }] : []));
}

function decodeCounts(row: RowReader): Board['walletsByVerdict'] {
  const read = row.inner('walletsByVerdict', VERDICTS.length);
  const counts = VERDICTS.map((verdict) => [verdict, read.count(`walletsByVerdict.${verdict}`)]);
  return Object.fromEntries(counts) as Board['walletsByVerdict'];
}

/** Returns the stored form of what a verdict was on one day. */
export function encodeVerdict({ rating, config }: StoredRating): unknown {
  return [RATINGS_VERSION, rating.asOfS, rating.verdict, rating.reason, config];
}

/** Returns what a verdict was on one day. */
export function decodeVerdict(key: string, raw: unknown): VerdictRecord {
  const read = readRatingRow(key, raw, 5);
  return {
    asOfS: read.count('asOfS'),
    verdict: read.oneOf(VERDICTS, 'verdict'),
    reason: read.oneOf(RATING_REASONS, 'reason'),
    config: read.text('config'),
  };
}

/** Returns the stored form of a wallet in work. */
export function encodeWalletRow(row: WalletRow): unknown {
  return [RATINGS_VERSION, row.state, row.queuedAtMs, row.attempts, row.nextAttemptAtMs, row.lastError];
}

/** Returns a wallet in work. */
export function decodeWalletRow(key: string, raw: unknown, wallet: WalletAddress): WalletRow {
  const read = readRatingRow(key, raw, 6);
  return {
    wallet,
    state: read.oneOf(WALLET_STATES, 'state'),
    queuedAtMs: read.count('queuedAtMs'),
    attempts: read.count('attempts'),
    nextAttemptAtMs: read.count('nextAttemptAtMs'),
    lastError: read.textOrNull('lastError'),
  };
}

/** Returns the stored form of how the last run went. */
export function encodeRunReport(report: RunReport): unknown {
  return [RATINGS_VERSION, report.startedAtMs, report.endedAtMs, report.error];
}

/** Returns how the last run went. */
export function decodeRunReport(key: string, raw: unknown): RunReport {
  const read = readRatingRow(key, raw, 4);
  return {
    startedAtMs: read.count('startedAtMs'),
    endedAtMs: read.countOrNull('endedAtMs'),
    error: read.textOrNull('error'),
  };
}

/**
 * Returns the stored form of a number that stands alone: the draft's run, the mark that a run was
 * in force, a mean.
 */
export function encodeRun(run: number): unknown {
  return [RATINGS_VERSION, run];
}

/** Returns a number that stands alone. */
export function decodeRun(key: string, raw: unknown): number {
  return readRatingRow(key, raw, 2).count('run');
}

/** Returns the stored form of what a rating was computed from. */
export function encodeBasis(text: string): unknown {
  return [RATINGS_VERSION, text];
}

/** Returns what a rating was computed from, as text. */
export function decodeBasis(key: string, raw: unknown): string {
  return readRatingRow(key, raw, 2).text('basis');
}
