import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { TransferPosition } from '#domain/payment/proof';
import type { ProvenTransfer } from '#ports/store';
import type { Query } from '../query.js';

type Position = Pick<TransferPosition, 'transaction' | 'logIndex'>;

const FIND = `SELECT * FROM transfer
  WHERE transaction = ANY($1::text[]) AND (transaction, log_index) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))`;
/** A transfer proves one payment: where another one was faster, the decision is made anew. */
const PUT = `WITH put AS (INSERT INTO transfer AS t SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
  ON CONFLICT (transaction, log_index) DO UPDATE SET payment = excluded.payment WHERE t.payment = excluded.payment
  RETURNING 1) SELECT expect_rows((SELECT count(*) FROM put), $4)`;
const REMOVE = `DELETE FROM transfer
  WHERE transaction = ANY($1::text[])
    AND (transaction, log_index, payment) IN (SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]))`;

/** Which payments transfers are the proof of, as it stands within one transaction. */
export class TransfersInBatch {
  readonly #wanted = new Map<string, Position>();
  readonly #existing = new Map<string, PaymentKey>();
  readonly #changed = new Map<string, ProvenTransfer>();
  readonly #left = new Map<string, ProvenTransfer>();

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

  /** Removes that a transfer is the proof of a payment; not that it is another's. */
  leave(left: ProvenTransfer): void {
    const name = nameOf(left);
    this.#left.set(`${name} ${left.payment}`, left);
    if (this.#existing.get(name) === left.payment) this.#existing.delete(name);
  }

  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  /** Takes in what a changed row of the transaction proves. */
  follow(row: PaymentRow | null): void {
    if (row?.proof?.kind !== 'proven') return;
    const { transaction, logIndex } = row.proof;
    this.#changed.set(nameOf(row.proof), { transaction, logIndex, payment: row.key });
  }

  save(query: Query): readonly Promise<unknown>[] {
    const [left, changed] = [columnsOf(this.#left), columnsOf(this.#changed)];
    return [
      // First, for another payment may be there in the same transaction.
      ...(this.#left.size === 0 ? [] : [query('remove transfer', REMOVE, left)]),
      ...(this.#changed.size === 0 ? [] : [query('put transfer', PUT, [...changed, this.#changed.size])]),
    ];
  }
}

/** Returns one list for each column, in the order of the keys. */
function columnsOf(transfers: ReadonlyMap<string, ProvenTransfer>): readonly unknown[] {
  const sorted = [...transfers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return [
    sorted.map(({ transaction }) => transaction),
    sorted.map(({ logIndex }) => logIndex),
    sorted.map(({ payment }) => payment),
  ];
}

function nameOf({ transaction, logIndex }: Position): string {
  return `${transaction}:${logIndex}`;
}
