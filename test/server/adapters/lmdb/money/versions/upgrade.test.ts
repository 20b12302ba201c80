import { expect } from 'chai';
import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { closeLmdbFile, openLmdbFile } from '#adapters/lmdb/open';
import { readRaw } from '#adapters/lmdb/raw';
import type { PaymentRow } from '#domain/payment/payment-row';
import { checkStore } from '#services/integrity/check';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { fillSoundStore } from '#test/server/services/integrity/sound-store';
import { rewriteAsEarlier } from '#test/support/earlier-rows';

const WALLETS = [1, 2, 3].map(walletNumber);

describe('an LMDB store whose rows another version of the program wrote', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    const store = await fixture.open();
    await fillSoundStore(store);
    await store.close();
  });
  afterEach(() => fixture.remove());

  /** Everything that a customer could miss. */
  async function money() {
    const store = await fixture.open();
    try {
      const { items: payments } = await store.payments(null, 100);
      return {
        lots: await Promise.all(WALLETS.map(async (wallet) => (await store.account(wallet))!.lots)),
        ledgers: await Promise.all(WALLETS.map((wallet) => store.ledger(wallet, 1_000))),
        tokens: await Promise.all(WALLETS.map((wallet) => store.tokens(wallet))),
        payments: payments.map(paidFor),
        openPayments: (await store.openPayments(null, 100)).items.map(({ key }) => key),
        faults: (await checkStore({ store, ratings: null }, () => undefined)).faults,
      };
    } finally {
      await store.close();
    }
  }
  const paidFor = ({ key, state, payment, demand, answer, body, transaction, open }: PaymentRow) => {
    return { key, state, payment, demand, answer, body, transaction, open };
  };

  it('has every credit and payment if it was an earlier one, and nothing contradicts anything', async () => {
    const before = await money();
    expect(before.payments.length).to.be.above(5);
    expect(await rewriteAsEarlier(fixture.path)).to.be.above(before.payments.length);
    const after = await money();
    expect(after).to.deep.equal(before);
    expect(after.faults).to.deep.equal([]);
  });

  it('names the rows with more in them than it knows if it was a later one, and reads all others', async () => {
    const db = openLmdbFile({ path: fixture.path, version: CREDITS_FILE_VERSION, remedy: '' });
    const key = `account/${WALLETS[0]}`;
    const row = readRaw(db, key) as readonly unknown[];
    await db.put(key, [...row, ...Array(6 - row.length).fill('new')]);
    await closeLmdbFile(db, fixture.path);
    const store = await fixture.open();
    try {
      const fault = await store.account(WALLETS[0]!).catch((error: Error) => error.message);
      expect(fault).to.equal(
        `store: row ${key} is malformed: has 6 fields instead of 4 to 5; restore the store from a backup`,
      );
      expect((await store.account(WALLETS[1]!))!.lots).to.not.have.length(0);
      const { faults } = await checkStore({ store, ratings: null }, () => undefined);
      expect(faults.map(({ where }) => where)).to.include(`row ${key}`);
    } finally {
      await store.close();
    }
  });
});
