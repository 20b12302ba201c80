import type { PaymentRow } from '#domain/payment/payment-row';
import { type Exposure, type Exposures, exposureOf, minus, NO_EXPOSURE, plus } from '#domain/payment/proof';
import type { RowKeys } from '#ports/store';
import type { Columns, Query } from '../query.js';

type Who = NonNullable<RowKeys['exposure']>;

const facilitatorOf = ({ facilitator }: Pick<Who, 'facilitator'>) => `${FACILITATORS}${facilitator}`;
const walletOf = ({ wallet }: Pick<Who, 'wallet'>) => `wallet/${wallet}`;
const FACILITATORS = 'facilitator/';

/** A sum that is not there cannot be locked, so that it is made first. */
const MAKE = `INSERT INTO exposure SELECT who, 0, 0, NULL FROM unnest($1::text[]) AS who ORDER BY who
  ON CONFLICT DO NOTHING`;
const LOCK = 'SELECT * FROM exposure WHERE who = ANY($1::text[]) ORDER BY who FOR UPDATE';
/** Sums change by differences: what was not looked at needs no lock. */
const ADD = `INSERT INTO exposure AS t SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
  ON CONFLICT (who) DO UPDATE SET unproven_micros = t.unproven_micros + excluded.unproven_micros,
    refuted_micros = t.refuted_micros + excluded.refuted_micros,
    last_refuted_at_ms = greatest(t.last_refuted_at_ms, excluded.last_refuted_at_ms)`;
const OF_FACILITATORS = `SELECT * FROM exposure WHERE who LIKE '${FACILITATORS}%'
  AND (unproven_micros <> 0 OR refuted_micros <> 0 OR last_refuted_at_ms IS NOT NULL)`;

/** What was given out on somebody's word, as it stands within one transaction. */
export class ExposuresInBatch {
  readonly #wanted = new Set<string>();
  /** The sums that were asked for. */
  readonly #sums = new Map<string, Exposure>();
  /** By how much the sums change with this transaction. */
  readonly #changes = new Map<string, Exposure>();

  want(who: Who): void {
    this.#wanted.add(facilitatorOf(who)).add(walletOf(who));
  }

  async lock(query: Query): Promise<void> {
    if (this.#wanted.size === 0) return;
    const wanted = [...this.#wanted].sort();
    const [, { rows }] = await Promise.all([
      query('make exposure', MAKE, [wanted]),
      query('lock exposure', LOCK, [wanted]),
    ]);
    for (const raw of rows) this.#sums.set(raw.who as string, toExposure(raw));
  }

  read(who: Who): Exposures {
    return {
      facilitator: this.#sums.get(facilitatorOf(who)) ?? NO_EXPOSURE,
      wallet: this.#sums.get(walletOf(who)) ?? NO_EXPOSURE,
    };
  }

  /** Shows a change to the decisions that come after it. */
  note(before: PaymentRow | null, after: PaymentRow | null): void {
    addShares(this.#sums, before, after);
  }

  /**
   * Takes in what a row of the transaction changes, from what it was in the database to what it is
   * now.
   */
  follow(before: PaymentRow | null, after: PaymentRow | null): void {
    addShares(this.#changes, before, after);
  }

  save(query: Query): readonly Promise<unknown>[] {
    const changes = [...this.#changes].sort(([a], [b]) => (a < b ? -1 : 1));
    if (changes.length === 0) return [];
    const columns = [
      changes.map(([who]) => who),
      changes.map(([, sum]) => String(sum.unprovenMicros)),
      changes.map(([, sum]) => String(sum.refutedMicros)),
      changes.map(([, sum]) => sum.lastRefutedAtMs),
    ];
    return [query('add exposure', ADD, columns)];
  }
}

function addShares(sums: Map<string, Exposure>, before: PaymentRow | null, after: PaymentRow | null): void {
  const change = (row: PaymentRow | null, by: typeof plus) => {
    const share = row === null ? null : exposureOf(row);
    if (share === null) return;
    for (const who of [facilitatorOf(share), walletOf(share)]) {
      sums.set(who, by(sums.get(who) ?? NO_EXPOSURE, share.sums));
    }
  };
  change(before, minus);
  change(after, plus);
}

/** Returns the sums of all facilitators that have any. */
export async function readFacilitatorExposures(query: Query): Promise<ReadonlyMap<string, Exposure>> {
  const { rows } = await query('exposures', OF_FACILITATORS);
  return new Map(rows.map((raw) => [(raw.who as string).slice(FACILITATORS.length), toExposure(raw)]));
}

/** Returns a sum from its columns. */
export function toExposure(raw: Columns): Exposure {
  return {
    unprovenMicros: BigInt(raw.unproven_micros as number),
    refutedMicros: BigInt(raw.refuted_micros as number),
    lastRefutedAtMs: raw.last_refuted_at_ms as number | null,
  };
}
