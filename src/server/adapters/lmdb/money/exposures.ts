import type { PaymentRow } from '#domain/payment/payment-row';
import { type Exposure, type Exposures, exposureOf, minus, NO_EXPOSURE, plus } from '#domain/payment/proof';
import type { RowKeys } from '#ports/store';
import { count, digits, fields, ROW_VERSION } from '../../rows/row-fields.js';
import { putRow, type Rows, rangeOf, readRaw } from '../raw.js';
import { FACILITATOR_EXPOSURES, facilitatorExposureKey, walletExposureKey } from './keys.js';

/*
 * Sums of what went out on somebody's word. They follow from the rows of payments, and are written
 * in the transaction of the row, as the difference to what it said before.
 */

/**
 * Sums as they stand within one batch. They are held back and written once at its end: that of a
 * facilitator changes with every payment that it settles.
 */
export interface ExposureSums {
  of(who: NonNullable<RowKeys['exposure']>): Exposures;
  /** Changes the sums by what a row says now, and said before. */
  follow(before: PaymentRow | null, row: PaymentRow): void;
  finish(): void;
}

/** To be used and finished inside one write transaction. */
export function openExposureSums(db: Rows): ExposureSums {
  const sums = new Map<string, Exposure>();
  const changed = new Set<string>();

  function read(key: string): Exposure {
    const existing = sums.get(key) ?? readExposure(db, key);
    sums.set(key, existing);
    return existing;
  }

  function change({ facilitator, wallet, sums: share }: Share, by: typeof plus): void {
    for (const key of [facilitatorExposureKey(facilitator), walletExposureKey(wallet)]) {
      sums.set(key, by(read(key), share));
      changed.add(key);
    }
  }

  return {
    of: ({ facilitator, wallet }) => ({
      facilitator: read(facilitatorExposureKey(facilitator)),
      wallet: read(walletExposureKey(wallet)),
    }),
    follow(before, row) {
      const less = before === null ? null : exposureOf(before);
      const more = exposureOf(row);
      if (less !== null) change(less, minus);
      if (more !== null) change(more, plus);
    },
    finish() {
      for (const key of changed) writeExposure(db, key, sums.get(key)!);
    },
  };
}

type Share = NonNullable<ReturnType<typeof exposureOf>>;

/** Wallets come and go; only what is owed, or was refuted once, is worth a row. */
function writeExposure(db: Rows, key: string, { unprovenMicros, refutedMicros, lastRefutedAtMs }: Exposure): void {
  if (unprovenMicros + refutedMicros === 0n && lastRefutedAtMs === null) db.remove(key);
  else putRow(db, key, [ROW_VERSION, String(unprovenMicros), String(refutedMicros), lastRefutedAtMs]);
}

/** Returns the sums of all facilitators that have any. */
export function readFacilitatorExposures(db: Rows): ReadonlyMap<string, Exposure> {
  const sums = new Map<string, Exposure>();
  for (const key of db.getKeys(rangeOf(FACILITATOR_EXPOSURES))) {
    sums.set(key.slice(FACILITATOR_EXPOSURES.length), readExposure(db, key));
  }
  return sums;
}

/** Returns the sums that stand under a key; without a row they are zero. */
export function readExposure(db: Rows, key: string): Exposure {
  const raw = readRaw(db, key);
  if (raw === undefined) return NO_EXPOSURE;
  const row = fields(key, raw, 4);
  return {
    unprovenMicros: BigInt(digits(key, row[1], 'unprovenMicros')),
    refutedMicros: BigInt(digits(key, row[2], 'refutedMicros')),
    lastRefutedAtMs: row[3] === null ? null : count(key, row[3], 'lastRefutedAtMs'),
  };
}
