import { expect } from 'chai';
import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { openLmdbFile } from '#adapters/lmdb/open';
import { readRaw } from '#adapters/lmdb/raw';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import type { Store, Swept } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { rewriteAsEarlier } from '#test/support/earlier-rows';

const WALLET = walletNumber(1);
const HOUR_MS = 3_600_000;
const T0 = 1_700_000_000_000;
const ROWS = 1_100;
/** Rows of a page of the walk. */
const WALK_ROWS = 500;
const ROWS_PER_LOOK = 400;
/** More than the looks that a walk takes. */
const LOOKS = 5;

describe('rows that an earlier version of the program left, without indexes by time', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let store: Store;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    store = await fixture.open();
    await Promise.all(Array.from({ length: ROWS }, (_, n) => writePair(n + 1)));
    await store.close();
    await rewriteAsEarlier(fixture.path);
    store = await fixture.open();
  });
  afterEach(() => fixture.remove());

  /** An answer that expires, and a payment that was settled, n ms after the beginning. */
  async function writePair(n: number): Promise<void> {
    const answer = { wallet: WALLET, code: null, key: `k${n}`, fingerprint: 'f', body: '{}', expiresAtMs: T0 + n };
    const facts = { state: 'SETTLED', open: false, body: '{}', updatedAtMs: T0 + n } as const;
    const payment = samplePayment(n, facts);
    await store.transact({ payment: payment.key, answer }, () => ({ writes: { answer, payment }, result: null }));
  }

  /** Every kind of look, each as often as it is asked for. */
  async function look(nowMs: number, looks = 1): Promise<readonly [answers: number, payments: number]> {
    const removed: [number, number] = [0, 0];
    const take = ({ removed: count }: Swept, of: 0 | 1) => {
      removed[of] += count;
    };
    for (let n = 0; n < looks; n++) {
      take(await store.sweepAnswers(nowMs, ROWS_PER_LOOK), 0);
      take(await store.trimPayments(nowMs, ROWS_PER_LOOK), 1);
    }
    return removed;
  }

  const keptAnswers = async () => (await store.listing.answers(null, 2 * ROWS)).items.length;
  const answered = async () => (await store.payments(null, 2 * ROWS)).items.filter(({ body }) => body !== null).length;

  /** The keys of all rows that are not found by what they are about. */
  async function indexed(): Promise<readonly string[]> {
    await store.close();
    const db = openLmdbFile({ path: fixture.path, version: CREDITS_FILE_VERSION, remedy: '' });
    const keys = [...db.getKeys({})].filter((key) => /^(expiring-answer|answered-payment)\//.test(key));
    await db.close();
    store = await fixture.open();
    return keys;
  }

  it('are found once they were walked through, a page at a look, which begins when no such program can run', async () => {
    expect(await look(T0 + HOUR_MS, LOOKS)).to.deep.equal([0, 0]);
    expect(await indexed()).to.deep.equal([]);
    expect(await look(T0 + 2 * HOUR_MS)).to.deep.equal([0, 0]);
    expect(await indexed(), 'one page of each').to.have.length(2 * WALK_ROWS);
    expect(await look(T0 + 2 * HOUR_MS, 2 * LOOKS)).to.deep.equal([ROWS, ROWS]);
    expect([await keptAnswers(), await answered()]).to.deep.equal([0, 0]);
    expect(await indexed()).to.deep.equal([]);
  });

  it('stay for as long as they are not due, and then go by the index alone', async () => {
    const early = T0 - 5 * HOUR_MS;
    await look(early);
    await look(early + HOUR_MS, LOOKS);
    expect(await indexed()).to.have.length(2 * ROWS);
    expect([await keptAnswers(), await answered()]).to.deep.equal([ROWS, ROWS]);
    expect(await look(T0 + 4, LOOKS), 'expired by then, and settled before').to.deep.equal([4, 3]);
  });

  it('are walked through once for good: a row without its place is not come to again', async () => {
    await look(T0 - 5 * HOUR_MS);
    await look(T0 - HOUR_MS, LOOKS);
    const whole = await indexed();
    await store.close();
    const db = openLmdbFile({ path: fixture.path, version: CREDITS_FILE_VERSION, remedy: '' });
    await Promise.all(whole.map((key) => db.remove(key)));
    await db.close();
    store = await fixture.open();
    expect(await look(T0 + 9 * HOUR_MS, LOOKS)).to.deep.equal([0, 0]);
    expect([await keptAnswers(), await answered()]).to.deep.equal([ROWS, ROWS]);
  });

  it('are walked through from where the walk was when the process ended, and those that came meanwhile go too', async () => {
    await look(T0);
    for (let n = 0; n < LOOKS; n++) {
      await writePair(ROWS + 1 + n);
      await look(T0 + HOUR_MS);
      await store.close();
      store = await fixture.open();
    }
    await look(T0 + HOUR_MS, 2 * LOOKS);
    expect([await keptAnswers(), await answered()]).to.deep.equal([0, 0]);
  });

  it('wait for as long after a start whose clock was not believed yet', async () => {
    await look(0);
    expect(await look(T0 + 12 * HOUR_MS, LOOKS)).to.deep.equal([0, 0]);
    await look(0);
    expect(await look(T0 + 13 * HOUR_MS, 2 * LOOKS)).to.deep.equal([ROWS, ROWS]);
  });

  it('wait no longer than that for a clock that was wrong when the walk was noted', async () => {
    await look(T0 + 24 * HOUR_MS);
    await look(T0);
    expect(await look(T0 + HOUR_MS, 2 * LOOKS)).to.deep.equal([ROWS, ROWS]);
  });
});

describe('a store that begins with this program', () => {
  it('has nothing to walk through', async () => {
    const fixture = await makeLmdbFixture();
    const store = await fixture.open();
    await store.sweepAnswers(T0, 10);
    await store.close();
    const db = openLmdbFile({ path: fixture.path, version: CREDITS_FILE_VERSION, remedy: '' });
    expect(['meta/expiring-answer', 'meta/answered-payment'].map((key) => readRaw(db, key))).to.deep.equal([
      [ROW_VERSION, 0, null],
      [ROW_VERSION, 0, null],
    ]);
    await db.close();
    await fixture.remove();
  });
});
