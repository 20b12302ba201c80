import { expect } from 'chai';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import { type StoreFixture, walletNumber } from '#test/contract/store.contract';
import { PLANTED } from './faults.js';
import { fillSoundStore, moveCredits, settled, TX, write } from './sound-store.js';

const check = (store: Store) => checkStore({ store, ratings: null }, () => undefined);

/** Returns the store with small pages, and a turn of the event loop before each of its answers. */
function slowly(store: Store): Store {
  const inTurn =
    <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await new Promise(setImmediate);
      return read(...(args.map((arg) => (typeof arg === 'number' ? 7 : arg)) as unknown as Args));
    };
  const all = (reads: object) =>
    Object.fromEntries(
      Object.entries(reads).map(([name, read]) => [name, typeof read === 'function' ? inTurn(read) : read]),
    );
  return { ...all(store), listing: all(store.listing) } as unknown as Store;
}

/** No two cost the same, so that no sum is right by chance. */
function costing(row: PaymentRow, micros: number): PaymentRow {
  const { payment, demand } = row;
  const authorization = { ...payment.authorization, value: String(micros) };
  return {
    ...row,
    payment: { ...payment, authorization },
    demand: { ...demand, amountMicros: BigInt(micros) },
  };
}

/** What a check of every engine has to find. */
export function describeCheck(name: 'LMDB' | 'PostgreSQL', makeFixture: () => Promise<StoreFixture>): void {
  describe(`a check of a store on ${name}`, () => {
    let fixture: StoreFixture;
    let store: Store;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
      await fillSoundStore(store);
    });

    afterEach(() => fixture.remove());

    it('finds nothing wrong in a sound store, and says how much it has seen', async () => {
      const progress: string[] = [];
      const report = await checkStore({ store, ratings: null }, (kind, rows) => progress.push(`${rows} ${kind}`));
      expect(report.faults).to.deep.equal([]);
      const entries = (await store.entries(null, 1_000)).items.length;
      const { 'rows with a checksum': summed, ...kinds } = report.rows;
      expect(summed === undefined).to.equal(store.listing.written === null);
      expect(kinds).to.deep.equal({
        ...{ promos: 2, redemptions: 4, 'ledger entries': entries, accounts: 3 },
        ...{ 'wallets with tokens': 1, answers: 2, payments: 10, transfers: 2 },
      });
      expect(entries).to.be.greaterThan(60);
      expect(progress).to.include('10 payments');
    });

    for (const { name: fault, plant, where, what, isRefused } of PLANTED) {
      const title = isRefused === name ? 'is not made to hold' : 'finds';
      it(`${title} ${fault}, names it and says what to do`, async () => {
        const planted = await plant(store).then(
          () => 'planted',
          () => 'refused',
        );
        expect(planted).to.equal(isRefused === name ? 'refused' : 'planted');
        if (planted === 'refused') return;
        const { faults, faultsFound } = await check(store);
        const found = faults.filter((one) => one.where === where && one.what.includes(what));
        expect(found, JSON.stringify(faults)).to.not.be.empty;
        expect(faultsFound).to.equal(faults.length);
        for (const { remedy } of faults) expect(remedy).to.match(/backup|preflightctl /);
      });
    }

    it('finds nothing wrong while others write', async () => {
      const other = await fixture.open();
      let [writes, isOver] = [0, false];
      const keepWriting = async (writer: number) => {
        for (let n = 1_000 * writer; !isOver; n++) {
          const row = costing(settled(n, { kind: 'unproven', facilitator: 'f', sinceMs: 1 }), n);
          const redeemed = other.transact({ promo: 'SPRING' }, ({ promo }) => ({
            writes: {
              promo: { ...promo!, redeemed: promo!.redeemed + 1, walletsMax: 1_000_000 },
              redemption: { code: 'SPRING', wallet: walletNumber(n), atMs: 1 },
            },
            result: null,
          }));
          await Promise.all([moveCredits(other, walletNumber(n % 5), 1), redeemed, write(other, { payment: row })]);
          const proof = { kind: 'proven', transaction: TX, blockNumber: 8, logIndex: n, isFinal: true } as const;
          await write(other, { payment: { ...row, proof } });
          writes++;
        }
      };
      const writers = [1, 2, 3].map(keepWriting);
      try {
        for (let checks = 0; checks < 3 || writes < 60; checks++) {
          expect((await check(slowly(store))).faults).to.deep.equal([]);
        }
      } finally {
        isOver = true;
        await Promise.all(writers);
        await other.close();
      }
    });
  });
}
