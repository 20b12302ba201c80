import { expect } from 'chai';
import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { closeLmdbFile, openLmdbFile } from '#adapters/lmdb/open';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import type { RatingsStore } from '#ports/ratings-store';
import type { Store } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import { type StoreFixture, walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { describeCheck } from './check.contract.js';
import { fillSoundStore } from './sound-store.js';

const nothing = () => undefined;
const check = (store: Store, ratings: RatingsStore | null = null) => checkStore({ store, ratings }, nothing);

describeCheck('LMDB', makeLmdbFixture);

describe('a check of a store on LMDB, whose lists are rows of their own', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    const store = await fixture.open();
    await fillSoundStore(store);
    await store.close();
  });

  afterEach(() => fixture.remove());

  /** Changes the file itself, then returns what a check of it finds. */
  async function faultsAfter(change: (db: ReturnType<typeof openLmdbFile>) => Promise<unknown>) {
    const db = openLmdbFile({ path: fixture.path, version: CREDITS_FILE_VERSION, remedy: '' });
    await change(db);
    await closeLmdbFile(db, fixture.path);
    const store = await fixture.open();
    try {
      return (await check(store)).faults.map(({ where, what }) => `${where}: ${what}`);
    } finally {
      await store.close();
    }
  }

  const open = samplePayment(2).key;
  const unproven = samplePayment(7).key;
  const newest = `ledger/${String(1).padStart(15, '0')}`;
  const firstOf = (db: ReturnType<typeof openLmdbFile>, prefix: string) =>
    [...db.getKeys({ start: prefix, limit: 1 })][0]!;
  const cases: readonly (readonly [string, (db: ReturnType<typeof openLmdbFile>) => Promise<unknown>, string])[] = [
    [
      'an answer that the index by expiry has not',
      (db) => db.remove(firstOf(db, 'expiring-answer/')),
      'the index by time does not have it, so that it is never removed',
    ],
    [
      'a place in the index by expiry that leads nowhere',
      (db) => db.put('expiring-answer/000000000000001/nobody', ROW_VERSION),
      'row expiring-answer/000000000000001/nobody: it leads to no row that is to be removed',
    ],
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
    [
      'a sum of what is refuted that no payment explains',
      (db) => db.put('exposure/facilitator/g', [ROW_VERSION, '0', '20001', 1]),
      'exposure of facilitator g: it says 20001 refuted micro-USDC, and the payments say 20000',
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
        faults.some((fault) => fault.includes(wanted)),
        faults.join('\n'),
      ).to.equal(true);
    });
  }
});

describe('a check of ratings', () => {
  let moneyFixture: StoreFixture;
  let ratingsFixture: Awaited<ReturnType<typeof makeRatingsFixture>>;
  let store: Store;
  let ratings: RatingsStore;
  const [listed, unlisted] = [walletNumber(1), walletNumber(2)];

  beforeEach(async () => {
    moneyFixture = await makeLmdbFixture();
    ratingsFixture = await makeRatingsFixture();
    [store, ratings] = [await moneyFixture.open(), await ratingsFixture.open()];
  });

  afterEach(() => Promise.all([moneyFixture.remove(), ratingsFixture.remove()]));

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
      ...{
        'ratings of the board': 2,
        'ratings on demand': 1,
        'bases of ratings': 0,
        'verdicts of days': 2,
        'running wallets': 0,
      },
    });
  });

  it('finds a listed wallet without a rating, and a board of another number of wallets', async () => {
    expect(await publish([unlisted], 2)).to.deep.equal([
      `board of run 1: it lists ${listed}, which has no rating`,
      'board of run 1: it says 2 wallets, and has 1 ratings',
    ]);
  });
});
