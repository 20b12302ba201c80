import type { LedgerEntry } from '#domain/credits/credits';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import { LEASE_MS } from '#ports/leases';
import type { OpenPayment, OwnedPayment, RowKeys, Rows, Writes } from '#ports/store';
import { isGood } from '../good-until.js';
import type { Query } from '../query.js';
import { ExposuresInBatch } from './exposures.js';
import { toOpenPayment } from './payments.js';
import { RowsInBatch } from './rows-in-batch.js';
import { ACCOUNT, ANSWER, PAYMENT, PROMO, payerOf, REDEMPTION, TOKENS } from './tables.js';
import { TransfersInBatch } from './transfers.js';

/** No payer may have as many; it bounds the work of one look. */
const OPEN_OF_PAYER_MAX = 100;

const OPEN_OF_PAYERS = `SELECT rev, key, payer, owner, epoch, state, created_at_ms, is_signed_by_key FROM payment
  WHERE payer = ANY($1::text[]) AND open AND state <> 'FAILED' ORDER BY key LIMIT ${OPEN_OF_PAYER_MAX} * cardinality($1::text[])`;
/**
 * A row of it is inserted by whoever wants a turn, who waits while another has it, and is gone with
 * the transaction.
 */
const TAKE_TURNS = `INSERT INTO payer_turn SELECT payer FROM unnest($1::text[]) AS payer ORDER BY payer
  ON CONFLICT DO NOTHING`;
const END_TURNS = 'DELETE FROM payer_turn WHERE payer = ANY($1::text[])';
const ALIVE = `SELECT id FROM replica WHERE ${isGood('until', LEASE_MS)}`;
export const PUT_LEDGER = `INSERT INTO ledger
  (wallet, number, kind, credits, balance_after, at_ms, operation, request_id, lots)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
    $8::text[], $9::text[])`;
const PUT_MARK = 'INSERT INTO batch_mark (id) VALUES ($1::uuid)';

/**
 * The rows of one transaction, which carries many callers' decisions one after the other. All rows
 * that they name are locked first, table by table and in the order of their keys, so that two
 * transactions never wait for each other; what a lock waited for is then seen as it was committed.
 * Decisions read and write in memory, and what they changed is saved in one go.
 */
export class MoneyBatch {
  // In the order in which they are locked, after the turns of payers: every transaction has the
  // same.
  readonly #promos = new RowsInBatch(PROMO);
  readonly #accounts = new RowsInBatch(ACCOUNT);
  readonly #tokens = new RowsInBatch(TOKENS);
  readonly #payments = new RowsInBatch(PAYMENT);
  readonly #redemptions = new RowsInBatch(REDEMPTION);
  readonly #answers = new RowsInBatch(ANSWER);
  readonly #exposures = new ExposuresInBatch();
  readonly #transfers = new TransfersInBatch();
  readonly #entries: LedgerEntry[] = [];
  readonly #payers = new Set<string>();
  #openOfPayers: readonly OpenPayment[] = [];
  #alive: ReadonlySet<string> = new Set();
  #asksWhoIsAlive = false;

  /** Names the rows that a decision will look at. */
  want(keys: RowKeys): void {
    if (keys.promo !== undefined) this.#promos.want(keys.promo);
    if (keys.account !== undefined) this.#accounts.want(keys.account);
    if (keys.tokens !== undefined) this.#tokens.want(keys.tokens);
    for (const payment of [keys.payment ?? keys.openPayment, ...(keys.others ?? [])]) {
      if (payment === undefined) continue;
      this.#payments.want(payment);
      this.#asksWhoIsAlive = true;
    }
    if (keys.redemption !== undefined) this.#redemptions.want(keys.redemption);
    if (keys.answer !== undefined) this.#answers.want(keys.answer);
    for (const key of keys.purchases ?? []) this.#answers.want(key);
    if (keys.exposure !== undefined) this.#exposures.want(keys.exposure);
    if (keys.transfer !== undefined) this.#transfers.want(keys.transfer);
    if (keys.openOfPayerOf !== undefined) this.#payers.add(payerOf(keys.openOfPayerOf));
  }

  /** Locks and reads what was named; all questions are under way at once. */
  async lock(query: Query): Promise<void> {
    const payers = [...this.#payers];
    const turns = payers.length === 0 ? null : query('take turns', TAKE_TURNS, [payers]);
    const locked = [...this.#tables, this.#exposures, this.#transfers].map((table) => table.lock(query));
    const [open, alive] = [
      turns === null ? null : query('open of payers', OPEN_OF_PAYERS, [payers]),
      this.#asksWhoIsAlive ? query('who is alive', ALIVE) : null,
    ];
    await Promise.all([turns, ...locked, open, alive]);
    this.#openOfPayers = (await open)?.rows.map((raw) => toOpenPayment(raw)) ?? [];
    this.#alive = new Set((await alive)?.rows.map(({ id }) => id as string));
  }

  read(keys: RowKeys): Rows {
    const payment = keys.payment === undefined ? null : this.#payments.read(keys.payment);
    const open = keys.openPayment === undefined ? null : this.#payments.read(keys.openPayment);
    return {
      account: keys.account === undefined ? null : this.#accounts.read(keys.account),
      tokens: keys.tokens === undefined ? null : this.#tokens.read(keys.tokens),
      promo: keys.promo === undefined ? null : this.#promos.read(keys.promo),
      redemption: keys.redemption === undefined ? null : this.#redemptions.read(keys.redemption),
      answer: keys.answer === undefined ? null : this.#answers.read(keys.answer),
      purchases: keys.purchases?.map((key) => this.#answers.read(key)) ?? [],
      payment,
      others: keys.others?.map((key) => this.#owned(key)) ?? [],
      transfer: keys.transfer === undefined ? null : this.#transfers.read(keys.transfer),
      exposure: keys.exposure === undefined ? null : this.#exposures.read(keys.exposure),
      openPayment: open?.open === true ? openOf(open) : null,
      isOwnerAlive: this.#isOwnerAlive(payment ?? open),
      openOfPayer: keys.openOfPayerOf === undefined ? [] : this.#openOf(payerOf(keys.openOfPayerOf)),
    };
  }

  write(writes: Writes): void {
    const { change, tokens, promo, redemption, answer, purchases = [], payment, leftTransfer, removedPayment } = writes;
    if (change !== undefined) {
      const { wallet } = change.account;
      const existing = this.#accounts.read(wallet);
      // Notes may come and go without an entry; an account that never had one is not written.
      if (change.entries.length > 0 || (existing !== null && change.account !== existing)) {
        this.#accounts.write(wallet, change.account);
        this.#entries.push(...change.entries);
      }
    }
    if (tokens !== undefined) this.#tokens.write(tokens.wallet, tokens);
    if (promo !== undefined) this.#promos.write(promo.code, promo);
    if (redemption !== undefined) this.#redemptions.write(redemption, redemption);
    if (answer !== undefined) this.#answers.write(answer, answer);
    for (const one of purchases) this.#answers.write(one, one);
    if (leftTransfer !== undefined) this.#transfers.leave(leftTransfer);
    if (payment !== undefined) this.#writePayment(payment.key, payment);
    if (removedPayment !== undefined) this.#writePayment(removedPayment, null);
  }

  /**
   * Whether rows were written that no decision has named: they are locked before they are saved.
   */
  get hasUnread(): boolean {
    return this.#tables.some((table) => table.hasUnread);
  }

  async lockUnread(query: Query): Promise<void> {
    await Promise.all(this.#tables.map((table) => table.lock(query)));
  }

  get isUnchanged(): boolean {
    const isSame = this.#tables.every((table) => table.changed().length === 0);
    return isSame && this.#entries.length === 0 && !this.#transfers.hasLeft;
  }

  /**
   * Saves what was changed; all of it is under way when this returns. `id` names the transaction.
   */
  save(query: Query, id: string): readonly Promise<unknown>[] {
    for (const { id: key, row } of this.#payments.changed()) {
      this.#exposures.follow(this.#payments.before(key), row);
      this.#transfers.follow(row);
    }
    const payers = [...this.#payers];
    return [
      ...this.#tables.flatMap((table) => table.save(query)),
      ...(this.#entries.length === 0 ? [] : [query('put ledger', PUT_LEDGER, entryColumns(this.#entries))]),
      ...this.#exposures.save(query),
      ...this.#transfers.save(query),
      ...(payers.length === 0 ? [] : [query('end turns', END_TURNS, [payers])]),
      query('put mark', PUT_MARK, [id]),
    ];
  }

  /** Ends the turns of payers where nothing else was changed. */
  endTurns(query: Query): Promise<unknown> {
    return this.#payers.size === 0 ? Promise.resolve() : query('end turns', END_TURNS, [[...this.#payers]]);
  }

  get #tables(): readonly RowsInBatch<never, unknown>[] {
    const all = [this.#promos, this.#accounts, this.#tokens, this.#payments, this.#redemptions, this.#answers];
    return all as unknown as readonly RowsInBatch<never, unknown>[];
  }

  #owned(key: PaymentKey): OwnedPayment | null {
    const row = this.#payments.read(key);
    return row === null ? null : { row, isOwnerAlive: this.#isOwnerAlive(row) };
  }

  #isOwnerAlive(row: PaymentRow | null): boolean {
    return row !== null && row.owner !== null && this.#alive.has(row.owner);
  }

  #writePayment(key: PaymentKey, row: PaymentRow | null): void {
    this.#exposures.note(this.#payments.read(key), row);
    this.#transfers.note(row);
    this.#payments.write(key, row);
  }

  /** As the rows stand within the transaction. */
  #openOf(payer: string): readonly OpenPayment[] {
    const changed = new Map(this.#payments.changed().map(({ id, row }) => [id, row]));
    const existing = this.#openOfPayers.filter(({ key }) => payerOf(key) === payer && !changed.has(key));
    const fresh = [...changed.values()].filter((row) => row !== null);
    return [...existing, ...fresh.filter((row) => isAtWork(row) && payerOf(row.key) === payer).map(openOf)];
  }
}

function isAtWork({ open, state }: PaymentRow): boolean {
  return open && state !== 'FAILED';
}

function openOf({ key, owner, epoch, state, createdAtMs, isSignedByKey }: PaymentRow): OpenPayment {
  return { key, owner, epoch, state, createdAtMs, isSignedByKey };
}

/** Returns the parameters of PUT_LEDGER: one list for each column. */
export function entryColumns(entries: readonly LedgerEntry[]): readonly unknown[] {
  return [
    entries.map(({ wallet }) => wallet),
    entries.map(({ number }) => number),
    entries.map(({ kind }) => kind),
    entries.map(({ credits }) => credits),
    entries.map(({ balanceAfter }) => balanceAfter),
    entries.map(({ atMs }) => atMs),
    entries.map(({ operation }) => operation),
    entries.map(({ requestId }) => requestId),
    entries.map(({ lots }) => JSON.stringify(lots.map(({ lotId, credits }) => [lotId, credits]))),
  ];
}
