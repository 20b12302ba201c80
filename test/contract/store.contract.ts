import { expect } from 'chai';
import fc from 'fast-check';
import { grantLot } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import type { Promo } from '#domain/credits/promo';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { SettlementProof } from '#domain/payment/proof';
import type { Cursor, PaymentsPage, Store, StoredAnswer, Swept } from '#ports/store';
import { rejectionOf } from '#test/support/promises';
import { describeStoreDoors } from './store-doors.contract.js';
import { describeStoreListing } from './store-listing.contract.js';
import { samplePayment } from './support/sample-payment.js';
import { walletNumber } from './support/wallet-number.js';

/**
 * Where an engine keeps one test's rows. Opening it again, also at the same time, finds the same
 * rows.
 */
export interface StoreFixture {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export { walletNumber };

const [A, B] = [walletNumber(0xa), walletNumber(0xb)];

const promo = (code: string, redeemed = 0): Promo => ({
  code,
  credits: 5,
  walletsMax: 10_000,
  redeemed,
  createdAtMs: 1,
  expiresAtMs: 1_800_000_000_000,
  revokedAtMs: null,
});

const answer = (key: string, expiresAtMs: number, code: string | null = null): StoredAnswer => ({
  wallet: A,
  code,
  key,
  fingerprint: `f-${key}`,
  body: `{"said":"${key} …"}`,
  expiresAtMs,
});

/** Gives credits and returns the balance afterwards; each grant is one ledger entry. */
function give(store: Store, wallet: WalletAddress, credits: number): Promise<number> {
  return store.transact({ account: wallet }, ({ account }) => {
    const change = grantLot(
      account ?? emptyAccount(wallet),
      { kind: 'grant', credits, expiresAtMs: 1_800_000_000_000, source: 'contract' },
      { operation: `give ${credits}`, requestId: `r-${credits}`, atMs: 1_700_000_000_000 },
    );
    return { writes: { change }, result: change.entries.at(-1)?.balanceAfter ?? 0 };
  });
}

const TX = `0x${'cd'.repeat(32)}`;
const unproven = (facilitator: string): SettlementProof => ({ kind: 'unproven', facilitator, sinceMs: 7 });
const proven = (logIndex: number) =>
  ({ kind: 'proven', transaction: TX, blockNumber: 8, logIndex, isFinal: true }) as const;
const refuted = (facilitator: string): SettlementProof => ({
  kind: 'refuted',
  facilitator,
  reason: 'authorization_expired',
  atMs: 9,
});

function settledPayment(n: number, proof: SettlementProof | null, from?: WalletAddress): PaymentRow {
  return samplePayment(n, { state: 'SETTLED', transaction: TX, open: false, proof }, from);
}

/** Unproven and refuted micro-USDC of a facilitator, and of a wallet. */
async function sums(store: Store, facilitator: string, wallet: WalletAddress): Promise<readonly bigint[]> {
  const read = await store.transact({ exposure: { facilitator, wallet } }, ({ exposure }) => ({
    writes: {},
    result: exposure!,
  }));
  return [read.facilitator, read.wallet].flatMap(({ unprovenMicros, refutedMicros }) => [
    unprovenMicros,
    refutedMicros,
  ]);
}

/** What every engine behind the Store port has to do. */
export function describeStore(name: string, makeFixture: () => Promise<StoreFixture>): void {
  describe(`${name} store`, () => {
    let fixture: StoreFixture;
    let store: Store;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
    });

    afterEach(() => fixture.remove());

    const keep = (one: StoredAnswer) =>
      store.transact({ answer: one }, () => ({ writes: { answer: one }, result: null }));
    /** Which of these keys, one character each, an answer is kept under. */
    const keysOf = async (keys: string) => {
      const kept = await Promise.all([...keys].map((key) => store.answer({ wallet: A, code: null, key })));
      return [...keys].filter((_, n) => kept[n] !== null).join('');
    };
    /** Looks until nothing is left that is due, and returns how many rows that took. */
    const roundOf = async (look: () => Promise<Swept>) => {
      let sum = 0;
      for (;;) {
        const { removed, isMore } = await look();
        sum += removed;
        if (!isMore) return sum;
      }
    };

    describeStoreListing(() => store);

    it('finds nothing in the beginning', async () => {
      await store.ping();
      expect(await store.account(A)).to.equal(null);
      expect(await store.tokens(A)).to.equal(null);
      expect(await store.answer({ wallet: A, code: null, key: 'k' })).to.equal(null);
      expect(await store.promos()).to.deep.equal([]);
      expect(await store.redemptions('SPRING', null, 10)).to.deep.equal({ items: [], next: null });
      expect(await store.payment(samplePayment(1).key)).to.equal(null);
      expect(await store.openPayments(null, 10)).to.deep.equal({ items: [], faults: [], next: null });
      expect(await store.ledger(A, 10)).to.deep.equal([]);
      const seen = await store.transact(
        {
          account: A,
          tokens: A,
          promo: 'SPRING',
          redemption: { code: 'SPRING', wallet: A },
          answer: { wallet: A, code: null, key: 'k' },
          purchases: [{ wallet: A, code: 'purchase identifier', key: 'k' }],
          payment: samplePayment(1).key,
          others: [samplePayment(2).key],
        },
        (rows) => ({ writes: {}, result: rows }),
      );
      const nothing = {
        account: null,
        tokens: null,
        promo: null,
        redemption: null,
        answer: null,
        payment: null,
        purchases: [null],
        others: [null],
      };
      expect(seen).to.deep.equal({
        ...nothing,
        transfer: null,
        exposure: null,
        openPayment: null,
        isOwnerAlive: false,
        openOfPayer: [],
      });
      expect(await store.uncheckedPayments(null, 10)).to.deep.equal({ items: [], faults: [], next: null });
      expect([...(await store.exposures())]).to.deep.equal([]);
    });

    it('gives every row back as it was written, also after it was opened anew', async () => {
      const tokens = {
        wallet: A,
        tokens: [
          { secretHash: 'ab'.repeat(32), issuedAtMs: 1_700_000_000_000, scope: 'promo' as const, code: 'SPRING' },
        ],
      };
      const redemption = { code: 'SPRING', wallet: A, atMs: 7 };
      await give(store, A, 10);
      await store.transact({ tokens: A, promo: 'SPRING', answer: { wallet: A, code: null, key: 'k/ü' } }, () => ({
        writes: { tokens, promo: promo('SPRING', 3), redemption, answer: answer('k/ü', 5) },
        result: null,
      }));
      await store.close();
      store = await fixture.open();
      const [lot] = (await store.account(A))?.lots ?? [];
      expect(lot).to.deep.equal({
        id: 1,
        kind: 'grant',
        credits: 10,
        remaining: 10,
        grantedAtMs: 1_700_000_000_000,
        expiresAtMs: 1_800_000_000_000,
        source: 'contract',
      });
      expect(await store.tokens(A)).to.deep.equal(tokens);
      expect(await store.promos()).to.deep.equal([promo('SPRING', 3)]);
      expect((await store.redemptions('SPRING', null, 10)).items).to.deep.equal([redemption]);
      expect(await store.answer({ wallet: A, code: null, key: 'k/ü' })).to.deep.equal(answer('k/ü', 5));
      expect(await store.answer({ wallet: B, code: null, key: 'k/ü' })).to.equal(null);
    });

    it('reads and writes the names of a purchase with its payment, in one decision and in their order', async () => {
      const named = (code: string, key: string) => ({ wallet: A, code, key });
      const names = [named('purchase preflight_trade', 'order-17'), named('purchase identifier', 'pay_1')];
      const payment = samplePayment(1);
      const row = (n: number) => ({ ...names[n]!, fingerprint: 'f', body: payment.key, expiresAtMs: 7 });
      await store.transact({ payment: payment.key, purchases: names }, () => ({
        writes: { payment, purchases: [row(0)] },
        result: null,
      }));
      const look = () => store.transact({ purchases: names }, ({ purchases }) => ({ writes: {}, result: purchases }));
      expect(await look()).to.deep.equal([row(0), null]);
      expect(await store.answer(names[0]!)).to.deep.equal(row(0));
      await store.transact({ payment: payment.key, purchases: names }, (rows) => ({
        writes: { removedPayment: rows.payment!.key, purchases: [{ ...row(0), expiresAtMs: 0 }, row(1)] },
        result: null,
      }));
      expect(await look()).to.deep.equal([{ ...row(0), expiresAtMs: 0 }, row(1)]);
      expect(await store.payment(payment.key)).to.equal(null);
    });

    it('keeps the answers of each promo code apart from the others, also under one key, and sweeps them alike', async () => {
      const stored = [answer('SUMMER/k', 5), answer('k', 6, 'SUMMER'), answer('k', 7, 'AUTUMN'), answer('k', 9)];
      for (const one of stored) await keep(one);
      for (const one of stored) expect(await store.answer(one)).to.deep.equal(one);
      expect(await store.sweepAnswers(7, 10)).to.include({ removed: 3 });
      expect(await Promise.all(stored.map((one) => store.answer(one)))).to.deep.equal([null, null, null, stored[3]]);
    });

    it('keeps the ledger of each wallet in order, however the wallets take turns', async () => {
      await Promise.all([3, 1, 4, 1, 5].map((credits, i) => give(store, i % 2 === 0 ? A : B, credits)));
      await give(store, A, 9);
      const ofA = await store.ledger(A, 100);
      expect(ofA.map((entry) => [entry.number, entry.credits, entry.balanceAfter])).to.deep.equal([
        [1, 3, 3],
        [2, 4, 7],
        [3, 5, 12],
        [4, 9, 21],
      ]);
      expect(ofA[0]).to.deep.equal({
        wallet: A,
        number: 1,
        kind: 'grant',
        credits: 3,
        balanceAfter: 3,
        atMs: 1_700_000_000_000,
        operation: 'give 3',
        requestId: 'r-3',
        lots: [{ lotId: 1, credits: 3 }],
      });
      expect((await store.ledger(A, 2)).map((entry) => entry.number)).to.deep.equal([3, 4]);
      expect((await store.ledger(B, 100)).map((entry) => entry.credits)).to.deep.equal([1, 1]);
    });

    it('loses none of two thousand changes of one row asked for at the same time', async () => {
      const balances = await Promise.all(Array.from({ length: 2_000 }, () => count(store)));
      expect(new Set(balances).size).to.equal(2_000);
      expect((await store.promos())[0]?.redeemed).to.equal(2_000);
    });

    it('writes nothing where the decision throws, and does what the neighbors asked for', async () => {
      const fault = new Error('no');
      const throws = () =>
        store.transact({ account: A }, () => {
          throw fault;
        });
      const [first, failed, last] = await Promise.all([give(store, A, 1), rejectionOf(throws()), give(store, A, 2)]);
      expect([first, failed, last]).to.deep.equal([1, fault, 3]);
      expect(await store.ledger(A, 10)).to.have.length(2);
    });

    it('is one store through two doors: each sees what the other has done, and no change is lost', async () => {
      const other = await fixture.open();
      try {
        await give(other, A, 5);
        expect((await store.account(A))?.lots[0]?.remaining).to.equal(5);
        await Promise.all(Array.from({ length: 200 }, (_, i) => give(i % 2 === 0 ? store : other, A, 1)));
        const ledger = await store.ledger(A, 1_000);
        expect(ledger.at(-1)?.balanceAfter).to.equal(205);
        expect(ledger.map((entry) => entry.number)).to.deep.equal(ledger.map((_, i) => i + 1));
      } finally {
        await other.close();
      }
    });

    it('lists who redeemed a code page by page, and not who redeemed another', async () => {
      await redeemed(store, 'SPRING', 5);
      await redeemed(store, 'SPRING-2', 2);
      const pages: number[] = [];
      const wallets: string[] = [];
      let from: Cursor = null;
      do {
        const page: Awaited<ReturnType<Store['redemptions']>> = await store.redemptions('SPRING', from, 2);
        pages.push(page.items.length);
        wallets.push(...page.items.map((item) => item.wallet));
        from = page.next;
      } while (from !== null);
      expect(pages).to.deep.equal([2, 2, 1]);
      expect(wallets).to.deep.equal([1, 2, 3, 4, 5].map(walletNumber));
    });

    it('sweeps expired answers, a page at a time and the oldest first, and no others', async () => {
      for (const [key, expiresAtMs] of Object.entries({ a: 10, b: 11, c: 10, d: 9 }))
        await keep(answer(key, expiresAtMs));
      expect(await store.sweepAnswers(10, 1)).to.deep.equal({ removed: 1, isMore: true });
      expect(await keysOf('abcd')).to.equal('abc');
      expect(await store.sweepAnswers(10, 3)).to.deep.equal({ removed: 2, isMore: false });
      expect(await keysOf('abcd')).to.equal('b');
      expect(await store.sweepAnswers(10, 3)).to.deep.equal({ removed: 0, isMore: false });
    });

    it('lets all answers go in one round that are due at once, however many pages they are', async () => {
      const due = Array.from({ length: 230 }, (_, n) => answer(`due ${n}`, n % 2 === 0 ? 5 : n));
      const others = Array.from({ length: 30 }, (_, n) => answer(`later ${n}`, 1_000 + n));
      await Promise.all([...due, ...others].map(keep));
      expect(await roundOf(() => store.sweepAnswers(999, 50))).to.equal(due.length);
      const { items } = await store.listing.answers(null, 1_000);
      expect(items.map(({ key }) => key)).to.have.members(others.map(({ key }) => key));
    });

    it('sweeps an answer at the moment that it was last written with, whatever it said before', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), expiresAtMs: fc.nat(9) }), { maxLength: 12 }),
          fc.nat(9),
          fc.integer({ min: 1, max: 3 }),
          async (written, nowMs, limit) => {
            for (const { key, expiresAtMs } of written) await keep(answer(key, expiresAtMs));
            const last = new Map<string, number>(written.map(({ key, expiresAtMs }) => [key, expiresAtMs]));
            const gone = [...last].filter(([, expiresAtMs]) => expiresAtMs <= nowMs).map(([key]) => key);
            expect(await roundOf(() => store.sweepAnswers(nowMs, limit))).to.equal(gone.length);
            expect(await keysOf('abc')).to.equal(
              ['a', 'b', 'c'].filter((key) => last.has(key) && !gone.includes(key)).join(''),
            );
            await roundOf(() => store.sweepAnswers(9, limit));
            expect(await keysOf('abc'), 'each has its turn').to.equal('');
          },
        ),
        { numRuns: 30 },
      );
    });

    it('does not sweep an answer that is renewed while it sweeps', async () => {
      const [expired, renewed] = [answer('k', 5), answer('k', 50)];
      await keep(expired);
      await Promise.all([store.sweepAnswers(10, 10), keep(renewed)]);
      expect(await store.answer(renewed)).to.deep.equal(renewed);
    });

    it('takes the answers of payments that settled before a moment, a page at a time, and leaves all else', async () => {
      const settled = (n: number, facts: Partial<PaymentRow> = {}) =>
        samplePayment(n, {
          state: 'SETTLED',
          open: false,
          body: '{"paid":{}}',
          transaction: TX,
          updatedAtMs: n,
          ...facts,
        });
      const proof = { ...proven(3), isFinal: true };
      const old = [settled(1, { proof, buyerSecret: 'ab'.repeat(32) }), settled(2), settled(3, { answer: '' })];
      const others = [
        settled(4),
        settled(5, { state: 'SETTLING', updatedAtMs: 1, open: true, body: null, transaction: null }),
        settled(6, { state: 'FAILED', updatedAtMs: 1, body: null, transaction: null }),
      ];
      for (const row of [...old, ...others]) await pay(store, row);
      expect(await store.trimPayments(4, 2)).to.deep.equal({ removed: 2, isMore: true });
      expect(await store.payment(old[2]!.key), 'the oldest go first').to.deep.equal(old[2]);
      expect(await store.trimPayments(4, 2)).to.deep.equal({ removed: 1, isMore: false });
      for (const row of old) expect(await store.payment(row.key)).to.deep.equal({ ...row, answer: '', body: null });
      for (const row of others) expect(await store.payment(row.key)).to.deep.equal(row);
      expect(await store.transact({ transfer: proof }, ({ transfer }) => ({ writes: {}, result: transfer }))).to.equal(
        old[0]!.key,
      );
      expect(await store.trimPayments(4, 10), 'once').to.deep.equal({ removed: 0, isMore: false });
      expect(await store.trimPayments(5, 10), 'each at its time').to.deep.equal({ removed: 1, isMore: false });
    });

    it('takes all answers in one round of payments that are old at once, also of one that was opened anew', async () => {
      const settled = (n: number) =>
        samplePayment(n, { state: 'SETTLED', open: false, body: '{}', transaction: TX, updatedAtMs: n % 7 });
      const rows = Array.from({ length: 60 }, (_, n) => settled(n + 1));
      for (const row of rows) await pay(store, row);
      const [opened, ...others] = rows;
      await pay(store, { ...opened!, open: true });
      expect(await roundOf(() => store.trimPayments(100, 20))).to.equal(others.length);
      expect(await store.payment(opened!.key)).to.deep.include({ open: true, body: '{}' });
      await pay(store, opened!);
      expect(await roundOf(() => store.trimPayments(100, 20))).to.equal(1);
      const { items } = await store.payments(null, 100);
      expect(items.filter(({ body, answer }) => body !== null || answer !== '')).to.deep.equal([]);
    });

    it('loses nothing that becomes known of a payment while its answer is taken', async () => {
      const row = settledPayment(1, unproven('f'));
      await pay(store, { ...row, body: '{}', updatedAtMs: 1 });
      const prove = store.transact({ payment: row.key }, ({ payment }) => ({
        writes: { payment: { ...payment!, proof: proven(4) } },
        result: null,
      }));
      await Promise.all([prove, store.trimPayments(2, 10)]);
      expect(await store.payment(row.key)).to.deep.include({ proof: proven(4), body: null, answer: '' });
      expect(await sums(store, 'f', row.payment.authorization.from)).to.deep.equal([0n, 0n, 0n, 0n]);
    });

    it('gives a payment back as it was written, to reads and decisions, also after it was opened anew', async () => {
      const settled = samplePayment(2, {
        state: 'SETTLED',
        demand: { ...samplePayment(2).demand, amountMicros: 2n ** 256n - 1n },
        body: '{"ok":true,"paid":{"said":"…"}}',
        transaction: `0x${'ab'.repeat(32)}`,
        open: false,
      });
      const failed = samplePayment(3, { state: 'FAILED', failReason: 'authorization_expired', open: true });
      for (const row of [samplePayment(1), settled, failed]) await pay(store, row);
      await store.close();
      store = await fixture.open();
      for (const row of [samplePayment(1), settled, failed]) {
        expect(await store.payment(row.key)).to.deep.equal(row);
        const seen = await store.transact({ payment: row.key }, ({ payment }) => ({ writes: {}, result: payment }));
        expect(seen).to.deep.equal(row);
      }
      expect(await store.payment(samplePayment(4).key)).to.equal(null);
    });

    it('lists the payments that are open, page by page, and no others', async () => {
      for (let n = 1; n <= 7; n++) await pay(store, samplePayment(n));
      await pay(store, samplePayment(2, { state: 'SETTLED', open: false }));
      await pay(store, samplePayment(3, { state: 'FAILED', open: true }));
      await pay(store, samplePayment(5, { state: 'FAILED', open: false }));
      await pay(store, samplePayment(8, { state: 'SETTLED', open: false }));
      await store.close();
      store = await fixture.open();
      expect(await openPages(store, 2)).to.deep.equal([[1, 3], [4, 6], [7]]);
      for (const n of [1, 4, 6, 7]) await pay(store, samplePayment(n, { state: 'SETTLED', open: false }));
      await pay(store, samplePayment(5, { state: 'FAILED', open: true }));
      expect(await openPages(store, 10)).to.deep.equal([[3, 5]]);
    });

    it('keeps each proof of a settled payment as it was written', async () => {
      const proofs: readonly SettlementProof[] = [unproven('f.example'), proven(5), refuted('f.example')];
      for (const [n, proof] of proofs.entries()) await pay(store, settledPayment(n, proof));
      await store.close();
      store = await fixture.open();
      for (const [n, proof] of proofs.entries()) {
        expect((await store.payment(samplePayment(n).key))?.proof).to.deep.equal(proof);
      }
    });

    it('lists the settled payments that are to be checked, page by page, and no others', async () => {
      for (let n = 1; n <= 3; n++) await pay(store, settledPayment(n, unproven('f')));
      await pay(store, settledPayment(4, { ...proven(4), isFinal: false }));
      await pay(store, settledPayment(5, proven(5)));
      await pay(store, settledPayment(6, refuted('f')));
      await pay(store, settledPayment(7, null));
      await pay(store, samplePayment(8));
      const numbers = async (from: Cursor) => {
        const { items, faults, next } = await store.uncheckedPayments(from, 3);
        expect(faults).to.deep.equal([]);
        return { of: items.map(({ payment }) => Number(payment.authorization.nonce)), next };
      };
      const first = await numbers(null);
      expect(first.of).to.deep.equal([1, 2, 3]);
      expect((await numbers(first.next)).of).to.deep.equal([4]);
      await pay(store, settledPayment(1, proven(1)));
      await pay(store, settledPayment(2, refuted('f')));
      await pay(store, settledPayment(4, proven(4)));
      await store.close();
      store = await fixture.open();
      expect((await numbers(null)).of).to.deep.equal([3]);
    });

    it('sums what is unproven and refuted by facilitator and by wallet, as the rows say it', async () => {
      await pay(store, settledPayment(1, unproven('f'), A));
      await pay(store, settledPayment(2, unproven('g'), A));
      await pay(store, settledPayment(3, unproven('f'), B));
      expect(await sums(store, 'f', A)).to.deep.equal([40_000n, 0n, 40_000n, 0n]);
      expect(await sums(store, 'g', B)).to.deep.equal([20_000n, 0n, 20_000n, 0n]);
      // Written again as it is, it is not counted again.
      await pay(store, settledPayment(1, unproven('f'), A));
      expect(await sums(store, 'f', A)).to.deep.equal([40_000n, 0n, 40_000n, 0n]);
      await pay(store, settledPayment(1, proven(1), A));
      await pay(store, settledPayment(3, refuted('f'), B));
      await store.close();
      store = await fixture.open();
      expect(await sums(store, 'f', A)).to.deep.equal([0n, 20_000n, 20_000n, 0n]);
      expect(await sums(store, 'f', B)).to.deep.equal([0n, 20_000n, 0n, 20_000n]);
      const byFacilitator = await store.exposures();
      expect([...byFacilitator.keys()]).to.deep.equal(['f', 'g']);
      expect(byFacilitator.get('f')).to.include({ refutedMicros: 20_000n, lastRefutedAtMs: 9 });
    });

    it('loses no sum when many payments are settled at the same time, through two doors', async () => {
      const other = await fixture.open();
      try {
        const settle = (n: number) => pay(n % 2 === 0 ? store : other, settledPayment(n, unproven('f'), A));
        await Promise.all(Array.from({ length: 200 }, (_, n) => settle(n + 1)));
        expect(await sums(store, 'f', A)).to.deep.equal([4_000_000n, 0n, 4_000_000n, 0n]);
      } finally {
        await other.close();
      }
    });

    it('knows which payment a transfer is the proof of', async () => {
      const position = { transaction: TX, logIndex: 5 };
      const holder = (at: typeof position) =>
        store.transact({ transfer: at }, ({ transfer }) => ({ writes: {}, result: transfer }));
      expect(await holder(position)).to.equal(null);
      await pay(store, settledPayment(1, proven(5)));
      expect(await holder(position)).to.equal(samplePayment(1).key);
      expect(await holder({ ...position, logIndex: 6 })).to.equal(null);
      expect(await holder({ ...position, transaction: `0x${'ef'.repeat(32)}` })).to.equal(null);
    });

    it('forgets the place that a transfer has left, unless it is that of another payment by now', async () => {
      const transfer = (logIndex: number) => ({ transaction: TX, logIndex });
      const holder = (logIndex: number) =>
        store.transact({ transfer: transfer(logIndex) }, ({ transfer }) => ({ writes: {}, result: transfer }));
      const move = (n: number, from: number, to: number) => {
        const [payment, left] = [settledPayment(n, proven(to)), transfer(from)];
        const keys = { payment: payment.key, transfer: transfer(to) };
        return store.transact(keys, ({ transfer }) =>
          transfer === null
            ? { writes: { payment, leftTransfer: { ...left, payment: payment.key } }, result: true }
            : { writes: {}, result: false },
        );
      };
      await pay(store, settledPayment(1, proven(1)));
      await pay(store, settledPayment(2, proven(3)));
      expect(await move(1, 1, 3), 'while the other is there').to.equal(false);
      // The second sees what the first has just decided, also in one transaction.
      expect(await Promise.all([move(2, 3, 5), move(1, 1, 3)])).to.deep.equal([true, true]);
      const ours = [samplePayment(1).key, samplePayment(2).key];
      expect(await Promise.all([1, 3, 5].map(holder))).to.deep.equal([null, ...ours]);
      const leave = { ...transfer(3), payment: ours[1]! };
      await store.transact({}, () => ({ writes: { leftTransfer: leave }, result: null }));
      expect(await holder(3)).to.equal(ours[0]);
      await store.transact({}, () => ({ writes: { leftTransfer: { ...leave, payment: ours[0]! } }, result: null }));
      await store.close();
      store = await fixture.open();
      expect(await Promise.all([1, 3, 5].map(holder))).to.deep.equal([null, null, ours[1]]);
    });

    it('lists all payments page by page, whatever their state', async () => {
      for (let n = 1; n <= 5; n++) await pay(store, samplePayment(n));
      await pay(store, { ...samplePayment(3), state: 'FAILED', open: false, failReason: 'expired' });
      const first = await store.payments(null, 3);
      const second = await store.payments(first.next, 3);
      const states = [...first.items, ...second.items].map(({ key, state }) => [key, state]).sort();
      const wanted = [1, 2, 3, 4, 5].map((n) => [samplePayment(n).key, n === 3 ? 'FAILED' : 'SETTLING']).sort();
      expect(states).to.deep.equal(wanted);
      expect([first.items.length, first.faults, second.next]).to.deep.equal([3, [], null]);
    });

    it('loses no open payment of a listing while those of its earlier pages are closed', async () => {
      for (let n = 1; n <= 6; n++) await pay(store, samplePayment(n));
      const first = await store.openPayments(null, 3);
      for (const row of first.items) await pay(store, { ...row, state: 'SETTLED', open: false });
      const second = await store.openPayments(first.next, 10);
      expect(second.items).to.deep.equal([4, 5, 6].map((n) => samplePayment(n)));
    });

    it('claims a payment once, however many ask at the same time', async () => {
      const row = samplePayment(1);
      const claim = () =>
        store.transact({ payment: row.key }, ({ payment }) =>
          payment === null ? { writes: { payment: row }, result: 'claimed' } : { writes: {}, result: 'there' },
        );
      const outcomes = await Promise.all(Array.from({ length: 200 }, claim));
      expect(outcomes.filter((outcome) => outcome === 'claimed')).to.have.length(1);
    });

    describe('through two doors', () => {
      let other: Store;
      beforeEach(async () => {
        other = await fixture.open();
      });
      afterEach(() => other.close());

      describeStoreDoors(() => [store, other]);

      it('gives one payment one owner, however many ask at both', async () => {
        const row = samplePayment(1, { state: 'CLAIMED' });
        const claim = (door: Store, owner: string) =>
          door.transact(
            { payment: row.key },
            ({ payment }) =>
              payment === null
                ? { writes: { payment: { ...row, owner } }, result: true }
                : { writes: {}, result: false },
            { durable: false },
          );
        const won = await Promise.all(
          Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? claim(store, `a${n}`) : claim(other, `b${n}`))),
        );
        expect(won.filter((isOurs) => isOurs)).to.have.length(1);
        const owner = `${won.indexOf(true) % 2 === 0 ? 'a' : 'b'}${won.indexOf(true)}`;
        for (const door of [store, other]) expect((await door.payment(row.key))?.owner).to.equal(owner);
      });

      it('shows a change that need not be durable to decisions as soon as it resolves', async () => {
        const decided = (door: Store, { key }: PaymentRow) =>
          door.transact({ payment: key }, ({ payment }) => ({ writes: {}, result: payment }));
        for (let n = 1; n <= 20; n++) {
          const row = samplePayment(n, { state: 'CLAIMED' });
          const [from, to] = n % 2 === 0 ? [store, other] : [other, store];
          await from.transact({}, () => ({ writes: { payment: row }, result: null }), { durable: false });
          expect(await decided(to, row)).to.deep.equal(row);
          await to.transact({}, () => ({ writes: { removedPayment: row.key }, result: null }), { durable: false });
          expect(await decided(from, row)).to.equal(null);
        }
        expect((await store.openPayments(null, 10)).items).to.deep.equal([]);
      });

      it('redeems one answer key once', async () => {
        const stored = answer('k', 50);
        const keep = (door: Store, body: string) =>
          door.transact({ answer: stored }, (rows) =>
            rows.answer === null
              ? { writes: { answer: { ...stored, body } }, result: body }
              : { writes: {}, result: rows.answer.body },
          );
        const bodies = await Promise.all(
          Array.from({ length: 100 }, (_, n) => keep(n % 2 === 0 ? store : other, `${n}`)),
        );
        expect(new Set(bodies).size).to.equal(1);
      });

      it('knows the processes that hold a lease, and lets no more hold one than may', async () => {
        expect(await store.leases.hold('a', 1)).to.deep.equal({ kind: 'held', others: [] });
        const second = await other.leases.hold('b', 1);
        expect([second.kind, second.others.map(({ id }) => id)]).to.deep.equal(['held', ['a']]);
        const third = await store.leases.hold('c', 1);
        expect([third.kind, third.others.map(({ id }) => id)]).to.deep.equal(['full', ['a', 'b']]);
        expect((await other.leases.hold('a', 1)).kind, 'renewed').to.equal('held');
        await other.leases.end('a');
        expect((await store.leases.hold('c', 1)).kind).to.equal('held');
      });

      it('counts a lease by its own time, whatever the wall clock of a process says', async () => {
        const { now } = Date;
        Date.now = () => now() - 3_600_000;
        try {
          await store.leases.hold('a', 1);
        } finally {
          Date.now = now;
        }
        const second = await other.leases.hold('b', 1);
        expect(second.others.map(({ id }) => id)).to.deep.equal(['a']);
      });

      it('tells whether the owner of a payment holds its lease, to decisions, looks and listings', async () => {
        const rows = ['a', 'b', null].map((owner, n) => samplePayment(n + 1, { owner }));
        for (const row of rows) await pay(store, row);
        const seenBy = async (door: Store) => {
          const decided = rows.map(({ key }) =>
            door.transact({ payment: key }, (found) => ({ writes: {}, result: found.isOwnerAlive })),
          );
          const others = await door.transact({ others: rows.map(({ key }) => key) }, (found) => ({
            writes: {},
            result: found.others.map((one) => one?.isOwnerAlive),
          }));
          const looked = (await door.ownedPayments(rows.map(({ key }) => key))).map((one) => one.isOwnerAlive);
          const strays = (await door.openPaymentsFor('x', null, 10)).items.map(({ key }) => key);
          return [await Promise.all(decided), others, looked, rows.map(({ key }) => !strays.includes(key))];
        };
        const all = (...alive: boolean[]) => [alive, alive, alive, alive];
        expect(await seenBy(other)).to.deep.equal(all(false, false, false));
        await store.leases.hold('a', 1);
        expect(await seenBy(other)).to.deep.equal(all(true, false, false));
        await other.leases.hold('b', 1);
        await other.leases.end('a');
        expect(await seenBy(store)).to.deep.equal(all(false, true, false));
      });
    });

    it('lists what a process owns, and what nobody does, as it stands', async () => {
      await store.leases.hold('a', 5);
      await store.leases.hold('b', 5);
      const [ofA, ofB, ofNobody, claim] = [
        samplePayment(1, { owner: 'a' }),
        samplePayment(2, { owner: 'b' }),
        samplePayment(3, { owner: 'gone', state: 'FAILED' }),
        samplePayment(4, { owner: 'a', state: 'CLAIMED' }),
      ] as const;
      for (const row of [ofA, ofB, ofNobody, claim]) await pay(store, row);
      await pay(store, samplePayment(5, { owner: 'a', state: 'SETTLED', open: false }));
      const listed = await store.openPaymentsFor('a', null, 10);
      const shown = ({ key, owner, epoch, state, createdAtMs, isSignedByKey }: PaymentRow) => ({
        key,
        owner,
        epoch,
        state,
        createdAtMs,
        isSignedByKey,
      });
      expect(listed).to.deep.equal({ items: [ofA, ofNobody, claim].map(shown), next: null });
      const one = await store.transact({ openPayment: ofB.key }, (rows) => ({ writes: {}, result: rows }));
      expect([one.openPayment, one.isOwnerAlive]).to.deep.equal([shown(ofB), true]);
      const paged: unknown[] = [];
      let from: Cursor = null;
      do {
        const page: Awaited<ReturnType<Store['openPaymentsFor']>> = await store.openPaymentsFor('a', from, 2);
        expect(page.items.length).to.be.at.most(2);
        paged.push(...page.items);
        from = page.next;
      } while (from !== null);
      expect(paged).to.deep.equal(listed.items);
    });

    it('shows a decision other payments as they stand, also one that was just decided on', async () => {
      const [first, second] = [samplePayment(1), samplePayment(2, { state: 'SETTLED', open: false })];
      await pay(store, second);
      const written = pay(store, first);
      const others = [second.key, samplePayment(3).key, first.key];
      const found = await store.transact({ payment: first.key, others }, (rows) => ({
        writes: {},
        result: rows.others,
      }));
      await written;
      expect(found.map((one) => one?.row ?? null)).to.deep.equal([second, null, first]);
    });

    it('lists the open payments of a payer that are not only watched, however many are, and of no other', async () => {
      for (let n = 1; n <= 4; n++) await pay(store, samplePayment(n, {}, n === 4 ? B : A));
      // In the order of keys they come before and after.
      const watched = Array.from({ length: 150 }, (_, n) => samplePayment(n * 3 + 100, { state: 'FAILED' }, A));
      for (const row of [samplePayment(0, { state: 'FAILED' }, A), ...watched]) await pay(store, row);
      await pay(store, samplePayment(2, { state: 'SETTLED', open: false }, A));
      const ofPayer = (n: number, payer: typeof A) =>
        store.transact({ openOfPayerOf: samplePayment(n, {}, payer).key }, (rows) => ({
          writes: {},
          result: rows.openOfPayer.map(({ key }) => key),
        }));
      expect(await ofPayer(9, A)).to.deep.equal([1, 3].map((n) => samplePayment(n, {}, A).key));
      const last = samplePayment(1_000, {}, A);
      await pay(store, last);
      const failed: PaymentRow = { ...samplePayment(3, {}, A), state: 'FAILED' };
      const [, ours] = await Promise.all([pay(store, failed), ofPayer(9, A)]);
      expect(ours).to.deep.equal([samplePayment(1, {}, A).key, last.key]);
      expect(await ofPayer(9, B)).to.deep.equal([samplePayment(4, {}, B).key]);
      expect(await ofPayer(9, walletNumber(0xc))).to.deep.equal([]);
    });

    it('keeps that nobody waits for a payment, and that it was given back', async () => {
      const rows = [
        samplePayment(1, { isUnattended: true }),
        samplePayment(2, { state: 'SETTLED', open: false, refundedAtMs: 1_800_000_000_001 }),
      ];
      for (const row of rows) {
        await pay(store, row);
        expect(await store.payment(row.key)).to.deep.equal(row);
      }
    });

    it('lists the ledger of all wallets in the order in which it was written', async () => {
      const cause = { operation: 'grant', requestId: null, atMs: 1 };
      const lot = { kind: 'grant' as const, credits: 5, expiresAtMs: 1_800_000_000_000, source: '' };
      for (const wallet of [A, B, A]) {
        await store.transact({ account: wallet }, ({ account }) => ({
          writes: { change: grantLot(account ?? emptyAccount(wallet), lot, cause) },
          result: null,
        }));
      }
      const first = await store.entries(null, 2);
      const rest = await store.entries(first.next, 2);
      expect([...first.items, ...rest.items].map(({ wallet, number }) => [wallet, number])).to.deep.equal([
        [A, 1],
        [B, 1],
        [A, 2],
      ]);
      expect(rest.next).to.equal(null);
    });

    it('settles a payment, gives what it paid for and mints its token together, or does none of it', async () => {
      const row = samplePayment(1);
      await pay(store, row);
      const tokens = {
        wallet: A,
        tokens: [{ secretHash: 'cd'.repeat(32), issuedAtMs: 1, scope: 'purchase' as const, code: null }],
      };
      const settle = (fault: Error | null) =>
        store.transact({ payment: row.key, account: A, tokens: A }, ({ payment, account }) => {
          const change = grantLot(
            account ?? emptyAccount(A),
            { kind: 'purchase', credits: 500, expiresAtMs: 1_800_000_000_000, source: '0xabc' },
            { operation: 'purchase', requestId: payment?.requestId ?? null, atMs: 1 },
          );
          if (fault !== null) throw fault;
          const settled: PaymentRow = { ...row, state: 'SETTLED', open: false };
          return { writes: { change, tokens, payment: settled }, result: null };
        });
      const fault = new Error('no');
      expect(await rejectionOf(settle(fault))).to.equal(fault);
      expect([await store.payment(row.key), await store.account(A), await store.tokens(A)]).to.deep.equal([
        row,
        null,
        null,
      ]);
      await settle(null);
      expect(await store.payment(row.key)).to.deep.include({ state: 'SETTLED', open: false });
      expect((await store.ledger(A, 10)).map(({ requestId }) => requestId)).to.deep.equal(['request-1']);
      expect(await store.tokens(A)).to.deep.equal(tokens);
      expect((await store.openPayments(null, 10)).items).to.deep.equal([]);
    });

    it('finishes what was begun before it closes, and refuses what comes after', async () => {
      const begun = Array.from({ length: 50 }, () => give(store, A, 1));
      await store.close();
      expect(await Promise.all(begun)).to.have.length(50);
      for (const late of [() => give(store, A, 1), () => store.account(A), () => store.ping()]) {
        const error = await rejectionOf(late());
        expect(error).to.be.instanceOf(OutsideError);
        expect((error as OutsideError).failure).to.equal('retryable');
      }
      store = await fixture.open();
      expect((await store.ledger(A, 100)).at(-1)?.balanceAfter).to.equal(50);
    });
  });
}

async function pay(store: Store, payment: PaymentRow): Promise<void> {
  await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
}

/** The open payments by their number, page by page. */
async function openPages(store: Store, limit: number): Promise<readonly (readonly number[])[]> {
  const pages: number[][] = [];
  let from: Cursor = null;
  do {
    const page: PaymentsPage = await store.openPayments(from, limit);
    if (page.items.length > 0) pages.push(page.items.map(({ payment }) => Number(payment.authorization.nonce)));
    expect(page.faults).to.deep.equal([]);
    from = page.next;
  } while (from !== null);
  return pages;
}

function count(store: Store): Promise<number> {
  return store.transact({ promo: 'COUNT' }, (rows) => {
    const redeemed = (rows.promo?.redeemed ?? 0) + 1;
    return { writes: { promo: promo('COUNT', redeemed) }, result: redeemed };
  });
}

async function redeemed(store: Store, code: string, wallets: number): Promise<void> {
  for (let n = 1; n <= wallets; n++) {
    const redemption = { code, wallet: walletNumber(n), atMs: n };
    await store.transact({ promo: code }, () => ({ writes: { redemption }, result: null }));
  }
}
