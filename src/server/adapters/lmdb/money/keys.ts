import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { TransferPosition } from '#domain/payment/proof';
import type { AnswerKey } from '#ports/store';

export const PROMOS = 'promo/';
export const ANSWERS = 'answer/';
export const PAYMENTS = 'payment/';
/** One key for each payment whose row says `open`; written in the row's own transaction. */
export const OPEN_PAYMENTS = 'open-payment/';
/** One key for each settled payment that the chain has still to be asked about; likewise. */
export const UNCHECKED_PAYMENTS = 'unchecked-payment/';
/** One key for each kept answer, by when it expires; likewise. */
export const EXPIRING_ANSWERS = 'expiring-answer/';
/** One key for each settled payment whose answer is kept, by when it was settled; likewise. */
export const ANSWERED_PAYMENTS = 'answered-payment/';
export const FACILITATOR_EXPOSURES = 'exposure/facilitator/';
export const WALLET_EXPOSURES = 'exposure/wallet/';
export const ACCOUNTS = 'account/';
export const TOKENS = 'tokens/';
export const REDEMPTIONS = 'redemption/';
export const TRANSFERS = 'transfer/';
export const LEASES = 'lease/';
export const LEDGER = 'ledger/';

/** Longest Idempotency-Key that is stored. LMDB's keys end at 1 978 bytes. */
const ANSWER_KEY_LENGTH_MAX = 255;

/** Digits of a ledger position or a moment; with leading zeros, texts sort like the numbers. */
const DIGITS = 15;
const WALLET_LENGTH = 42;

/**
 * Keys of the rows, each named by what it is found with. A ledger position counts the entries of
 * all wallets from 1.
 */
export const accountKey = (wallet: WalletAddress): string => `${ACCOUNTS}${wallet}`;
export const tokensKey = (wallet: WalletAddress): string => `${TOKENS}${wallet}`;
export const promoKey = (code: string): string => `${PROMOS}${code}`;
export const redemptionsOf = (code: string): string => `${REDEMPTIONS}${code}/`;
export const redemptionKey = (code: string, wallet: WalletAddress): string => `${redemptionsOf(code)}${wallet}`;
export const ledgerKey = (position: number): string => `${LEDGER}${sortable(position)}`;
export const paymentRowKey = (key: PaymentKey): string => `${PAYMENTS}${key}`;
export const openPaymentKey = (key: PaymentKey): string => `${OPEN_PAYMENTS}${key}`;
export const uncheckedPaymentKey = (key: PaymentKey): string => `${UNCHECKED_PAYMENTS}${key}`;
export const facilitatorExposureKey = (facilitator: string): string => `${FACILITATOR_EXPOSURES}${facilitator}`;
export const walletExposureKey = (wallet: WalletAddress): string => `${WALLET_EXPOSURES}${wallet}`;
export const transferKey = ({ transaction, logIndex }: Pick<TransferPosition, 'transaction' | 'logIndex'>): string =>
  `${TRANSFERS}${transaction}:${logIndex}`;
export const leaseKey = (id: string): string => `${LEASES}${id}`;
/** What all keys of an index by time begin with that stand for this millisecond. */
export const momentKey = (prefix: string, atMs: number): string => `${prefix}${sortable(atMs)}/`;

/**
 * Returns the key of a stored answer: `answer/WALLET/KEY`, and `answer/WALLET#CODE/KEY` for what a
 * promo token bought. Throws a RangeError if the Idempotency-Key is too long to be one.
 */
export function answerKey({ wallet, code, key }: AnswerKey): string {
  if (key.length === 0 || key.length > ANSWER_KEY_LENGTH_MAX) {
    throw new RangeError(`an Idempotency-Key has 1 to ${ANSWER_KEY_LENGTH_MAX} characters, not ${key.length}`);
  }
  return `${ANSWERS}${wallet}${code === null ? '' : `#${code}`}/${key}`;
}

/** Returns what the key of a stored answer names. A code has no `/`, so the first one ends it. */
export function partsOfAnswerKey(rowKey: string): AnswerKey {
  const at = ANSWERS.length + WALLET_LENGTH;
  const slash = rowKey.indexOf('/', at);
  const code = slash === at ? null : rowKey.slice(at + 1, slash);
  return { wallet: rowKey.slice(ANSWERS.length, at) as WalletAddress, code, key: rowKey.slice(slash + 1) };
}

/** Returns which payment a key of an index of payments is about. */
export function paymentOfIndexKey(indexKey: string, prefix: string): PaymentKey {
  return indexKey.slice(prefix.length) as PaymentKey;
}

/**
 * The range of the open payments of this payment's payer: a payment's key ends with its nonce,
 * behind a colon.
 */
export function openOfPayerRange(key: PaymentKey): { readonly start: string; readonly end: string } {
  const start = openPaymentKey(key).slice(0, key.lastIndexOf(':') - key.length);
  return { start: `${start}:`, end: `${start};` };
}

/** The one-entry range that holds the newest ledger position, backwards. */
export const NEWEST_POSITION = { start: `${LEDGER}~`, end: LEDGER, reverse: true, limit: 1 } as const;

/** Returns what follows the moment in a key of an index by time. */
export function behindMoment(indexKey: string, prefix: string): string {
  return indexKey.slice(prefix.length + DIGITS + 1);
}

function sortable(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** Returns the position out of a ledger key. */
export function positionOf(key: string): number {
  return Number(key.slice(LEDGER.length));
}
