import type { Change } from '#domain/credits/credit-changes';
import type { Account, LedgerEntry } from '#domain/credits/credits';
import type { Promo, Redemption } from '#domain/credits/promo';
import type { TokenSet } from '#domain/credits/token';
import type { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { MaybePromise } from '#domain/maybe-promise';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentOwner, PaymentRow } from '#domain/payment/payment-row';
import type { Exposure, Exposures, TransferPosition } from '#domain/payment/proof';
import type { Leases } from './leases.js';

/**
 * Names a kept answer. Promo tokens can be had for any wallet by anyone, so each has answers of its
 * own: what a purchase token bought is not repeated to a promo token, nor the other way round.
 */
export interface AnswerKey {
  readonly wallet: WalletAddress;
  /**
   * The code of the promo token that bought it; null for purchase tokens. Other scopes are in lower
   * case.
   */
  readonly code: string | null;
  /** The caller's Idempotency-Key, 1 to 255 characters. */
  readonly key: string;
}

/**
 * A paid answer, kept so that a repeat with the same Idempotency-Key gets the same bytes and is not
 * charged.
 */
export interface StoredAnswer extends AnswerKey {
  /** Names the request that was answered; another request with the same key is a conflict. */
  readonly fingerprint: string;
  readonly body: string;
  /** From this moment on the answer is as good as gone. */
  readonly expiresAtMs: number;
}

/**
 * Names the rows that one transaction reads. What is not named here is null in `Rows` and must not
 * be written.
 */
export interface RowKeys {
  readonly account?: WalletAddress;
  readonly tokens?: WalletAddress;
  readonly promo?: string;
  readonly redemption?: { readonly code: string; readonly wallet: WalletAddress };
  readonly answer?: AnswerKey | undefined;
  /**
   * The names of a purchase: answers whose body is the key of the payment that was made under it. Of
   * a debit: what its answer is kept under beside `answer`.
   */
  readonly purchases?: readonly AnswerKey[];
  readonly payment?: PaymentKey;
  /** Other payments, as they stand while this one is decided on. */
  readonly others?: readonly PaymentKey[] | undefined;
  /** Whether the transfer at this place is the proof of a payment already. */
  readonly transfer?: Pick<TransferPosition, 'transaction' | 'logIndex'> | undefined;
  /** What was given out on the word of this facilitator, and to this wallet. */
  readonly exposure?: { readonly facilitator: string; readonly wallet: WalletAddress } | undefined;
  /** Finds an open payment as a listing shows it, which is cheaper than its row. */
  readonly openPayment?: PaymentKey;
  /** Lists the open payments of this payment's payer, without those that are FAILED. */
  readonly openOfPayerOf?: PaymentKey;
}

/** A payment that somebody has to be at work on, as a listing shows it. */
export interface OpenPayment
  extends PaymentOwner,
    Pick<PaymentRow, 'key' | 'state' | 'createdAtMs' | 'isSignedByKey'> {}

/** The rows as they stand inside the transaction; null if there is none. */
export interface Rows {
  readonly account: Account | null;
  readonly tokens: TokenSet | null;
  readonly promo: Promo | null;
  readonly redemption: Redemption | null;
  readonly answer: StoredAnswer | null;
  /** As they were named; null where there is none. */
  readonly purchases: readonly (StoredAnswer | null)[];
  readonly payment: PaymentRow | null;
  /** As they were named; null where there is none. */
  readonly others: readonly (OwnedPayment | null)[];
  /** The payment that the transfer is the proof of. */
  readonly transfer: PaymentKey | null;
  /** The sums of the rows as they stand; null only if they were not named. */
  readonly exposure: Exposures | null;
  readonly openPayment: OpenPayment | null;
  /**
   * Whether the owner of `payment`, or of `openPayment`, holds its lease, by the clock of the
   * store.
   */
  readonly isOwnerAlive: boolean;
  /** The payment itself included; no more than any payer may have. FAILED ones are only watched. */
  readonly openOfPayer: readonly OpenPayment[];
}

/** The rows to write, whole. What is absent stays as it is. */
export interface Writes {
  /**
   * An account and the ledger entries to append to it; they go together, so that the ledger always
   * explains the balance. The account that was read, and no entries: nothing is written.
   */
  readonly change?: Change;
  readonly tokens?: TokenSet;
  readonly promo?: Promo;
  readonly redemption?: Redemption;
  readonly answer?: StoredAnswer;
  readonly purchases?: readonly StoredAnswer[];
  /** Exposures and the places of proven transfers follow from the row, and are written with it. */
  readonly payment?: PaymentRow;
  /** Removes that a transfer is the proof of this payment, unless it is another's by now. */
  readonly leftTransfer?: ProvenTransfer;
  /** Removes the row of this payment. */
  readonly removedPayment?: PaymentKey;
}

/** How a change is made. */
interface ChangeOptions {
  /**
   * false: resolves as soon as every process sees the change, which a failing machine may forget.
   * For what is worth nothing once all processes are gone: claims and leases.
   */
  readonly durable?: boolean;
}

/** What a transaction shall write, and what its caller gets once that is done. */
export interface Decision<T> {
  readonly writes: Writes;
  readonly result: T;
}

/**
 * Where the next page of a listing starts; null: from the beginning, or nothing is left. Opaque to
 * callers.
 */
export type Cursor = string | null;

/** What a look for rows that are due removed. */
export interface Swept {
  readonly removed: number;
  /** Whether as many were due as one look takes: then more may be. */
  readonly isMore: boolean;
}

/** A page of a listing. */
export interface RowsPage<Row> {
  readonly items: readonly Row[];
  /**
   * One for each such row of this page that cannot be understood; it names the row. The others are
   * not held up by it.
   */
  readonly faults: readonly OutsideError[];
  readonly next: Cursor;
}

/** A page of payments. */
export type PaymentsPage = RowsPage<PaymentRow>;

/** A payment beside what follows from its row, all as it stands at one moment. */
export interface PaymentIndexes {
  readonly row: PaymentRow;
  /** What `openPaymentsFor` shows of it; null: it is not among the open ones. */
  readonly openPayment: OpenPayment | null;
  /** Whether `uncheckedPayments` finds it. */
  readonly isUnchecked: boolean;
  /**
   * Which payment its transfer is the proof of; null: of none, or the row has no proven transfer.
   */
  readonly transferOf: PaymentKey | null;
}

/** A transfer that is the proof of a payment. */
export interface ProvenTransfer extends Pick<TransferPosition, 'transaction' | 'logIndex'> {
  readonly payment: PaymentKey;
}

/** What was given out to a wallet on facilitators' words. */
interface WalletExposure {
  readonly wallet: WalletAddress;
  readonly exposure: Exposure;
}

/**
 * All rows of a store, kind by kind, at most `limit` per page, for those who check or copy it; also
 * while others write. Every row that stays is in one page, what comes or goes meanwhile may be.
 * Each kind has an order of its own, which never changes and has no meaning.
 */
export interface StoreListing {
  accounts(from: Cursor, limit: number): Promise<RowsPage<Account>>;
  /**
   * Newest first. Behind an entry that cannot be understood an engine may not find the older ones.
   */
  entriesOf(wallet: WalletAddress, from: Cursor, limit: number): Promise<RowsPage<LedgerEntry>>;
  /** Of all wallets, also those that no account leads to. */
  entries(from: Cursor, limit: number): Promise<RowsPage<LedgerEntry>>;
  tokenSets(from: Cursor, limit: number): Promise<RowsPage<TokenSet>>;
  promos(from: Cursor, limit: number): Promise<RowsPage<Promo>>;
  /** Of all codes. */
  redemptions(from: Cursor, limit: number): Promise<RowsPage<Redemption>>;
  /** Expired ones as well. */
  answers(from: Cursor, limit: number): Promise<RowsPage<StoredAnswer>>;
  payments(from: Cursor, limit: number): Promise<RowsPage<PaymentIndexes>>;
  transfers(from: Cursor, limit: number): Promise<RowsPage<ProvenTransfer>>;
  walletExposures(from: Cursor, limit: number): Promise<RowsPage<WalletExposure>>;
  /**
   * All rows, whatever they are, as they were written. null: the engine looks after its bytes and
   * indexes itself.
   */
  readonly written: ((from: Cursor, limit: number) => Promise<RowsPage<WrittenRow>>) | null;
}

/** What can be said of a row without understanding it. */
export interface WrittenRow {
  /** Rows of an earlier version have none until they change. */
  readonly hasChecksum: boolean;
}

/** A payment as it stands, and whether its owner is. */
export interface OwnedPayment {
  readonly row: PaymentRow;
  readonly isOwnerAlive: boolean;
}

/** A database that follows the one of the store. */
export interface Standby {
  readonly name: string;
  /** As PostgreSQL names it: `async`, `potential`, `sync` or `quorum`. */
  readonly syncState: string;
}

/** How busy this process keeps a store. */
export interface StoreLoad {
  readonly engine: 'embedded' | 'postgresql';
  /** Changes that wait for a transaction. */
  readonly changesWaiting: number;
  /** For how long the oldest of them has waited; null: none waits. */
  readonly oldestWaitMs: number | null;
  /** Connections of this process to its server; null: there is none. */
  readonly connections: { readonly open: number; readonly busy: number } | null;
  /** null: it can have none, or they are not known. */
  readonly standbys: readonly Standby[] | null;
}

/**
 * Durable rows of credits and payments. The rules live in the `decide` functions that callers
 * bring, so every engine carries the same ones. Every method rejects with an OutsideError: `final`
 * for a row that cannot be understood (the text names it), `retryable` where nothing was written
 * (too many waiting, closed), `unknown` where a write may have survived.
 */
export interface Store {
  /**
   * Reads the rows, lets `decide` choose, writes what it chose: atomically, and one after the other
   * for the same row. `decide` must be synchronous, pure and fast: it runs under the write lock,
   * and an engine may run it again. Resolves only when the change is on disk, unless the options
   * say otherwise. If `decide` throws, nothing is written and the error comes out here.
   */
  transact<T>(keys: RowKeys, decide: (rows: Rows) => Decision<T>, options?: ChangeOptions): Promise<T>;

  account(wallet: WalletAddress): Promise<Account | null>;
  /** Asked with every call. */
  tokens(wallet: WalletAddress): MaybePromise<TokenSet | null>;
  /** Expired answers may still be there; the caller looks at `expiresAtMs`. */
  answer(key: AnswerKey): Promise<StoredAnswer | null>;
  payment(key: PaymentKey): Promise<PaymentRow | null>;
  /**
   * Payments whose row says `open`, at most `limit` per page, found without looking at the others.
   * What is opened while the pages are read may be missed.
   */
  openPayments(from: Cursor, limit: number): Promise<PaymentsPage>;
  /**
   * All payments, in the order of their keys, which has no meaning: for operators, who look for
   * some.
   */
  payments(from: Cursor, limit: number): Promise<PaymentsPage>;
  /**
   * Settled payments that the chain has still to be asked about (`isToBeChecked`), in the same way.
   */
  uncheckedPayments(from: Cursor, limit: number): Promise<PaymentsPage>;
  /**
   * What was given out on facilitators' words, by their names; a facilitator without any may be
   * left out.
   */
  exposures(): Promise<ReadonlyMap<string, Exposure>>;
  /**
   * Of the open payments those that belong to this owner, and those whose owner holds no lease; of
   * up to `limit` open ones from the cursor on. Cheaper than reading them.
   */
  openPaymentsFor(
    owner: string,
    from: Cursor,
    limit: number,
  ): Promise<{ readonly items: readonly OpenPayment[]; readonly next: Cursor }>;
  /**
   * Reads many payments at one moment. What is not there, or cannot be understood, is left out.
   */
  ownedPayments(keys: readonly PaymentKey[]): Promise<readonly OwnedPayment[]>;
  /** Which processes are at work on this store. */
  readonly leases: Leases;
  /** Everything, for those who check or copy it. */
  readonly listing: StoreListing;
  /** A code by its name, or null. */
  promo(code: string): Promise<Promo | null>;
  /** All codes ever made, by name. */
  promos(): Promise<readonly Promo[]>;
  /** That a wallet redeemed a code, or null. */
  redemption(code: string, wallet: WalletAddress): Promise<Redemption | null>;
  /** Wallets that redeemed a code, at most `limit` per page. */
  redemptions(
    code: string,
    from: Cursor,
    limit: number,
  ): Promise<{ readonly items: readonly Redemption[]; readonly next: Cursor }>;
  /** The newest `limit` ledger entries of a wallet, in the order in which they happened. */
  ledger(wallet: WalletAddress, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * The ledger entries of all wallets, in the order in which they happened, at most `limit` per
   * page.
   */
  entries(from: Cursor, limit: number): Promise<{ readonly items: readonly LedgerEntry[]; readonly next: Cursor }>;

  /**
   * Removes up to `limit` expired answers, the oldest first, without a look at the others. One that
   * cannot be understood is left.
   */
  sweepAnswers(nowMs: number, limit: number): Promise<Swept>;
  /**
   * Removes the answers and bodies of up to `limit` payments that were settled before this moment,
   * likewise. The rows stay.
   */
  trimPayments(settledBeforeMs: number, limit: number): Promise<Swept>;

  /** How busy it is now. */
  load(): StoreLoad;
  /** Resolves when the store can be read and a change has come to disk. */
  ping(): Promise<void>;
  /** Lets running transactions finish, flushes and closes. Later calls of other methods reject. */
  close(): Promise<void>;
}
