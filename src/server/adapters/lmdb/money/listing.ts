import type { LedgerEntry } from '#domain/credits/credits';
import { OutsideError } from '#domain/errors';
import { parseWallet, type WalletAddress } from '#domain/ids';
import type {
  AnswerKey,
  Cursor,
  PaymentIndexes,
  ProvenTransfer,
  RowsPage,
  StoredAnswer,
  StoreListing,
} from '#ports/store';
import { decodeLedger } from '../../rows/credit-rows.js';
import { malformedRow } from '../../rows/row-fields.js';
import { listedPage } from '../listed.js';
import { type Rows, readRaw } from '../raw.js';
import { readAnswer } from './answers.js';
import { everyRow } from './every-row.js';
import { readExposure } from './exposures.js';
import {
  ACCOUNTS,
  ANSWERS,
  answerKey,
  LEDGER,
  ledgerKey,
  PAYMENTS,
  PROMOS,
  partsOfAnswerKey,
  paymentOfIndexKey,
  REDEMPTIONS,
  TOKENS,
  TRANSFERS,
  uncheckedPaymentKey,
  WALLET_EXPOSURES,
} from './keys.js';
import { readOpen, readPayment } from './payments.js';
import { readAccount, readPromo, readRedemption, readTokens } from './reads.js';
import { readTransfer } from './transfers.js';

const TRANSFER = /^(0x[0-9a-fA-F]+):([0-9]{1,15})$/;

/** Returns the listing of everything that lies in the file. Each page is read at one moment. */
export function lmdbListing(db: Rows, read: <T>(from: () => T) => Promise<T>): StoreListing {
  const listed =
    <Row>(prefix: string, rowOf: (key: string, rest: string) => Row | null) =>
    (from: Cursor, limit: number): Promise<RowsPage<Row>> =>
      read(() => listedPage(db, { prefix, from, limit }, rowOf));

  return {
    accounts: listed(ACCOUNTS, (key, rest) => readAccount(db, walletOf(key, rest))?.account ?? null),
    entriesOf: (wallet, from, limit) => read(() => readEntriesBack(db, wallet, from, limit)),
    entries: listed(LEDGER, (key) => decodeLedger(key, readRaw(db, key)).entry),
    tokenSets: listed(TOKENS, (key, rest) => readTokens(db, walletOf(key, rest))),
    promos: listed(PROMOS, (_key, rest) => readPromo(db, rest)),
    redemptions: listed(REDEMPTIONS, (key, rest) => {
      const slash = rest.lastIndexOf('/');
      return readRedemption(db, rest.slice(0, Math.max(slash, 0)), walletOf(key, rest.slice(slash + 1)));
    }),
    answers: listed(ANSWERS, (key) => answerAt(db, key)),
    payments: listed(PAYMENTS, (key) => indexesOf(db, key)),
    transfers: listed(TRANSFERS, (key, rest) => transferAt(db, key, rest)),
    walletExposures: listed(WALLET_EXPOSURES, (key, rest) => ({
      wallet: walletOf(key, rest),
      exposure: readExposure(db, key),
    })),
    written: (from, limit) => read(() => everyRow(db, from, limit)),
  };
}

function walletOf(key: string, text: string): WalletAddress {
  const wallet = parseWallet(text);
  if (wallet === null || wallet !== text) throw malformedRow(key, 'its key has no address in lower case');
  return wallet;
}

/** The cursor is the position of the next older entry. */
function readEntriesBack(db: Rows, wallet: WalletAddress, from: Cursor, limit: number): RowsPage<LedgerEntry> {
  const items: LedgerEntry[] = [];
  let position = from === null ? (readAccount(db, wallet)?.tail ?? 0) : Number(from);
  try {
    while (position !== 0 && items.length < limit) {
      const key = ledgerKey(position);
      const raw = readRaw(db, key);
      if (raw === undefined) throw malformedRow(key, 'there is no such entry');
      const { entry, previous } = decodeLedger(key, raw);
      if (previous >= position) throw malformedRow(key, 'points at a later entry');
      items.push(entry);
      position = previous;
    }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { items, faults: [error], next: null };
  }
  return { items, faults: [], next: position === 0 ? null : String(position) };
}

function answerAt(db: Rows, key: string): StoredAnswer | null {
  const parts = partsOfAnswerKey(key);
  walletOf(key, parts.wallet);
  if (!isKeyOf(parts, key)) throw malformedRow(key, 'its key is not that of an answer');
  return readAnswer(db, parts);
}

function isKeyOf(parts: AnswerKey, key: string): boolean {
  try {
    return parts.code !== '' && answerKey(parts) === key;
  } catch {
    // The caller's part of it is too long, or there is none.
    return false;
  }
}

function indexesOf(db: Rows, rowKey: string): PaymentIndexes | null {
  const key = paymentOfIndexKey(rowKey, PAYMENTS);
  const row = readPayment(db, key);
  if (row === null) return null;
  return {
    row,
    openPayment: readOpen(db, key),
    isUnchecked: db.doesExist(uncheckedPaymentKey(key)),
    transferOf: row.proof?.kind === 'proven' ? readTransfer(db, row.proof) : null,
  };
}

function transferAt(db: Rows, key: string, rest: string): ProvenTransfer | null {
  const [, transaction, logIndex] = TRANSFER.exec(rest) ?? [];
  if (transaction === undefined) throw malformedRow(key, 'its key is not the place of a transfer');
  const position = { transaction, logIndex: Number(logIndex) };
  const payment = readTransfer(db, position);
  return payment === null ? null : { ...position, payment };
}
