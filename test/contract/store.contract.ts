import { expect } from 'chai';
import { grantLot } from '#domain/credit-changes';
import { emptyAccount } from '#domain/credits';
import { OutsideError } from '#domain/errors';
import { parseWallet, type WalletAddress } from '#domain/ids';
import type { Promo } from '#domain/promo';
import type { Cursor, Store, StoredAnswer } from '#ports/store';

/** Where an engine keeps one test's rows. Opening it again, also at the same time, finds the same rows. */
export interface StoreHome {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

/** Returns the n-th wallet of a test. */
export function walletNumber(n: number): WalletAddress {
  return parseWallet(`0x${n.toString(16).padStart(40, '0')}`) as WalletAddress;
}

const [A, B] = [walletNumber(0xa), walletNumber(0xb)];

const promo = (code: string, redeemed = 0): Promo => ({
  code,
  credits: 5,
  walletsMax: 1_000,
  redeemed,
  createdAtMs: 1,
  expiresAtMs: 1_800_000_000_000,
  revokedAtMs: null,
});

const answer = (key: string, expiresAtMs: number): StoredAnswer => ({
  wallet: A,
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

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not reject');
}

/** What every engine behind the Store port has to do. */
export function describeStore(name: string, makeHome: () => Promise<StoreHome>): void {
  describe(`${name} store`, () => {
    let home: StoreHome;
    let store: Store;

    beforeEach(async () => {
      home = await makeHome();
      store = await home.open();
    });

    afterEach(async () => {
      await store.close();
      await home.remove();
    });

    it('finds nothing in the beginning', async () => {
      await store.ping();
      expect(await store.account(A)).to.equal(null);
      expect(await store.tokens(A)).to.equal(null);
      expect(await store.answer(A, 'k')).to.equal(null);
      expect(await store.promos()).to.deep.equal([]);
      expect(await store.redemptions('SPRING', null, 10)).to.deep.equal({ items: [], next: null });
      expect(await store.ledger(A, 10)).to.deep.equal([]);
      const seen = await store.transact(
        {
          account: A,
          tokens: A,
          promo: 'SPRING',
          redemption: { code: 'SPRING', wallet: A },
          answer: { wallet: A, key: 'k' },
        },
        (rows) => ({ writes: {}, result: rows }),
      );
      expect(seen).to.deep.equal({ account: null, tokens: null, promo: null, redemption: null, answer: null });
    });

    it('gives every row back as it was written, also after it was opened anew', async () => {
      const tokens = { wallet: A, tokens: [{ secretHash: 'ab'.repeat(32), issuedAtMs: 1_700_000_000_000 }] };
      const redemption = { code: 'SPRING', wallet: A, atMs: 7 };
      await give(store, A, 10);
      await store.transact({ tokens: A, promo: 'SPRING', answer: { wallet: A, key: 'k/ü' } }, () => ({
        writes: { tokens, promo: promo('SPRING', 3), redemption, answer: answer('k/ü', 5) },
        result: null,
      }));
      await store.close();
      store = await home.open();
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
      expect(await store.answer(A, 'k/ü')).to.deep.equal(answer('k/ü', 5));
      expect(await store.answer(B, 'k/ü')).to.equal(null);
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

    it('writes nothing where the decision throws, and does what the neighbours asked for', async () => {
      const fault = new Error('no');
      const throws = () =>
        store.transact({ account: A }, () => {
          throw fault;
        });
      const [first, failed, last] = await Promise.all([give(store, A, 1), rejection(throws()), give(store, A, 2)]);
      expect([first, failed, last]).to.deep.equal([1, fault, 3]);
      expect(await store.ledger(A, 10)).to.have.length(2);
    });

    it('is one store through two doors: each sees what the other has done, and no change is lost', async () => {
      const other = await home.open();
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

    it('sweeps expired answers, a page at a time, and no others', async () => {
      for (const [key, expiresAtMs] of Object.entries({ a: 10, b: 11, c: 10, d: 9 })) {
        await store.transact({ answer: { wallet: A, key } }, () => ({
          writes: { answer: answer(key, expiresAtMs) },
          result: null,
        }));
      }
      const first = await store.sweepAnswers(10, null, 3);
      expect(first.removed).to.equal(2);
      expect(await store.sweepAnswers(10, first.next, 3)).to.deep.equal({ removed: 1, next: null });
      expect(await store.answer(A, 'b')).to.deep.equal(answer('b', 11));
      for (const key of ['a', 'c', 'd']) expect(await store.answer(A, key)).to.equal(null);
    });

    it('finishes what was begun before it closes, and refuses what comes after', async () => {
      const begun = Array.from({ length: 50 }, () => give(store, A, 1));
      await store.close();
      expect(await Promise.all(begun)).to.have.length(50);
      for (const late of [() => give(store, A, 1), () => store.account(A), () => store.ping()]) {
        const error = await rejection(late());
        expect(error).to.be.instanceOf(OutsideError);
        expect((error as OutsideError).failure).to.equal('retryable');
      }
      store = await home.open();
      expect((await store.ledger(A, 100)).at(-1)?.balanceAfter).to.equal(50);
    });
  });
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
