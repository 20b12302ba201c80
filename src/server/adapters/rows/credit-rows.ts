import {
  type Account,
  LEDGER_KINDS,
  type LedgerEntry,
  LOT_KINDS,
  type Lot,
  type LotShare,
  type UnansweredDebit,
} from '#domain/credits/credits';
import type { Promo, Redemption } from '#domain/credits/promo';
import { TOKEN_SCOPES, type TokenRecord, type TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { AnswerKey, StoredAnswer } from '#ports/store';
import { count, fields, list, oneOf, ROW_VERSION, text, textOrNull } from './row-fields.js';

/**
 * Rows in their stored form: arrays that begin with the schema version (an array costs half of an
 * object to encode). What a row's key already says is not repeated in its value. Nothing read from
 * disk is trusted: each field is checked.
 */

/**
 * An account beside the position of its newest ledger entry, from which its older ones are found.
 * 0: none yet.
 */
export interface AccountRow {
  readonly account: Account;
  readonly tail: number;
}

/** A ledger entry beside the position of the same wallet's entry before it. 0: it is the first. */
export interface LedgerRow {
  readonly entry: LedgerEntry;
  readonly previous: number;
}

/** Returns the stored form of an account. */
export function encodeAccount({ account, tail }: AccountRow): unknown {
  const row = [ROW_VERSION, account.lastEntry, tail, account.lots.map(encodeLot)];
  // Most accounts wait for nothing, and have no fifth field.
  if (account.unanswered.length > 0) row.push(account.unanswered.map(encodeUnanswered));
  return row;
}

/** Returns an account from its stored form, or throws the error that names the row. */
export function decodeAccount(key: string, raw: unknown, wallet: WalletAddress): AccountRow {
  const row = fields(key, raw, 5, 1);
  const lots = list(key, row[3], 'lots').map((value) => decodeLot(key, value));
  const unanswered = list(key, row[4] ?? [], 'unanswered').map((value) => decodeUnanswered(key, value));
  const lastEntry = count(key, row[1], 'lastEntry');
  return { account: { wallet, lastEntry, lots, unanswered }, tail: count(key, row[2], 'tail') };
}

function encodeLot({ id, kind, credits, remaining, grantedAtMs, expiresAtMs, source }: Lot): unknown {
  return [id, LOT_KINDS.indexOf(kind), credits, remaining, grantedAtMs, expiresAtMs, source];
}

function decodeLot(key: string, raw: unknown): Lot {
  const lot = list(key, raw, 'lot');
  return {
    id: count(key, lot[0], 'lot.id'),
    kind: oneOf(key, LOT_KINDS, lot[1], 'lot.kind'),
    credits: count(key, lot[2], 'lot.credits'),
    remaining: count(key, lot[3], 'lot.remaining'),
    grantedAtMs: count(key, lot[4], 'lot.grantedAtMs'),
    expiresAtMs: count(key, lot[5], 'lot.expiresAtMs'),
    source: text(key, lot[6], 'lot.source'),
  };
}

function encodeUnanswered({ id, operation, requestId, atMs, lots }: UnansweredDebit): unknown {
  return [id, operation, requestId, atMs, lots.map(encodeLot)];
}

function decodeUnanswered(key: string, raw: unknown): UnansweredDebit {
  const debit = list(key, raw, 'unanswered debit');
  return {
    id: text(key, debit[0], 'unanswered.id'),
    operation: text(key, debit[1], 'unanswered.operation'),
    requestId: text(key, debit[2], 'unanswered.requestId'),
    atMs: count(key, debit[3], 'unanswered.atMs'),
    lots: list(key, debit[4], 'unanswered.lots').map((value) => decodeLot(key, value)),
  };
}

/**
 * Returns the stored form of a ledger entry. Its lots lie in one list: id, credits, id, credits.
 */
export function encodeLedger({ entry, previous }: LedgerRow): unknown {
  const { wallet, number, kind, credits, balanceAfter, atMs, operation, requestId } = entry;
  const lots: number[] = [];
  for (const share of entry.lots) lots.push(share.lotId, share.credits);
  const kindIndex = LEDGER_KINDS.indexOf(kind);
  return [ROW_VERSION, wallet, number, kindIndex, credits, balanceAfter, atMs, operation, requestId, lots, previous];
}

/** Returns a ledger entry from its stored form, or throws the error that names the row. */
export function decodeLedger(key: string, raw: unknown): LedgerRow {
  const row = fields(key, raw, 11);
  const entry: LedgerEntry = {
    wallet: text(key, row[1], 'wallet') as WalletAddress,
    number: count(key, row[2], 'number'),
    kind: oneOf(key, LEDGER_KINDS, row[3], 'kind'),
    credits: count(key, row[4], 'credits'),
    balanceAfter: count(key, row[5], 'balanceAfter'),
    atMs: count(key, row[6], 'atMs'),
    operation: text(key, row[7], 'operation'),
    requestId: row[8] === null ? null : text(key, row[8], 'requestId'),
    lots: decodeShares(key, list(key, row[9], 'lots')),
  };
  return { entry, previous: count(key, row[10], 'previous') };
}

function decodeShares(key: string, flat: readonly unknown[]): readonly LotShare[] {
  const shares: LotShare[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    shares.push({ lotId: count(key, flat[i], 'lots.lotId'), credits: count(key, flat[i + 1], 'lots.credits') });
  }
  return shares;
}

/** Returns the stored form of a wallet's tokens. */
export function encodeTokens(set: TokenSet): unknown {
  return [
    ROW_VERSION,
    set.tokens.map(({ secretHash, issuedAtMs, scope, code }) => [
      secretHash,
      issuedAtMs,
      TOKEN_SCOPES.indexOf(scope),
      code,
    ]),
  ];
}

/** Returns a wallet's tokens from its stored form, or throws the error that names the row. */
export function decodeTokens(key: string, raw: unknown, wallet: WalletAddress): TokenSet {
  const tokens = list(key, fields(key, raw, 2)[1], 'tokens').map((value): TokenRecord => {
    const token = list(key, value, 'token');
    return {
      secretHash: text(key, token[0], 'secretHash'),
      issuedAtMs: count(key, token[1], 'issuedAtMs'),
      scope: oneOf(key, TOKEN_SCOPES, token[2], 'scope'),
      // Rows from before codes were kept have no fourth field: their promo tokens spend nothing.
      code: textOrNull(key, token[3] ?? null, 'code'),
    };
  });
  return { wallet, tokens };
}

/** Returns the stored form of a promo code. */
export function encodePromo(promo: Promo): unknown {
  const { credits, walletsMax, redeemed, createdAtMs, expiresAtMs, revokedAtMs, sealed } = promo;
  const row = [ROW_VERSION, credits, walletsMax, redeemed, createdAtMs, expiresAtMs, revokedAtMs];
  return sealed === undefined ? row : [...row, sealed];
}

/** Returns a promo code from its stored form, or throws the error that names the row. */
export function decodePromo(key: string, raw: unknown, code: string): Promo {
  const row = fields(key, raw, 8, 1);
  return {
    code,
    ...(row[7] === undefined ? {} : { sealed: text(key, row[7], 'sealed') }),
    credits: count(key, row[1], 'credits'),
    walletsMax: count(key, row[2], 'walletsMax'),
    redeemed: count(key, row[3], 'redeemed'),
    createdAtMs: count(key, row[4], 'createdAtMs'),
    expiresAtMs: count(key, row[5], 'expiresAtMs'),
    revokedAtMs: row[6] === null ? null : count(key, row[6], 'revokedAtMs'),
  };
}

/** Returns the stored form of a redemption. */
export function encodeRedemption(redemption: Redemption): unknown {
  return [ROW_VERSION, redemption.atMs];
}

/** Returns a redemption from its stored form, or throws the error that names the row. */
export function decodeRedemption(key: string, raw: unknown, code: string, wallet: WalletAddress): Redemption {
  return { code, wallet, atMs: count(key, fields(key, raw, 2)[1], 'atMs') };
}

/** Returns the stored form of a stored answer. */
export function encodeAnswer(answer: StoredAnswer): unknown {
  return [ROW_VERSION, answer.fingerprint, answer.body, answer.expiresAtMs];
}

/** Returns a stored answer from its stored form, or throws the error that names the row. */
export function decodeAnswer(rowKey: string, raw: unknown, key: AnswerKey): StoredAnswer {
  const row = fields(rowKey, raw, 4);
  return {
    ...key,
    fingerprint: text(rowKey, row[1], 'fingerprint'),
    body: text(rowKey, row[2], 'body'),
    expiresAtMs: count(rowKey, row[3], 'expiresAtMs'),
  };
}
