import { createHash } from 'node:crypto';
import type { PaymentKey, SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import { completePayment } from './completion.js';
import type { PaidWork, PaymentDeps } from './contract.js';
import { operationOf } from './work.js';

/** The durable row of one payment, and the three times that it is written. Each resolves when the row is on disk. */
export class PaymentRecords {
  row: PaymentRow | null = null;
  /** Names the payment in logs: the key itself holds the nonce. */
  readonly id: string;

  constructor(
    private readonly key: PaymentKey,
    private readonly deps: PaymentDeps,
  ) {
    this.id = createHash('sha256').update(key).digest('hex').slice(0, 16);
  }

  /** W1: the frozen answer and the intent, before anything is sent to a facilitator. */
  async intent(facts: { work: PaidWork; payment: SignedPayment; answer: string; intentBlock: number }): Promise<void> {
    const { clock, store } = this.deps;
    const { work, payment, answer, intentBlock } = facts;
    const nowMs = clock.nowMs();
    const row: PaymentRow = {
      key: this.key,
      state: 'SETTLING',
      fingerprint: work.fingerprint,
      operation: operationOf(work),
      requestId: work.requestId,
      payment,
      demand: work.demand,
      answer,
      intentBlock,
      body: null,
      transaction: null,
      failReason: null,
      open: true,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await store.transact({ payment: this.key }, (rows) => {
      if (rows.payment !== null) throw new Error('another process has claimed this authorization');
      return { writes: { payment: row }, result: undefined };
    });
    this.row = row;
  }

  /** W2: the transaction and the exact body, before a byte of it goes out. A row that is settled already stays as it is. */
  async settled(transaction: string): Promise<void> {
    const { clock, store, random, log } = this.deps;
    const wallet = this.row!.payment.authorization.from;
    const nowMs = clock.nowMs();
    const secret = random.bytes(32);
    const before = this.row!.state;
    this.row = await store.transact({ payment: this.key, account: wallet, tokens: wallet }, (rows) => {
      const row = rows.payment!;
      if (row.state === 'SETTLED') return { writes: {}, result: row };
      const { body, writes } = completePayment(row, rows, { transaction, nowMs, secret });
      const settled: PaymentRow = {
        ...row,
        state: 'SETTLED',
        body,
        transaction,
        open: false,
        failReason: null,
        updatedAtMs: nowMs,
      };
      return { writes: { ...writes, payment: settled }, result: settled };
    });
    const facts = { payment: this.id, operation: this.row.operation, transaction };
    if (before === 'FAILED') log.error(facts, 'a payment recorded as failed has paid after all');
    else log.info(facts, 'payment settled');
  }

  /** The proof that this authorization did not pay; `open` while a late transfer is still possible. */
  async failed(reason: string, open: boolean): Promise<void> {
    const { clock, store, log } = this.deps;
    const nowMs = clock.nowMs();
    this.row = await store.transact({ payment: this.key }, (rows) => {
      const row = rows.payment!;
      if (row.state === 'SETTLED') return { writes: {}, result: row };
      const failed: PaymentRow = {
        ...row,
        state: 'FAILED',
        failReason: row.failReason ?? reason,
        open,
        updatedAtMs: nowMs,
      };
      return { writes: { payment: failed }, result: failed };
    });
    log.info({ payment: this.id, reason, open }, 'payment failed');
  }
}
