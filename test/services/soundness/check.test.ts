import { expect } from 'chai';
import { openLmdbFile } from '#adapters/lmdb/open';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import type { RatingsStore } from '#ports/ratings-store';
import type { Store } from '#ports/store';
import { checkStore } from '#services/soundness/check';
import { type StoreHome, walletNumber } from '#test/contract/store.contract';
import { makeLmdbHome } from '#test/contract/support/lmdb-home';
import { makeRatingsHome } from '#test/contract/support/lmdb-ratings-home';
import { samplePayment } from '#test/contract/support/sample-payment';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { PLANTED } from './faults.js';
import { fillSoundStore, moveCredits, settled, TX, write } from './sound-store.js';

const nothing = () => undefined;
const check = (store: Store, ratings: RatingsStore | null = null) => checkStore({ store, ratings }, nothing);

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

/** What a check of every engine has to find. */
function describeCheck(name: string, makeHome: () => Promise<StoreHome>): void {
  describe(`a check of a store on ${name}`, () => {
    let home: StoreHome;
    let store: Store;

    beforeEach(async () => {
      home = await makeHome();
      store = await home.open();
      await fillSoundStore(store);
    });

    afterEach(async () => {
      await store.close();
      await home.remove();
    });

    it('finds nothing wrong in a sound store, and says how much it has seen', async () => {
      const progress: string[] = [];
      const report = await checkStore({ store, ratings: null }, (kind, rows) => progress.push(`${rows} ${kind}`));
      expect(report.faults).to.deep.equal([]);
      const entries = (await store.entries(null, 1_000)).items.length;
      expect(report.rows).to.deep.equal({
        ...{ promos: 2, redemptions: 4, 'ledger entries': entries, accounts: 3 },
        ...{ 'wallets with tokens': 1, answers: 2, payments: 10, transfers: 2 },
      });
      expect(entries).to.be.greaterThan(60);
      expect(progress).to.include('10 payments');
    });

    for (const { name: fault, plant, where, what } of PLANTED) {
      it(`finds ${fault}, names it and says what to do`, async () => {
        await plant(store);
        const { faults, faultsFound } = await check(store);
        const found = faults.filter((one) => one.where === where && one.what.includes(what));
        expect(found, JSON.stringify(faults)).to.not.be.empty;
        expect(faultsFound).to.equal(faults.length);
        expect(faults.map((one) => one.where.split(' ')[0])).to.not.include('store');
        for (const { remedy } of faults) expect(remedy).to.match(/backup|preflight /);
      });
    }

    it('finds nothing wrong while others write', async () => {
      const other = await home.open();
      let [writes, isOver] = [0, false];
      const keepWriting = async (writer: number) => {
        for (let n = 1_000 * writer; !isOver; n++) {
          const row = settled(n, { kind: 'unproven', facilitator: 'f', sinceMs: 1 });
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

describeCheck('LMDB', makeLmdbHome);

describe('a check of a store on LMDB, whose lists are rows of their own', () => {
  let home: Awaited<ReturnType<typeof makeLmdbHome>>;

  beforeEach(async () => {
    home = await makeLmdbHome();
    const store = await home.open();
    await fillSoundStore(store);
    await store.close();
  });

  afterEach(() => home.remove());

  /** Changes the file itself, then returns what a check of it finds. */
  async function faultsAfter(change: (db: ReturnType<typeof openLmdbFile>) => Promise<unknown>) {
    const db = openLmdbFile({ path: home.path, version: ROW_VERSION, remedy: '' });
    await change(db);
    await db.close();
    const store = await home.open();
    try {
      return (await check(store)).faults.map(({ where, what }) => `${where}: ${what}`);
    } finally {
      await store.close();
    }
  }

  const open = samplePayment(2).key;
  const unproven = samplePayment(7).key;
  const newest = `ledger/${String(1).padStart(15, '0')}`;
  const cases: readonly (readonly [string, (db: ReturnType<typeof openLmdbFile>) => Promise<unknown>, string])[] = [
    [
      'an open payment that the list has not',
      (db) => db.remove(`open-payment/${open}`),
      `payment ${open}: it is open, and not in the list of open payments`,
    ],
    [
      'an entry of the list that is of no payment',
      (db) => db.remove(`payment/${open}`),
      `row open-payment/${open}: there is no such payment`,
    ],
    [
      'a payment that is open in the list alone',
      (db) => db.put(`open-payment/${samplePayment(10).key}`, ROW_VERSION),
      `payment ${samplePayment(10).key}: it is not open, and in the list of open payments`,
    ],
    [
      'an owner that the list says otherwise',
      (db) => db.put(`open-payment/${open}`, [ROW_VERSION, 'other', 9, 0, 5, true]),
      `payment ${open}: the list of open payments says another owner or state of it`,
    ],
    [
      'a payment to be checked that the list has not',
      (db) => db.remove(`unchecked-payment/${unproven}`),
      `payment ${unproven}: it is not in the list of unchecked payments, and should be`,
    ],
    [
      'a proof that no transfer shows',
      (db) => db.remove(`transfer/0x${'cd'.repeat(32)}:5`),
      `payment ${samplePayment(5).key}: its transfer is the proof of no payment`,
    ],
    [
      'the sum of a wallet that is not what its payments say',
      (db) => db.put(`exposure/wallet/${walletNumber(7)}`, [ROW_VERSION, '1', '0', null]),
      `exposure of wallet ${walletNumber(7)}: it says 1 unproven`,
    ],
    ['an entry that is gone', (db) => db.remove(newest), `row ${newest}: there is no such entry`],
    [
      'an account that is gone',
      (db) => db.remove(`account/${walletNumber(1)}`),
      `wallet ${walletNumber(1)}: there is an entry`,
    ],
    [
      'an entry to which no account leads',
      (db) =>
        db.put(`ledger/${String(900).padStart(15, '0')}`, [2, walletNumber(1), 1, 0, 1, 1, 1, '', null, [1, 1], 0]),
      'ledger: 1 entries are in the ledger to which no account leads',
    ],
    [
      'an answer of nobody',
      (db) => db.put('answer/nobody/k', [ROW_VERSION, '', '', 1]),
      'row answer/nobody/k: its key',
    ],
    [
      'tokens that cannot be understood',
      (db) => db.put(`tokens/${walletNumber(1)}`, [ROW_VERSION, 'x']),
      `row tokens/${walletNumber(1)}: tokens is not a list`,
    ],
  ];
  for (const [name, change, wanted] of cases) {
    it(`finds ${name}`, async () => {
      const faults = await faultsAfter(change);
      expect(
        faults.some((fault) => fault.startsWith(wanted)),
        faults.join('\n'),
      ).to.equal(true);
    });
  }
});

describe('a check of ratings', () => {
  let moneyHome: StoreHome;
  let ratingsHome: Awaited<ReturnType<typeof makeRatingsHome>>;
  let store: Store;
  let ratings: RatingsStore;
  const [listed, unlisted] = [walletNumber(1), walletNumber(2)];

  beforeEach(async () => {
    moneyHome = await makeLmdbHome();
    ratingsHome = await makeRatingsHome();
    [store, ratings] = [await moneyHome.open(), await ratingsHome.open()];
  });

  afterEach(async () => {
    await Promise.all([store.close(), ratings.close()]);
    await Promise.all([moneyHome.remove(), ratingsHome.remove()]);
  });

  async function publish(wallets: readonly string[], walletsSeen: number): Promise<readonly string[]> {
    await ratings.putBoardRatings(
      1,
      wallets.map((wallet) => storedRating({ wallet })),
    );
    const walletsByVerdict = { COPY: walletsSeen, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
    await ratings.publish(sampleBoard({ run: 1, walletsSeen, walletsByVerdict, leaderboard: [listed], redList: [] }));
    return (await check(store, ratings)).faults.map(({ where, what }) => `${where}: ${what}`);
  }

  it('finds nothing wrong with a whole board, and counts what is kept', async () => {
    expect(await publish([listed, unlisted], 2)).to.deep.equal([]);
    await ratings.putDemandRating(storedRating({ wallet: walletNumber(3) }));
    expect((await check(store, ratings)).rows).to.include({
      ...{ 'ratings of the board': 2, 'ratings on demand': 1, 'verdicts of days': 2, 'wallets in work': 0 },
    });
  });

  it('finds a listed wallet without a rating, and a board of another number of wallets', async () => {
    expect(await publish([unlisted], 2)).to.deep.equal([
      `board of run 1: it lists ${listed}, which has no rating`,
      'board of run 1: it says 2 wallets, and has 1 ratings',
    ]);
  });
});
