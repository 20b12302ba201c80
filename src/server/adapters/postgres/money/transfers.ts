import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { TransferPosition } from '#domain/payment/proof';
import type { Query } from '../query.js';

type Position = Pick<TransferPosition, 'transaction' | 'logIndex'>;

const FIND = `SELECT * FROM transfer
  WHERE transaction = ANY($1::text[]) AND (transaction, log_index) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))`;
/** A transfer proves one payment: where another one was faster, the decision is made anew. */
const PUT = `WITH put AS (INSERT INTO transfer AS t SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
  ON CONFLICT (transaction, log_index) DO UPDATE SET payment = excluded.payment WHERE t.payment = excluded.payment
  RETURNING 1) SELECT expect_rows((SELECT count(*) FROM put), $4)`;

/** Which payments transfers are the proof of, as it stands within one transaction. */
export class TransfersInBatch {
  readonly #wanted = new Map<string, Position>();
  readonly #existing = new Map<string, PaymentKey>();
  readonly #changed = new Map<string, { readonly position: Position; readonly payment: PaymentKey }>();

  want(position: Position): void {
    this.#wanted.set(nameOf(position), position);
  }

  async lock(query: Query): Promise<void> {
    const positions = [...this.#wanted.values()];
    if (positions.length === 0) return;
    const lists = [positions.map(({ transaction }) => transaction), positions.map(({ logIndex }) => logIndex)];
    const { rows } = await query('find transfer', FIND, lists);
    for (const raw of rows) {
      const position = { transaction: raw.transaction as string, logIndex: raw.log_index as number };
      this.#existing.set(nameOf(position), raw.payment as PaymentKey);
    }
  }

  read(position: Position): PaymentKey | null {
    return this.#existing.get(nameOf(position)) ?? null;
  }

  /** Shows what a row proves to the decisions that come after it. */
  note(row: PaymentRow | null): void {
    if (row?.proof?.kind === 'proven') this.#existing.set(nameOf(row.proof), row.key);
  }

  /** Takes in what a changed row of the transaction proves. */
  follow(row: PaymentRow | null): void {
    if (row?.proof?.kind !== 'proven') return;
    this.#changed.set(nameOf(row.proof), { position: row.proof, payment: row.key });
  }

  save(query: Query): readonly Promise<unknown>[] {
    const changed = [...this.#changed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    if (changed.length === 0) return [];
    const lists = [
      changed.map(({ position }) => position.transaction),
      changed.map(({ position }) => position.logIndex),
      changed.map(({ payment }) => payment),
    ];
    return [query('put transfer', PUT, [...lists, changed.length])];
  }
}

function nameOf({ transaction, logIndex }: Position): string {
  return `${transaction}:${logIndex}`;
}
