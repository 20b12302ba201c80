import type { Account, LedgerEntry } from '#domain/credits/credits';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { settled, TX, write } from './sound-store.js';

/** A store that cannot be right, and the words that tell so. */
export interface PlantedFault {
  readonly name: string;
  readonly plant: (store: Store) => Promise<unknown>;
  readonly where: string;
  readonly what: string;
  /** An engine whose tables refuse it. */
  readonly isRefused?: 'PostgreSQL';
}

const W = walletNumber(1);

/** Changes the account behind the back of its ledger. */
const account = (store: Store, change: (account: Account) => Account) =>
  store.transact({ account: W }, (rows) => ({
    writes: { change: { account: change(rows.account!), entries: [] } },
    result: null,
  }));

/** Appends an entry that is almost right: a debit of 2 credits from the first lot. */
const entry = (store: Store, change: (entry: LedgerEntry) => LedgerEntry, after = (account: Account) => account) =>
  store.transact({ account: W }, (rows) => {
    const { lots, lastEntry, unanswered } = rows.account!;
    const [first, ...others] = lots;
    const left = [{ ...first!, remaining: first!.remaining - 2 }, ...others];
    const sound: LedgerEntry = {
      wallet: W,
      number: lastEntry + 1,
      kind: 'debit',
      credits: 2,
      balanceAfter: left.reduce((sum, { remaining }) => sum + remaining, 0),
      atMs: 1,
      operation: 'planted',
      requestId: null,
      lots: [{ lotId: first!.id, credits: 2 }],
    };
    const written = change(sound);
    const changed = after({ wallet: W, lastEntry: written.number, lots: left, unanswered });
    return { writes: { change: { account: changed, entries: [written] } }, result: null };
  });

const payment = (row: PaymentRow) => (store: Store) => write(store, { payment: row });
const wallet = `wallet ${W}`;
const paymentOf = (n: number) => `payment ${samplePayment(n).key}`;

/** One for each rule of the ledger, of codes, tokens and payments that rows alone can break. */
export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'a lot that lost a credit',
    plant: (store) =>
      account(store, (one) => ({
        ...one,
        lots: one.lots.map((lot, i) => (i === 0 ? { ...lot, remaining: lot.remaining - 1 } : lot)),
      })),
    where: wallet,
    what: 'and its lots hold',
  },
  {
    name: 'a lot that holds more than was given',
    plant: (store) =>
      account(store, (one) => ({
        ...one,
        lots: one.lots.map((lot, i) => (i === 0 ? { ...lot, credits: 99, remaining: 99 } : lot)),
      })),
    where: wallet,
    what: 'is not as its entry gave it',
  },
  {
    name: 'a lot that nobody gave',
    plant: (store) => account(store, (one) => ({ ...one, lots: [...one.lots, { ...one.lots.at(-1)!, id: 2 }] })),
    where: wallet,
    what: 'lot 2 was never given',
  },
  {
    name: 'a wrong balance in an entry',
    plant: (store) => entry(store, (one) => ({ ...one, balanceAfter: one.balanceAfter + 7 })),
    where: wallet,
    what: 'says balance',
  },
  {
    name: 'a gap in the numbers',
    plant: (store) => entry(store, (one) => ({ ...one, number: one.number + 1 })),
    where: wallet,
    what: 'is in the place of entry',
  },
  {
    name: 'an entry whose shares are not its credits',
    plant: (store) => entry(store, (one) => ({ ...one, lots: [{ ...one.lots[0]!, credits: 1 }] })),
    where: wallet,
    what: 'and its shares of lots of 1',
  },
  {
    name: 'a refund of more than was taken',
    plant: (store) =>
      entry(
        store,
        (one) => ({
          ...one,
          kind: 'refund',
          credits: 50,
          balanceAfter: one.balanceAfter + 52,
          lots: [{ ...one.lots[0]!, credits: 50 }],
        }),
        (one) => ({
          ...one,
          lots: one.lots.map((lot, i) => (i === 0 ? { ...lot, credits: 90, remaining: lot.remaining + 52 } : lot)),
        }),
      ),
    where: wallet,
    what: 'were given',
  },
  {
    name: 'an entry that the account does not know of',
    plant: (store) =>
      entry(
        store,
        (one) => one,
        (one) => ({ ...one, lastEntry: one.lastEntry - 1 }),
      ),
    where: wallet,
    what: 'its account ends with entry',
  },
  {
    name: 'a code that counted another number of wallets',
    plant: async (store) => write(store, { promo: { ...(await store.promo('SPRING'))!, redeemed: 3 } }),
    where: 'promo SPRING',
    what: 'it says 3 redemptions, and there are 2',
  },
  {
    name: 'a code that gave to more wallets than it may',
    plant: async (store) => write(store, { promo: { ...(await store.promo('SPRING'))!, walletsMax: 1 } }),
    where: 'promo SPRING',
    what: '2 wallets redeemed it, and 1 may',
    isRefused: 'PostgreSQL',
  },
  {
    name: 'a redemption of no code',
    plant: (store) => write(store, { redemption: { code: 'NOBODY', wallet: W, atMs: 1 } }),
    where: `redemption of NOBODY by ${W}`,
    what: 'there is no such code',
  },
  {
    name: 'six tokens of one scope',
    plant: (store) =>
      write(store, {
        tokens: {
          wallet: W,
          tokens: Array.from({ length: 6 }, (_, n) => ({
            secretHash: n.toString(16).padStart(64, 'a'),
            issuedAtMs: 1,
            scope: 'purchase' as const,
            code: null,
          })),
        },
      }),
    where: `tokens of ${W}`,
    what: '6 of scope purchase are valid, and 5 may be',
  },
  {
    name: 'a settled payment without a transaction',
    plant: payment({ ...settled(5, null), transaction: null }),
    where: paymentOf(5),
    what: 'it is SETTLED by no transaction',
  },
  {
    name: 'a settled payment that is open',
    plant: payment({ ...settled(10, null), open: true }),
    where: paymentOf(10),
    what: 'it is SETTLED, and open',
  },
  {
    name: 'a failed payment with a transaction',
    plant: payment(samplePayment(4, { state: 'FAILED', failReason: 'no', open: false, transaction: TX })),
    where: paymentOf(4),
    what: 'has what only a settled payment has',
  },
  {
    name: 'a payment of another amount than was signed',
    plant: payment({ ...samplePayment(2), demand: { ...samplePayment(2).demand, amountMicros: 1n } }),
    where: paymentOf(2),
    what: '20000 micro-USDC were signed, and 1 demanded',
  },
  {
    name: 'one transfer that is the proof of two payments',
    plant: payment(settled(20, { kind: 'proven', transaction: TX, blockNumber: 8, logIndex: 5, isFinal: true })),
    where: paymentOf(5),
    what: `its transfer is the proof of ${samplePayment(20).key}`,
    isRefused: 'PostgreSQL',
  },
  {
    name: 'a transfer of no payment',
    plant: async (store) => {
      await payment(settled(21, { kind: 'proven', transaction: TX, blockNumber: 8, logIndex: 21, isFinal: true }))(
        store,
      );
      await write(store, { removedPayment: samplePayment(21).key });
    },
    where: `transfer ${TX}:21`,
    what: 'which is not there',
  },
];
