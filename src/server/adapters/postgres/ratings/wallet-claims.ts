import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import type { WalletAddress } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import { CLOCKS_APART_MS_MAX } from '#domain/time';
import {
  type QueuePosition,
  type QueueSummary,
  type TakenWallet,
  WALLET_CLAIM_MS,
  WALLET_REST_MS_MAX,
  type WalletClaim,
  type WalletClaims,
} from '#ports/wallet-claims';
import { isGood } from '../good-until.js';
import type { Change } from '../job-leases.js';
import type { Pools } from '../pool.js';
import { queryRows } from '../query.js';
import { changeRows, expecting, isRefusedChange, transactWithRetry } from '../retry.js';
import { columnsOf, type StoredWalletRow, toWalletRow, upsertDemandRating } from './wallet-rows.js';

/** Wallets looked up by one statement. */
const LOOK_UPS_MAX = 500;

interface PositionRow {
  readonly wallet: WalletAddress;
  readonly queued_at_ms: number;
  readonly not_before_ms: number;
  readonly is_in_work: boolean;
  readonly ahead: number;
}

interface Options {
  readonly change: Change;
  /** This process has kept a rating. */
  readonly onRated: (stored: StoredRating) => void;
}

/**
 * Returns the queue of wallets that replicas work off together. Claims run out by the database's
 * own clock.
 */
export function pgWalletClaims({ readers, writers }: Pools, { change, onRated }: Options): WalletClaims {
  const positions = new DataLoader((wallets: readonly WalletAddress[]) => readPositions(readers, wallets), {
    cache: false,
    maxBatchSize: LOOK_UPS_MAX,
  });
  const isChanged = async (text: string, values: readonly unknown[]) =>
    (await changeRows(writers, { text: `${text} RETURNING 1`, values })).length > 0;
  return {
    enter: (row, rowsMax) =>
      change(async () => {
        await changeRows(writers, { text: ENTER, values: [...columnsOf(row), rowsMax] });
        return positions.load(row.wallet);
      }),
    positionOf: (wallet) => change(() => positions.load(wallet)),
    take: (owner, limit, { nowMs, queuedUntilMs }) =>
      change(async () => {
        const values = [owner, nowMs, limit, WALLET_CLAIM_MS, queuedUntilMs];
        const rows = await changeRows<StoredWalletRow & { readonly epoch: number }>(writers, { text: TAKE, values });
        return rows.map((row) => toTaken(row, owner));
      }),
    renew: (owner, wallets) =>
      change(async () => {
        const rows = await changeRows<StoredWalletRow>(writers, {
          text: RENEW,
          values: [owner, WALLET_CLAIM_MS, wallets],
        });
        return rows.map(({ wallet }) => wallet);
      }),
    release: (owner) => change(async () => void (await changeRows(writers, { text: RELEASE, values: [owner] }))),
    summary: (nowMs) => change(() => readSummary(readers, nowMs)),

    keep: (claim, row) =>
      change(() => isChanged(`${KEEP} ${IF_OURS}`, [...partsOf(claim), ...columnsOf(row).slice(1)])),
    giveBack: (claim, row) =>
      change(() =>
        isChanged(`${KEEP}, owner = NULL, until = NULL ${IF_OURS}`, [...partsOf(claim), ...columnsOf(row).slice(1)]),
      ),
    finish: (claim, stored) =>
      change(async () => {
        const removed = { text: `DELETE FROM wallet_row ${IF_OURS} RETURNING 1`, values: partsOf(claim) };
        try {
          await transactWithRetry(writers, [expecting(1, removed), upsertDemandRating(stored)]);
        } catch (error) {
          if (isRefusedChange(error)) return false;
          throw error;
        }
        onRated(stored);
        return true;
      }),
    remove: (claim) => change(() => isChanged(`DELETE FROM wallet_row ${IF_OURS}`, partsOf(claim))),
  };
}

const partsOf = ({ wallet, owner, epoch }: WalletClaim) => [wallet, owner, epoch];

async function readPositions(
  pool: Pool,
  wallets: readonly WalletAddress[],
): Promise<readonly (QueuePosition | null)[]> {
  const rows = await queryRows<PositionRow>(pool, { text: POSITIONS, values: [wallets] });
  const found = new Map(rows.map((row) => [row.wallet, toPosition(row)]));
  return wallets.map((wallet) => found.get(wallet) ?? null);
}

const toPosition = (row: PositionRow): QueuePosition => ({
  queuedAtMs: row.queued_at_ms,
  nextAttemptAtMs: row.not_before_ms,
  isInWork: row.is_in_work,
  ahead: row.ahead,
});

function toTaken(stored: StoredWalletRow & { readonly epoch: number }, owner: string): TakenWallet {
  const claim = { wallet: stored.wallet, owner, epoch: stored.epoch };
  try {
    return { claim, row: toWalletRow(stored) };
  } catch {
    return { claim, row: null };
  }
}

async function readSummary(pool: Pool, nowMs: number): Promise<QueueSummary> {
  const [row] = await queryRows<{ rows: number; in_work: number; resting: number; oldest: number | null }>(pool, {
    text: SUMMARY,
    values: [nowMs],
  });
  const { rows = 0, in_work: inWork = 0, resting = 0, oldest = null } = row ?? {};
  return { waiting: rows - inWork - resting, inWork, resting, oldestQueuedAtMs: oldest };
}

const IF_OURS = 'WHERE wallet = $1 AND owner = $2 AND epoch = $3';
const KEEP = 'UPDATE wallet_row SET queued_at_ms = $4, not_before_ms = $5, doc = $6';
const IS_FREE = `(owner IS NULL OR NOT ${isGood('until', WALLET_CLAIM_MS)})`;
/** A wallet that was never tried has no rest: both its moments are that at which it was queued. */
const IS_RESTED = (now: string) =>
  `(not_before_ms <= ${now} OR not_before_ms > ${now} + ${WALLET_REST_MS_MAX + CLOCKS_APART_MS_MAX} OR not_before_ms = queued_at_ms)`;
/** One that failed comes after those that were queued before its rest is over. */
const TURN = 'greatest(queued_at_ms, not_before_ms)';
const WAS_QUEUED_BY = (moment: string, now: string) =>
  `(queued_at_ms <= ${moment} OR queued_at_ms > ${now} + ${CLOCKS_APART_MS_MAX})`;
const LATER = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

const ENTER = `
  INSERT INTO wallet_row (wallet, queued_at_ms, not_before_ms, doc)
  SELECT $1, $2::bigint, $3::bigint, $4 WHERE (SELECT count(*) FROM wallet_row) < $5
  ON CONFLICT (wallet) DO NOTHING`;

/**
 * Two that look at once never see the same row: the second one skips what the first one has locked.
 */
const TAKE = `
  WITH free AS (
    SELECT wallet FROM wallet_row WHERE ${IS_FREE} AND ${IS_RESTED('$2')} AND ${WAS_QUEUED_BY('$5', '$2')}
    ORDER BY ${TURN}, wallet LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE wallet_row w SET owner = $1, epoch = w.epoch + 1, until = ${LATER('$4')}
  FROM free WHERE w.wallet = free.wallet
  RETURNING w.wallet, w.doc, w.epoch`;

const RENEW = `UPDATE wallet_row SET until = ${LATER('$2')} WHERE owner = $1 AND wallet = ANY($3) RETURNING wallet`;
const RELEASE = 'UPDATE wallet_row SET owner = NULL, until = NULL WHERE owner = $1';

const POSITIONS = `
  SELECT w.wallet, w.queued_at_ms, w.not_before_ms,
    w.owner IS NOT NULL AND ${isGood('w.until', WALLET_CLAIM_MS)} AS is_in_work,
    (SELECT count(*) FROM wallet_row
     WHERE ${IS_FREE} AND (${TURN}, wallet) < (greatest(w.queued_at_ms, w.not_before_ms), w.wallet)) AS ahead
  FROM wallet_row w WHERE w.wallet = ANY($1)`;

const SUMMARY = `
  SELECT count(*) AS rows,
    count(*) FILTER (WHERE NOT ${IS_FREE}) AS in_work,
    count(*) FILTER (WHERE ${IS_FREE} AND NOT ${IS_RESTED('$1')}) AS resting,
    min(queued_at_ms) AS oldest
  FROM wallet_row`;
