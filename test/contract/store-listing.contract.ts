import { expect } from 'chai';
import { grantLot } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { SettlementProof } from '#domain/payment/proof';
import type { Cursor, RowsPage, Store, StoreListing, Writes } from '#ports/store';
import { samplePayment } from './support/sample-payment.js';
import { walletNumber } from './support/wallet-number.js';

const TX = `0x${'cd'.repeat(32)}`;
const [A, B, C] = [1, 2, 3].map(walletNumber) as [WalletAddress, WalletAddress, WalletAddress];

type Kind = Exclude<keyof StoreListing, 'entriesOf' | 'written'>;

const write = (store: Store, writes: Writes) =>
  store.transact(
    { ...(writes.payment && { payment: writes.payment.key }), ...(writes.change && { account: A }) },
    () => ({ writes, result: null }),
  );

function give(store: Store, wallet: WalletAddress, credits: number): Promise<number> {
  return store.transact({ account: wallet }, ({ account }) => {
    const lot = { kind: 'grant' as const, credits, expiresAtMs: 1_800_000_000_000, source: 'listing' };
    const cause = { operation: 'give', requestId: null, atMs: 1_700_000_000_000 };
    const change = grantLot(account ?? emptyAccount(wallet), lot, cause);
    return { writes: { change }, result: change.account.lastEntry };
  });
}

/** Reads a listing to its end and returns its pages, none of which may have a fault. */
async function pagesOf<Row>(
  read: (from: Cursor, limit: number) => Promise<RowsPage<Row>>,
  limit: number,
): Promise<readonly (readonly Row[])[]> {
  const pages: (readonly Row[])[] = [];
  let from: Cursor = null;
  do {
    const page: RowsPage<Row> = await read(from, limit);
    expect(page.faults).to.deep.equal([]);
    expect(page.items.length).to.be.at.most(limit);
    pages.push(page.items);
    from = page.next;
  } while (from !== null);
  return pages;
}

const everything = async <Row>(read: (from: Cursor, limit: number) => Promise<RowsPage<Row>>) =>
  (await pagesOf(read, 2)).flat();

const byText = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row, digitsOfBig)).toSorted();
const digitsOfBig = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

/**
 * What the listing of every engine behind the Store port has to do. To be called inside a suite
 * that opens the store.
 */
export function describeStoreListing(openedStore: () => Store): void {
  describe('lists everything', () => {
    let store: Store;
    beforeEach(() => {
      store = openedStore();
    });

    const settled = (n: number, proof: SettlementProof | null, from: WalletAddress): PaymentRow =>
      samplePayment(n, { state: 'SETTLED', transaction: TX, open: false, body: '{}', proof }, from);

    it('and finds nothing of any kind in the beginning', async () => {
      const kinds: readonly Kind[] = [
        ...(['accounts', 'entries', 'tokenSets', 'promos', 'redemptions'] as const),
        ...(['answers', 'payments', 'transfers', 'walletExposures'] as const),
      ];
      for (const kind of kinds) {
        expect(await store.listing[kind](null, 10), kind).to.deep.equal({ items: [], faults: [], next: null });
      }
      expect(await store.listing.entriesOf(A, null, 10)).to.deep.equal({ items: [], faults: [], next: null });
    });

    it('of accounts and their ledgers, page by page, a ledger from its newest entry back', async () => {
      for (const [n, wallet] of [A, B, A, C, A, A, A].entries()) await give(store, wallet, n + 1);
      const accounts = await everything(store.listing.accounts);
      expect(byText(accounts)).to.deep.equal(byText(await Promise.all([A, B, C].map((one) => store.account(one)))));
      const numbers = await pagesOf((from, limit) => store.listing.entriesOf(A, from, limit), 2);
      expect(numbers.map((page) => page.map(({ number }) => number))).to.deep.equal([[5, 4], [3, 2], [1]]);
      const back = (await everything((from, limit) => store.listing.entriesOf(A, from, limit))).toReversed();
      expect(back).to.deep.equal(await store.ledger(A, 10));
      expect(byText(await everything(store.listing.entries))).to.deep.equal(
        byText((await store.entries(null, 10)).items),
      );
    });

    it('of tokens, codes and who redeemed them, and answers of every scope', async () => {
      const tokens = [A, B, C].map((wallet) => ({
        wallet,
        tokens: [{ secretHash: 'ab'.repeat(32), issuedAtMs: 1, scope: 'promo' as const, code: 'SPRING' }],
      }));
      const promos = ['SPRING', 'hmac:ab', 'SUMMER'].map((code) => ({
        ...{ code, credits: 5, walletsMax: 9, redeemed: 1, createdAtMs: 1 },
        ...{ expiresAtMs: 1_800_000_000_000, revokedAtMs: null },
      }));
      const redemptions = promos.flatMap(({ code }) => [A, B].map((wallet) => ({ code, wallet, atMs: 7 })));
      const answers = [null, 'SPRING', 'hmac:ab'].flatMap((code) =>
        [A, B].map((wallet) => ({ wallet, code, key: 'k/ü#1', fingerprint: 'f', body: '{"a":1}', expiresAtMs: 5 })),
      );
      for (const one of tokens) await write(store, { tokens: one });
      for (const promo of promos) await write(store, { promo });
      for (const redemption of redemptions) await write(store, { redemption });
      for (const answer of answers) await write(store, { answer });
      expect(byText(await everything(store.listing.tokenSets))).to.deep.equal(byText(tokens));
      expect(byText(await everything(store.listing.promos))).to.deep.equal(byText(promos));
      expect(byText(await everything(store.listing.redemptions))).to.deep.equal(byText(redemptions));
      expect(byText(await everything(store.listing.answers))).to.deep.equal(byText(answers));
    });

    it('of payments, beside what other listings have of each', async () => {
      const proven = { kind: 'proven', transaction: TX, blockNumber: 8, isFinal: true } as const;
      const rows = [
        samplePayment(1, { state: 'CLAIMED' }),
        settled(2, { ...proven, logIndex: 5 }, A),
        settled(3, { ...proven, logIndex: 6, isFinal: false }, A),
        settled(4, { kind: 'unproven', facilitator: 'f', sinceMs: 7 }, A),
        settled(5, { kind: 'refuted', facilitator: 'g', reason: 'no', atMs: 9 }, B),
        samplePayment(6, { state: 'FAILED', open: false, failReason: 'no' }),
      ];
      for (const payment of rows) await write(store, { payment });
      const indexes = (await everything(store.listing.payments)).toSorted(
        (a, b) => a.row.createdAtMs - b.row.createdAtMs,
      );
      expect(indexes.map(({ row }) => row)).to.deep.equal(rows);
      expect(indexes.map(({ openPayment }) => openPayment?.state ?? null)).to.deep.equal([
        'CLAIMED',
        ...[null, null, null, null, null],
      ]);
      expect(indexes[0]!.openPayment).to.deep.equal((await store.openPaymentsFor('x', null, 10)).items[0]);
      expect(indexes.map(({ isUnchecked }) => isUnchecked)).to.deep.equal([false, false, true, true, false, false]);
      const keys = rows.map(({ key }) => key);
      const transfersOf = indexes.map(({ transferOf }) => transferOf);
      expect(transfersOf).to.deep.equal([null, keys[1], keys[2], null, null, null]);
      expect(byText(await everything(store.listing.transfers))).to.deep.equal(
        byText([5, 6].map((logIndex, i) => ({ transaction: TX, logIndex, payment: keys[i + 1] }))),
      );
      const none = { unprovenMicros: 0n, refutedMicros: 0n, lastRefutedAtMs: null };
      const owed = (await everything(store.listing.walletExposures)).filter(
        ({ exposure }) => exposure.unprovenMicros + exposure.refutedMicros > 0n,
      );
      expect(byText(owed)).to.deep.equal(
        byText([
          { wallet: A, exposure: { ...none, unprovenMicros: 20_000n } },
          { wallet: B, exposure: { ...none, refutedMicros: 20_000n, lastRefutedAtMs: 9 } },
        ]),
      );
    });

    it('and keeps what stays while rows come and go between its pages', async () => {
      for (let n = 1; n <= 6; n++) await write(store, { payment: samplePayment(n, { state: 'CLAIMED' }) });
      const first = await store.listing.payments(null, 3);
      const [one, , three] = first.items.map(({ row }) => row.key);
      await write(store, { removedPayment: one! });
      await write(store, { removedPayment: three! });
      const rest = await store.listing.payments(first.next, 10);
      expect(rest.items.map(({ row }) => row)).to.deep.equal(
        [4, 5, 6].map((n) => samplePayment(n, { state: 'CLAIMED' })),
      );
    });
  });
}
