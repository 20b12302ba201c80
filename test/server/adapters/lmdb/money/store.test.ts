import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { asBinary, open } from 'lmdb';
import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { ledgerKey } from '#adapters/lmdb/money/keys';
import { LedgerEnd } from '#adapters/lmdb/money/ledger';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { openLmdbFile } from '#adapters/lmdb/open';
import { readRaw } from '#adapters/lmdb/raw';
import { ROW_VERSION as V } from '#adapters/rows/row-fields';
import { debitCredits, grantLot } from '#domain/credits/credit-changes';
import { emptyAccount, sumRemaining } from '#domain/credits/credits';
import { OutsideError } from '#domain/errors';
import type { Store, StoredAnswer } from '#ports/store';
import { describeStore, walletNumber } from '#test/contract/store.contract';
import { HeldFlushes, makeHeldFixture } from '#test/contract/support/held-flushes';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { LEDGER_SEQUENCES } from '#test/support/size';

describeStore('LMDB', () => makeLmdbFixture());

const [A, B] = [walletNumber(0xa), walletNumber(0xb)];

// A decoder that believes these takes gigabytes for them.
const HUGE_LIST = Buffer.from([0x94, 0x02, 0x01, 0x01, 0xdd, 0xff, 0xff, 0xff, 0xff, 0xc0]);
const HUGE_LISTS = Buffer.concat(Array.from({ length: 200 }, () => Buffer.from([0xdd, 0x01, 0xff, 0xff, 0xff])));

/** The part of LMDB's file that says where everything else is. */
const HEADS_BYTES = 8_192;

const bigAnswer = (n: number): StoredAnswer => ({
  wallet: A,
  code: null,
  key: `k${n}`,
  fingerprint: 'f',
  body: 'x'.repeat(50_000),
  expiresAtMs: 5,
});

/** Writes a raw value under a key, as a broken program or a broken disk would. */
async function damage(path: string, key: string, value: unknown): Promise<void> {
  const raw = open<unknown, string>({ path });
  await raw.put(key, value);
  await raw.flushed;
  await raw.close();
}

/** What it throws comes out as a rejection. */
const readTokens = async (store: Store) => store.tokens(A);

async function rawRow(path: string, key: string): Promise<readonly unknown[]> {
  const raw = open<unknown, string>({ path });
  const row = (readRaw(raw, key) ?? []) as readonly unknown[];
  await raw.close();
  return row;
}

function openFault(path: string): string {
  try {
    openLmdbStore({ path });
  } catch (error) {
    if (error instanceof OutsideError) return error.message;
    throw error;
  }
  throw new Error('it opened');
}

/** Of what a proof plays, on a busy machine. */
const SEQUENCE_MS_MAX = 60;

describe('LMDB stores of two processes on one file', () => {
  /**
   * A store reads what was there when a turn of the event loop began to read: a timer that is set
   * now ends after that.
   */
  const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 1));
  const token = (digit: string) =>
    ({ secretHash: digit.repeat(64), issuedAtMs: 7, scope: 'purchase', code: null }) as const;
  const lot = { kind: 'grant', credits: 100, expiresAtMs: 9_000, source: 'test' } as const;

  it('see at once which tokens the other leaves valid, and a row that it broke', async () => {
    const fixture = await makeLmdbFixture();
    const [one, other] = [await fixture.open(), await fixture.open()];
    try {
      for (const digits of ['1', '2', '123', '3', '']) {
        const set = { wallet: A, tokens: [...digits].map(token) };
        await other.transact({ tokens: A }, () => ({ writes: { tokens: set }, result: null }));
        await nextTurn();
        for (let read = 0; read < 2; read++) expect(await one.tokens(A), digits).to.deep.equal(set);
        expect(await one.tokens(B)).to.equal(null);
      }
      await damage(fixture.path, `tokens/${A}`, 'no list');
      await nextTurn();
      const [fault] = await Promise.allSettled([readTokens(one)]);
      expect(fault.status === 'rejected' && fault.reason.message).to.contain(`row tokens/${A} is malformed`);
    } finally {
      await fixture.remove();
    }
  });

  it('go on from what the other wrote, in turn and in any number', async () => {
    const fixture = await makeLmdbFixture();
    const stores = [await fixture.open(), await fixture.open()] as const;
    const booked = new Map([A, B].map((wallet) => [wallet, 0]));
    const grant = (store: Store, wallet: typeof A) =>
      store.transact({ account: wallet }, ({ account }) => {
        const cause = { operation: 'grant', requestId: null, atMs: 1 };
        return { writes: { change: grantLot(account ?? emptyAccount(wallet), lot, cause) }, result: null };
      });
    try {
      for (const [turn, times] of [1, 3, 2, 1, 1, 4].entries()) {
        const wallet = turn % 3 === 2 ? B : A;
        await Promise.all(Array.from({ length: times }, () => grant(stores[turn % 2]!, wallet)));
        booked.set(wallet, booked.get(wallet)! + times);
        await nextTurn();
        for (const store of stores) {
          for (const each of [A, B]) {
            const numbers = (await store.ledger(each, 100)).map(({ number }) => number);
            expect(numbers).to.deep.equal(Array.from({ length: booked.get(each)! }, (_, n) => n + 1));
            expect((await store.account(each))?.lots.length ?? 0).to.equal(booked.get(each));
          }
        }
      }
    } finally {
      await fixture.remove();
    }
  });

  it('have books that add up, in whatever order they write, and write nothing, to whatever wallets, alone or at once', async () => {
    const wallets = [A, B, walletNumber(0xc)];
    const step = fc.record({
      store: fc.nat(1),
      wallet: fc.constantFrom(...wallets),
      kind: fc.constantFrom('grant', 'debit', 'debit', 'nothing', 'throw'),
      isAwaited: fc.nat(9).map((n) => n > 1),
    });
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const fixture = await makeLmdbFixture();
      const stores = [await fixture.open(), await fixture.open()] as const;
      const change = ({ store, wallet, kind }: (typeof steps)[number]) =>
        stores[store === 0 ? 0 : 1].transact({ account: wallet }, (rows) => {
          if (kind === 'throw') throw new Error('no');
          const account = rows.account ?? emptyAccount(wallet);
          const isNone = kind === 'nothing' || (kind === 'debit' && account.lots.length === 0);
          if (isNone) return { writes: {}, result: 0 };
          const cause = { operation: kind, requestId: null, atMs: 1 };
          const made = kind === 'grant' ? grantLot(account, lot, cause) : debitCredits(account, 1, cause);
          return { writes: { change: made }, result: kind === 'grant' ? lot.credits : -1 };
        });
      const given = new Map(wallets.map((wallet) => [wallet, 0]));
      const running: Promise<unknown>[] = [];
      for (const each of steps) {
        const { wallet } = each;
        const count = (credits: number) => given.set(wallet, given.get(wallet)! + credits);
        running.push(change(each).then(count, () => null));
        if (each.isAwaited) await running.at(-1);
      }
      await Promise.all(running);
      await nextTurn();
      for (const wallet of wallets) {
        const entries = (await stores[0].ledger(wallet, 1_000)).toSorted((x, y) => x.number - y.number);
        expect(entries.map(({ number }) => number)).to.deep.equal(entries.map((_, n) => n + 1));
        let balance = 0;
        for (const { kind, credits, balanceAfter } of entries) {
          balance += kind === 'grant' ? credits : -credits;
          expect(balanceAfter).to.equal(balance);
        }
        const lots = (await stores[0].account(wallet))?.lots ?? [];
        expect([sumRemaining(lots), balance]).to.deep.equal([given.get(wallet), given.get(wallet)]);
      }
      await fixture.remove();
    });
    await fc.assert(property, { numRuns: Math.ceil(LEDGER_SEQUENCES / 10) });
  }).timeout(60_000 + LEDGER_SEQUENCES * SEQUENCE_MS_MAX);

  it('find the end of the ledger again that was thought further than it is', async () => {
    const fixture = await makeLmdbFixture();
    const db = openLmdbFile({ path: fixture.path, version: V, remedy: 'none' });
    try {
      const end = new LedgerEnd(db);
      expect(end.find()).to.equal(0);
      for (const position of [1, 2]) await db.put(ledgerKey(position), position);
      end.moved(4);
      expect(end.find()).to.equal(2);
    } finally {
      await db.close();
      await fixture.remove();
    }
  });

  it('go on after a transaction that did not come about', async () => {
    const fixture = await makeLmdbFixture();
    const store = await fixture.open();
    const grant = (writes: object) =>
      store.transact({ account: A }, ({ account }) => {
        const cause = { operation: 'grant', requestId: null, atMs: 1 };
        return { writes: { change: grantLot(account ?? emptyAccount(A), lot, cause), ...writes }, result: null };
      });
    try {
      await grant({});
      // No key of LMDB is as long: the write throws after the ledger entry was written.
      const promo = {
        code: 'x'.repeat(3_000),
        credits: 1,
        walletsMax: 1,
        redeemed: 0,
        createdAtMs: 1,
        expiresAtMs: 2,
        revokedAtMs: null,
      };
      expect(await grant({ promo }).catch(() => 'failed')).to.equal('failed');
      await grant({});
      expect((await store.ledger(A, 100)).map(({ number, balanceAfter }) => [number, balanceAfter])).to.deep.equal([
        [1, 100],
        [2, 200],
      ]);
    } finally {
      await fixture.remove();
    }
  });
});

describe('LMDB store on a disk that takes its time', () => {
  it('reports no change, and no sweep, before it is on disk, though it can be read', async () => {
    const flushes = new HeldFlushes();
    const fixture = await makeHeldFixture(flushes);
    const store = await fixture.open();
    const done: string[] = [];
    const changes = {
      change: () => store.transact({}, () => ({ writes: { answer: bigAnswer(1) }, result: null })),
      sweep: () => store.sweepAnswers(bigAnswer(1).expiresAtMs, 10),
    };
    for (const [name, make] of Object.entries(changes)) {
      flushes.hold();
      const made = make().then(() => done.push(name));
      const isWritten = async () => ((await store.answer(bigAnswer(1))) !== null) === (name === 'change');
      while (!(await isWritten())) await new Promise(setImmediate);
      await fixture.overtake();
      expect(done, name).to.not.include(name);
      flushes.letGo();
      await made;
    }
    expect(done).to.deep.equal(['change', 'sweep']);
    await fixture.remove();
  });
});

describe('LMDB store with damaged data', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let store: Store;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    store = await fixture.open();
  });

  afterEach(() => fixture.remove());

  const damages: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'nonsense', 'row is not a list'],
    ['an empty list', [], 'schema version is undefined'],
    ['a later version', [V + 1, 1, 0, []], `schema version is ${V + 1}, this program knows ${V}`],
    ['a missing field', [V, 0, 0], 'has 3 fields instead of 4'],
    ['a balance that is not whole', [V, 1, 1, [[1, 0, 5, 1.5, 0, 9, '']]], 'lot.remaining is not a whole number'],
    ['a negative balance', [V, 1, 1, [[1, 0, 5, -1, 0, 9, '']]], 'lot.remaining is not a whole number'],
    ['an unknown kind', [V, 1, 1, [[1, 9, 5, 5, 0, 9, '']]], 'lot.kind is not one that is known'],
    ['bytes that are cut off', asBinary(Buffer.from([0x94, 0x01, 0xd9])), 'claims to hold more than its bytes can'],
    ['more bytes than a row', asBinary(Buffer.from([0x90, 0x01])), 'its end is not where it should be'],
    ['a map', { wallet: A }, 'a kind of value that no row holds'],
    ['a list that claims four billion items', asBinary(HUGE_LIST), 'claims to hold more than its bytes can'],
    ['lists in lists that claim millions', asBinary(HUGE_LISTS), 'claims to hold more than its bytes can'],
    ['lists in lists without end', asBinary(Buffer.alloc(60_000, 0x91).with(59_999, 0x90)), 'cannot be decoded'],
  ];

  for (const [what, value, says] of damages) {
    it(`names the row that holds ${what}, for reads and changes alike, and goes on serving others`, async () => {
      await damage(fixture.path, `account/${A}`, value);
      const change = (wallet: typeof A) => store.transact({ account: wallet }, () => ({ writes: {}, result: 'done' }));
      const [read, changed, other] = await Promise.allSettled([store.account(A), change(A), change(B)]);
      for (const outcome of [read, changed]) {
        const error = outcome?.status === 'rejected' ? outcome.reason : null;
        expect(error).to.be.instanceOf(OutsideError);
        expect(error.message).to.include(`row account/${A} is malformed`).and.include(says);
        expect(error.failure).to.equal('final');
      }
      expect(other).to.deep.include({ status: 'fulfilled', value: 'done' });
      await store.ping();
    });
  }

  it('sweeps past an answer that it cannot read', async () => {
    for (const answer of [bigAnswer(1), bigAnswer(2)]) {
      await store.transact({ answer }, () => ({ writes: { answer }, result: null }));
    }
    const { wallet, key, expiresAtMs } = bigAnswer(1);
    await damage(fixture.path, `answer/${wallet}/${key}`, 'nonsense');
    expect(await store.sweepAnswers(expiresAtMs, 10)).to.deep.equal({ removed: 1, isMore: false });
    expect(await store.sweepAnswers(expiresAtMs, 10), 'it has had its turn').to.include({ removed: 0 });
    expect(String(await store.answer(bigAnswer(1)).catch(String))).to.include('is malformed');
  });

  it('takes the answers of old payments past one that it cannot read', async () => {
    for (const n of [1, 2]) {
      const old = samplePayment(n, { state: 'SETTLED', open: false, body: '{}', updatedAtMs: 1 });
      await store.transact({ payment: old.key }, () => ({ writes: { payment: old }, result: null }));
    }
    await damage(fixture.path, `payment/${samplePayment(1).key}`, 'nonsense');
    expect(await store.trimPayments(2, 10)).to.deep.equal({ removed: 1, isMore: false });
  });

  it('refuses a token whose scope is missing, rather than guess how far it reaches', async () => {
    await damage(fixture.path, `tokens/${A}`, [V, [['ab'.repeat(32), 1]]]);
    const [read] = await Promise.allSettled([readTokens(store)]);
    expect(read.status === 'rejected' && read.reason.message)
      .to.include(`row tokens/${A}`)
      .and.include('scope');
  });

  it('names the payment that it cannot understand, for reads and changes alike', async () => {
    const row = samplePayment(1);
    await store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    const good = await rawRow(fixture.path, `payment/${row.key}`);
    const faults: readonly (readonly [number, unknown, string])[] = [
      [1, 4, 'state is not one that is known'],
      [5, [0, '0xABC', [], '', null, null], 'payment.asset is not an address'],
      [6, ['', '', '2.5', row.demand.asset, row.demand.payTo], 'demand.amountMicros is not a text of digits'],
      [8, -1, 'intentBlock is not a whole number'],
      [12, 1, 'open is neither true nor false'],
    ];
    for (const [at, value, says] of faults) {
      await damage(fixture.path, `payment/${row.key}`, good.with(at, value));
      const change = store.transact({ payment: row.key }, () => ({ writes: {}, result: null }));
      for (const outcome of await Promise.allSettled([store.payment(row.key), change])) {
        const error = outcome.status === 'rejected' ? outcome.reason : null;
        expect(error).to.be.instanceOf(OutsideError);
        expect(error.message).to.include(`row payment/${row.key} is malformed: ${says}`);
      }
    }
  });

  it('lists the open payments beside one that it cannot read, and says which that is', async () => {
    const rows = [1, 2, 3].map((n) => samplePayment(n));
    for (const row of rows) {
      await store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    }
    const gone = samplePayment(4).key;
    await damage(fixture.path, `payment/${rows[1]!.key}`, 'nonsense');
    await damage(fixture.path, `open-payment/${gone}`, V);
    const { items, faults, next } = await store.openPayments(null, 10);
    expect(items).to.deep.equal([rows[0], rows[2]]);
    expect(faults.map(({ message }) => message.split(';')[0])).to.deep.equal([
      `store: row payment/${rows[1]!.key} is malformed: row is not a list`,
      `store: row open-payment/${gone} is malformed: there is no such payment`,
    ]);
    expect(next).to.equal(null);
  });

  it('does not open data of a later schema', async () => {
    await damage(fixture.path, 'meta/schema', CREDITS_FILE_VERSION + 1);
    const [found, known] = [CREDITS_FILE_VERSION + 1, CREDITS_FILE_VERSION];
    expect(openFault(fixture.path)).to.include(`has schema ${found}, this program knows ${known}`);
  });

  it('does not open a file that is not LMDB, or was cut short, and says so instead of crashing', async () => {
    for (let n = 0; n < 3; n++) {
      const redemption = { code: 'FILL', wallet: walletNumber(n), atMs: n };
      await store.transact({}, () => ({ writes: { redemption }, result: null }));
    }
    await store.close();
    truncateSync(fixture.path, 9_000);
    expect(openFault(fixture.path)).to.include('cut short');
    for (const bytes of ['hello', '\u0000'.repeat(100), 'x'.repeat(50_000)]) {
      writeFileSync(fixture.path, bytes);
      expect(openFault(fixture.path)).to.include('it is not an LMDB file');
    }
    writeFileSync(fixture.path, '');
    store = openLmdbStore({ path: fixture.path });
    await store.ping();
  });

  it('opens a copy that was taken between two changes, and says so where its end is older than its beginning', async () => {
    const torn: string[] = [];
    for (let n = 0; n < 6; n++) {
      const before = readFileSync(fixture.path);
      await store.transact({}, () => ({ writes: { answer: bigAnswer(n) }, result: null }));
      const now = readFileSync(fixture.path);
      const copy = `${fixture.path}-${n}.lmdb`;
      writeFileSync(copy, now);
      const opened = openLmdbStore({ path: copy });
      expect(await opened.answer({ wallet: A, code: null, key: `k${n}` })).to.deep.equal(bigAnswer(n));
      await opened.close();
      writeFileSync(copy, Buffer.concat([now.subarray(0, HEADS_BYTES), before.subarray(HEADS_BYTES)]));
      torn.push(openFault(copy));
    }
    for (const fault of torn) expect(fault).to.include('cut short');
  });
});
