import type { Account } from '#domain/credits/credits';
import type { Promo, Redemption } from '#domain/credits/promo';
import type { TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import { answeredAtMs, type PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import type { AnswerKey, StoredAnswer } from '#ports/store';
import { decodeAccount, decodeTokens, encodeAccount, encodeTokens } from '../../rows/credit-rows.js';
import { decodePayment, encodePayment } from '../../rows/payment-rows.js';
import { parseDoc } from '../doc.js';
import type { Columns } from '../query.js';

/**
 * One table of rows that decisions read and write: its SQL, and how its rows are understood.
 * `Id` names a row within it.
 */
export interface Table<Id, Row> {
  readonly name: string;
  /** The columns of the primary key. */
  readonly keys: readonly string[];
  /** All columns that are written, with their types; the key first. `rev` comes besides. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The values of the key of a row. */
  keyOf(id: Id): readonly string[];
  /** What those values name. */
  idOf(key: readonly string[]): Id;
  /** The values of all columns, in their order. */
  valuesOf(row: Row): readonly unknown[];
  /** Throws the OutsideError that names a row which cannot be understood. */
  decode(raw: Columns, id: Id): Row;
}

/** What a row is called in errors, and among the rows of a transaction. */
export function nameOf<Id>(table: Pick<Table<Id, never>, 'name' | 'keyOf'>, id: Id): string {
  return `${table.name}/${table.keyOf(id).join('/')}`;
}

export const ACCOUNT: Table<WalletAddress, Account> = {
  name: 'account',
  keys: ['wallet'],
  columns: [
    ['wallet', 'text'],
    ['last_entry', 'bigint'],
    ['doc', 'text'],
  ],
  keyOf: (wallet) => [wallet],
  idOf: ([wallet]) => wallet as WalletAddress,
  // Where its ledger ends is what the table of entries says.
  valuesOf: (account) => [account.wallet, account.lastEntry, JSON.stringify(encodeAccount({ account, tail: 0 }))],
  decode: ({ doc }, wallet) => {
    const key = `account/${wallet}`;
    return decodeAccount(key, parseDoc(key, doc), wallet).account;
  },
};

export const TOKENS: Table<WalletAddress, TokenSet> = {
  name: 'tokens',
  keys: ['wallet'],
  columns: [
    ['wallet', 'text'],
    ['doc', 'text'],
  ],
  keyOf: (wallet) => [wallet],
  idOf: ([wallet]) => wallet as WalletAddress,
  valuesOf: (set) => [set.wallet, JSON.stringify(encodeTokens(set))],
  decode: ({ doc }, wallet) => {
    const key = `tokens/${wallet}`;
    return decodeTokens(key, parseDoc(key, doc), wallet);
  },
};

export const PROMO: Table<string, Promo> = {
  name: 'promo',
  keys: ['code'],
  columns: [
    ['code', 'text'],
    ['credits', 'bigint'],
    ['wallets_max', 'int'],
    ['redeemed', 'int'],
    ['created_at_ms', 'bigint'],
    ['expires_at_ms', 'bigint'],
    ['revoked_at_ms', 'bigint'],
    ['sealed', 'text'],
  ],
  keyOf: (code) => [code],
  idOf: ([code]) => code!,
  valuesOf: (promo) => [
    promo.code,
    promo.credits,
    promo.walletsMax,
    promo.redeemed,
    promo.createdAtMs,
    promo.expiresAtMs,
    promo.revokedAtMs,
    promo.sealed ?? null,
  ],
  decode: (raw, code) => ({
    code,
    ...(raw.sealed === null ? {} : { sealed: raw.sealed as string }),
    credits: raw.credits as number,
    walletsMax: raw.wallets_max as number,
    redeemed: raw.redeemed as number,
    createdAtMs: raw.created_at_ms as number,
    expiresAtMs: raw.expires_at_ms as number,
    revokedAtMs: raw.revoked_at_ms as number | null,
  }),
};

export const REDEMPTION: Table<Pick<Redemption, 'code' | 'wallet'>, Redemption> = {
  name: 'redemption',
  keys: ['code', 'wallet'],
  columns: [
    ['code', 'text'],
    ['wallet', 'text'],
    ['at_ms', 'bigint'],
  ],
  keyOf: ({ code, wallet }) => [code, wallet],
  idOf: ([code, wallet]) => ({ code: code!, wallet: wallet as WalletAddress }),
  valuesOf: ({ code, wallet, atMs }) => [code, wallet, atMs],
  decode: (raw, { code, wallet }) => ({ code, wallet, atMs: raw.at_ms as number }),
};

export const ANSWER: Table<AnswerKey, StoredAnswer> = {
  name: 'answer',
  keys: ['wallet', 'code', 'key'],
  columns: [
    ['wallet', 'text'],
    ['code', 'text'],
    ['key', 'text'],
    ['fingerprint', 'text'],
    ['body', 'text'],
    ['expires_at_ms', 'bigint'],
  ],
  keyOf: ({ wallet, code, key }) => [wallet, code ?? '', key],
  idOf: ([wallet, code, key]) => ({ wallet: wallet as WalletAddress, code: code === '' ? null : code!, key: key! }),
  valuesOf: (answer) => [...ANSWER.keyOf(answer), answer.fingerprint, answer.body, answer.expiresAtMs],
  decode: (raw, { wallet, code, key }) => ({
    wallet,
    code,
    key,
    fingerprint: raw.fingerprint as string,
    body: raw.body as string,
    expiresAtMs: raw.expires_at_ms as number,
  }),
};

export const PAYMENT: Table<PaymentKey, PaymentRow> = {
  name: 'payment',
  keys: ['key'],
  columns: [
    ['key', 'text'],
    ['state', 'text'],
    ['open', 'boolean'],
    ['unchecked', 'boolean'],
    ['owner', 'text'],
    ['epoch', 'int'],
    ['payer', 'text'],
    ['is_signed_by_key', 'boolean'],
    ['created_at_ms', 'bigint'],
    ['updated_at_ms', 'bigint'],
    ['answered_at_ms', 'bigint'],
    ['doc', 'text'],
  ],
  keyOf: (key) => [key],
  idOf: ([key]) => key as PaymentKey,
  valuesOf: (row) => [
    row.key,
    row.state,
    row.open,
    isToBeChecked(row),
    row.owner,
    row.epoch,
    payerOf(row.key),
    row.isSignedByKey,
    row.createdAtMs,
    row.updatedAtMs,
    answeredAtMs(row),
    JSON.stringify(encodePayment(row)),
  ],
  decode: ({ doc }, key) => {
    const name = `payment/${key}`;
    return decodePayment(name, parseDoc(name, doc), key);
  },
};

/**
 * Returns what all payments of one payer begin with: the key ends with the nonce, behind a colon.
 */
export function payerOf(key: PaymentKey): string {
  return key.slice(0, key.lastIndexOf(':'));
}

/**
 * Returns the SQL that locks rows and returns them. Its parameters: one list of texts for each
 * column of the key.
 */
export function lockSql({ name, keys, columns }: Table<never, never>): string {
  return findSql({ name, keys }, ['rev', ...columns.map(([column]) => column)], 'FOR UPDATE');
}

/** Returns the SQL that reads columns of rows; the parameters are those of `lockSql`. */
export function readSql({ name, keys, columns }: Table<never, never>): string {
  const wanted = columns.map(([column]) => column);
  return findSql({ name, keys }, wanted, 'OFFSET 0');
}

/**
 * A key of several columns is looked up one by one: a join would be planned for the few rows that a
 * young table has, and read all of it when it has grown. Either ending keeps it from becoming one.
 */
function findSql(
  { name, keys }: Pick<Table<never, never>, 'name' | 'keys'>,
  columns: readonly string[],
  ending: 'FOR UPDATE' | 'OFFSET 0',
): string {
  if (keys.length === 1) {
    const key = keys[0]!;
    const found = `SELECT ${columns.join(', ')} FROM ${name} WHERE ${key} = ANY($1::text[])`;
    return ending === 'FOR UPDATE' ? `${found} ORDER BY ${key} FOR UPDATE` : found;
  }
  const lists = keys.map((_, n) => `$${n + 1}::text[]`).join(', ');
  const inOrder = keys.map((key) => `${key} COLLATE "C"`).join(', ');
  const wanted = `(SELECT * FROM unnest(${lists}) AS k(${keys.join(', ')}) ORDER BY ${inOrder}) wanted`;
  const same = keys.map((key) => `t.${key} = wanted.${key}`).join(' AND ');
  const one = `SELECT * FROM ${name} t WHERE ${same} ${ending}`;
  return `SELECT ${columns.map((column) => `found.${column}`).join(', ')} FROM ${wanted} CROSS JOIN LATERAL (${one}) found`;
}

/**
 * Returns the SQL that writes rows, each with the revision that follows the one it was read at, and
 * fails unless all of them are at that one still. Its parameters: one list for each column, one of
 * the revisions, and how many there are.
 */
export function putSql({ name, keys, columns }: Table<never, never>): string {
  const names = [...columns.map(([column]) => column), 'rev'];
  const lists = [...columns.map(([, type]) => type), 'bigint'].map((type, n) => `$${n + 1}::${type}[]`).join(', ');
  const sets = names.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`);
  const put =
    `INSERT INTO ${name} AS t (${names.join(', ')}) SELECT * FROM unnest(${lists})` +
    ` ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${sets.join(', ')}` +
    ' WHERE t.rev = excluded.rev - 1 RETURNING 1';
  return `WITH put AS (${put}) SELECT expect_rows((SELECT count(*) FROM put), $${names.length + 1})`;
}
