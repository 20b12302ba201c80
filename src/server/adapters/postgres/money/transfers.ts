import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { TransferPlace } from '#domain/payment/proof';
import type { Query } from '../query.js';

type Place = Pick<TransferPlace, 'transaction' | 'logIndex'>;

const FIND = `SELECT * FROM transfer
  WHERE transaction = ANY($1::text[]) AND (transaction, log_index) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))`;
/** A transfer proves one payment: where another one was faster, the decision is made anew. */
const PUT = `WITH put AS (INSERT INTO transfer AS t SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
  ON CONFLICT (transaction, log_index) DO UPDATE SET payment = excluded.payment WHERE t.payment = excluded.payment
  RETURNING 1) SELECT expect_rows((SELECT count(*) FROM put), $4)`;

/** Which payments transfers are the proof of, as it stands within one transaction. */
export class TransfersInBatch {
  readonly #wanted = new Map<string, Place>();
  readonly #existing = new Map<string, PaymentKey>();
  readonly #changed = new Map<string, { readonly place: Place; readonly payment: PaymentKey }>();

  want(place: Place): void {
    this.#wanted.set(nameOf(place), place);
  }

  async lock(query: Query): Promise<void> {
    const places = [...this.#wanted.values()];
    if (places.length === 0) return;
    const lists = [places.map(({ transaction }) => transaction), places.map(({ logIndex }) => logIndex)];
    const { rows } = await query('find transfer', FIND, lists);
    for (const raw of rows) {
      const place = { transaction: raw.transaction as string, logIndex: raw.log_index as number };
      this.#existing.set(nameOf(place), raw.payment as PaymentKey);
    }
  }

  read(place: Place): PaymentKey | null {
    return this.#existing.get(nameOf(place)) ?? null;
  }

  /** Shows what a row proves to the decisions that come after it. */
  note(row: PaymentRow | null): void {
    if (row?.proof?.kind === 'proven') this.#existing.set(nameOf(row.proof), row.key);
  }

  /** Takes in what a changed row of the transaction proves. */
  follow(row: PaymentRow | null): void {
    if (row?.proof?.kind !== 'proven') return;
    this.#changed.set(nameOf(row.proof), { place: row.proof, payment: row.key });
  }

  save(query: Query): readonly Promise<unknown>[] {
    const changed = [...this.#changed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    if (changed.length === 0) return [];
    const lists = [
      changed.map(({ place }) => place.transaction),
      changed.map(({ place }) => place.logIndex),
      changed.map(({ payment }) => payment),
    ];
    return [query('put transfer', PUT, [...lists, changed.length])];
  }
}

function nameOf({ transaction, logIndex }: Place): string {
  return `${transaction}:${logIndex}`;
}
