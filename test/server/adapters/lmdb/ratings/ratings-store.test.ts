import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { open } from 'lmdb';
import { openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { readRaw } from '#adapters/lmdb/raw';
import { RATINGS_VERSION as V } from '#adapters/rows/rating-rows';
import { OutsideError } from '#domain/errors';
import { keptBoards } from '#services/ratings/kept-boards';
import { describeBasisStore } from '#test/contract/basis-store.contract';
import { describeFollowStore } from '#test/contract/follow-store.contract';
import { describeRatingsStore } from '#test/contract/ratings-store.contract';
import { describeScoreStore } from '#test/contract/score-store.contract';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { linesOf, throwDice } from '#test/support/killed-process';
import { until } from '#test/support/live-verdicts';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { KILL_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { CHILD_WALLETS } from '../../support/ratings-kill-child.js';

describeRatingsStore('LMDB', makeRatingsFixture);
describeScoreStore('LMDB', makeRatingsFixture);
describeBasisStore('LMDB', makeRatingsFixture);
describeFollowStore('LMDB', makeRatingsFixture);

const CHILD = fileURLToPath(new URL('../../support/ratings-kill-child.js', import.meta.url));
const A = walletNumber(0xa);
/** The child is killed at a random moment within this time of its first board. */
const KILL_WITHIN_MS = 250;

/** Changes a row behind the store's back, as a broken program or a broken disk would. */
async function damage(path: string, key: string, change: (row: readonly unknown[]) => unknown): Promise<void> {
  const raw = open<unknown, string>({ path });
  await raw.put(key, change((readRaw(raw, key) ?? []) as readonly unknown[]));
  await raw.flushed;
  await raw.close();
}

describe('LMDB ratings that are read again and again', () => {
  it('are understood anew only when their row says something else, also by another process', async () => {
    const fixture = await makeRatingsFixture();
    const [store, other] = [await fixture.open(), await fixture.open()];
    await other.putBoardRatings(1, [storedRating({ wallet: A })]);
    await other.publish(sampleBoard({ run: 1 }));
    await other.putDemandRating(storedRating({ wallet: A }));
    const reads = () => Promise.all([store.boardRating(A), store.demandRating(A)]);
    const [first, again] = [await reads(), await reads()];
    expect(first[0])
      .to.equal(again[0])
      .and.deep.equal(storedRating({ wallet: A }));
    expect(first[1]).to.equal(again[1]);
    await other.putDemandRating(storedRating({ wallet: A, pending: 9 }));
    await other.putBoardRatings(2, [storedRating({ wallet: A, pending: 8 })]);
    expect(await store.boardRating(A), 'not in force yet').to.equal(first[0]);
    await other.publish(sampleBoard({ run: 2 }));
    // What another one committed is seen from the next turn of the event loop on.
    await until('the new board is seen', async () => (await store.board())?.run === 2);
    expect((await reads()).map((rating) => rating?.rating.pending)).to.deep.equal([8, 9]);
    await fixture.remove();
  });
});

describe('LMDB ratings with damaged data', () => {
  let fixture: Awaited<ReturnType<typeof makeRatingsFixture>>;

  beforeEach(async () => {
    fixture = await makeRatingsFixture();
    const store = await fixture.open();
    await store.putBoardRatings(1, [storedRating({ wallet: A })]);
    await store.publish(sampleBoard({ run: 1 }));
    await store.putDemandRating(storedRating({ wallet: A }));
    await store.close();
  });

  afterEach(() => fixture.remove());

  const rating = (row: readonly unknown[]) => row[4] as readonly unknown[];
  const damages: readonly (readonly [string, (row: readonly unknown[]) => unknown, string])[] = [
    ['a text', () => 'nonsense', 'row is not a list'],
    ['a later version', (row) => row.with(0, V + 1), `schema version is ${V + 1}, this program knows ${V}`],
    ['a field too few', (row) => row.slice(0, -1), 'row has 4 fields instead of 5'],
    ['a verdict that is not one', (row) => row.with(4, rating(row).with(1, 'BUY')), 'verdict is not one that is known'],
    ['a ROI that is no number', (row) => row.with(4, rating(row).with(9, '30')), 'roiSlippagePct is not a number'],
    ['a pool that is cut', (row) => row.with(4, rating(row).with(28, [1])), 'window has 1 fields instead of 10'],
  ];

  for (const [what, change, says] of damages) {
    it(`names the rating that holds ${what}, and goes on serving others`, async () => {
      await damage(fixture.path, `demand/${A}`, change);
      const store = await fixture.open();
      const [read, other] = await Promise.allSettled([store.demandRating(A), store.boardRating(A)]);
      expect(read.status === 'rejected' && read.reason).to.be.instanceOf(OutsideError);
      expect(read.status === 'rejected' && read.reason.message)
        .to.include(`row demand/${A} is malformed`)
        .and.include(says);
      expect(other.status).to.equal('fulfilled');
      await store.close();
    });
  }

  it('puts the next board in force although a rating cannot be read', async () => {
    await damage(fixture.path, `demand/${A}`, () => 'nonsense');
    const store = await fixture.open();
    await store.publish(sampleBoard({ run: 2 }));
    expect((await store.board())?.run).to.equal(2);
    await store.close();
  });

  it('refuses a file of another schema, and one that is none, and says what to do', async () => {
    await damage(fixture.path, 'meta/schema', () => 99);
    expect(() => openLmdbRatings({ path: fixture.path }))
      .to.throw('schema 99')
      .with.property('failure', 'final');
    writeFileSync(fixture.path, 'x'.repeat(10_000));
    expect(() => openLmdbRatings({ path: fixture.path })).to.throw(
      'not an LMDB file; remove it, and rate the tape again',
    );
  });
});

describe('LMDB ratings of runs that came to nothing', () => {
  it('are gone from the disk, with their verdicts, when the next run begins', async () => {
    const fixture = await makeRatingsFixture();
    const store = await fixture.open();
    const many = Array.from({ length: 1_500 }, (_, n) => storedRating({ wallet: walletNumber(n + 1) }));
    await store.putBoardRatings(1, [storedRating({ wallet: A })]);
    await store.publish(sampleBoard({ run: 1 }));
    await store.putBoardRatings(2, many);
    await store.putBoardRatings(3, [storedRating({ wallet: A })]);
    await store.close();
    const raw = open<unknown, string>({ path: fixture.path });
    const keysOf = (start: string) => [...raw.getKeys({ start, end: `${start}~` })].length;
    expect([keysOf('rating/'), keysOf('history/')]).to.deep.equal([2, 2]);
    await raw.close();
    await fixture.remove();
  });
});

describe('LMDB ratings when the process is killed', () => {
  it('have the old or the new board in force, whole, whatever instant the process dies', async function () {
    this.timeout(PROCESS_TEST_MS);
    const dice = throwDice();
    const fixture = await makeRatingsFixture();
    let acknowledged = 0;
    const runs: number[] = [];
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const { lines, killed } = await linesOf(CHILD, [fixture.path], dice.next() * KILL_WITHIN_MS);
      expect(killed, 'the child was not killed').to.equal(true);
      for (const line of lines)
        if (line.startsWith('published ')) acknowledged = Number(line.slice('published '.length));
      const where = `seed ${dice.seed}, round ${round}`;
      const store = await fixture.open();
      const board = await store.board();
      const run = board?.run ?? 0;
      expect(run, where).to.be.at.least(acknowledged);
      for (let n = 1; n <= CHILD_WALLETS; n++) {
        expect((await store.boardRating(walletNumber(n)))?.rating.reasonText, where).to.equal(`run ${run}`);
      }
      expect((await store.history(walletNumber(1), 100_000)).length, where).to.equal(run);
      const { boards } = await keptBoards(store.follows);
      const kept = boards.map(({ run: of, wallets }) => [of, ...wallets]);
      const each = Array.from({ length: run }, (_, n) => [n + 1, walletNumber(n + 1)]);
      expect(kept, `${where}: boards that are followed`).to.deep.equal(each);
      runs.push(run);
      await store.close();
    }
    console.log(`      seed ${dice.seed}: ${KILL_ROUNDS} kills, board in force after each ${runs.join(' ')}`);
    await fixture.remove();
  });
});
