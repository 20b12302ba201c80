import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import type { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { boundedStore, CHANGE_MS_MAX } from '#services/bounded-store';
import { type Credits, createCredits } from '#services/credits/credits';
import { startRefunds } from '#services/credits/refunds';
import { walletNumber } from '#test/contract/store.contract';
import { type HeldFixture, HeldFlushes, makeHeldFixture } from '#test/contract/support/held-flushes';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { deferred } from '#test/support/promises';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { bearerOf, request } from '../support/credits-home.js';

const WALLET = walletNumber(1);
const KEY = { key: 'k', fingerprint: 'f' };
const CHILD = fileURLToPath(new URL('../support/refunds-child.js', import.meta.url));
/** After this long a debit of a process that is gone is given back. */
const GONE_MS = 30_000;

let lives = 0;
const randomOf = (life: number) => ({
  next: () => 0.5,
  bytes: (length: number) => new Uint8Array(createHash('sha256').update(`life ${life}`).digest().subarray(0, length)),
});
const serve = (store: Store, clock: ManualClock): Credits =>
  createCredits({ store, ...CREDIT_SECRETS, clock, random: randomOf(++lives) });

/** Kinds and credits of the wallet's ledger, in order. */
const booked = async (store: Store) => (await store.ledger(WALLET, 100)).map(({ kind, credits }) => [kind, credits]);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: OutsideError) => error.failure,
  );
const balance = async (credits: Credits) => (await credits.balanceOf(bearerOf(WALLET))).balance;

describe('a debit on a disk that does not answer in time', () => {
  const flushes = new HeldFlushes();
  let fixture: HeldFixture;
  let clock: ManualClock;
  let timers: ManualTimers;
  let store: Store;
  let credits: Credits;

  beforeEach(async () => {
    fixture = await makeHeldFixture(flushes);
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    store = await fixture.open();
    credits = serve(boundedStore(store, { timers, stopwatch: clock }), clock);
    await credits.grant(WALLET, 10, 30, '');
  });
  afterEach(async () => {
    flushes.letGo();
    await fixture.remove();
  });

  /** Charges while the disk is held, until the caller is told that it took too long. */
  async function chargeInVain(facts: Parameters<typeof request>[0] = {}): Promise<string> {
    flushes.hold();
    const failure = failureOf(credits.charge(request({ requestId: 'lost', ...facts })));
    while ((await store.account(WALLET))?.lastEntry === 1) await new Promise(setImmediate);
    timers.advance(CHANGE_MS_MAX);
    return failure;
  }

  it('may have been made: without a key it is given back, once, when it turns out that it was', async () => {
    expect(await chargeInVain()).to.equal('unknown');
    expect(await balance(credits), 'before it is known').to.equal(10);
    flushes.letGo();
    await credits.settleDebits();
    await credits.settleDebits();
    const ledger = await store.ledger(WALLET, 10);
    expect(ledger.map(({ kind, credits: moved, requestId }) => [kind, moved, requestId])).to.deep.equal([
      ['grant', 10, null],
      ['debit', 1, 'lost'],
      ['refund', 1, 'lost'],
    ]);
    expect(await balance(credits)).to.equal(10);
  });

  it('is given back with the next call too, if that comes first', async () => {
    await chargeInVain();
    flushes.letGo();
    expect(await credits.charge(request())).to.include({ kind: 'charged', creditsRemaining: 9 });
    await credits.settleDebits();
    expect(await booked(store)).to.deep.equal([
      ['grant', 10],
      ['debit', 1],
      ['refund', 1],
      ['debit', 1],
    ]);
  });

  it('has its answer under its key: a repeat gets that, and nothing is given back', async () => {
    expect(await chargeInVain({ idempotency: KEY })).to.equal('unknown');
    flushes.letGo();
    await credits.settleDebits();
    expect(await credits.charge(request({ idempotency: KEY }))).to.include({ kind: 'replayed' });
    clock.advance(GONE_MS);
    expect(await booked(store)).to.deep.equal([
      ['grant', 10],
      ['debit', 1],
    ]);
    expect(await balance(credits)).to.equal(9);
  });

  it('is tried to be given back again and again while the disk does not answer', async () => {
    await chargeInVain();
    for (let round = 0; round < 2; round++) {
      const settled = failureOf(credits.settleDebits());
      await fixture.overtake();
      timers.advance(CHANGE_MS_MAX);
      expect(await settled).to.equal('unknown');
    }
    flushes.letGo();
    await credits.settleDebits();
    expect(await booked(store)).to.deep.equal([
      ['grant', 10],
      ['debit', 1],
      ['refund', 1],
    ]);
  });

  it('is not made any more once its caller was told so', async () => {
    const turn = deferred();
    const queued: Store = { ...store, transact: (keys, rule) => turn.promise.then(() => store.transact(keys, rule)) };
    const waiting = serve(boundedStore(queued, { timers, stopwatch: clock }), clock);
    const failures = [null, KEY].map((idempotency) => failureOf(waiting.charge(request({ idempotency }))));
    await new Promise(setImmediate);
    timers.advance(CHANGE_MS_MAX);
    expect(await Promise.all(failures)).to.deep.equal(['retryable', 'retryable']);
    turn.resolve();
    await fixture.overtake();
    await waiting.settleDebits();
    expect(await booked(store)).to.deep.equal([['grant', 10]]);
  });

  it('is given back by the next life when its process dies before it could', async () => {
    await chargeInVain();
    flushes.letGo();
    const next = serve(store, clock);
    expect(await balance(next), 'the other process may still answer').to.equal(9);
    clock.advance(GONE_MS);
    expect(await balance(next)).to.equal(10);
    await Promise.all([next.charge(request()), serve(store, clock).charge(request())]);
    expect(await booked(store)).to.deep.equal([
      ['grant', 10],
      ['debit', 1],
      ['refund', 1],
      ['debit', 1],
      ['debit', 1],
    ]);
  });

  it('is not given back once it was answered, also not by another process or after a restart', async () => {
    await credits.charge(request());
    expect(await balance(serve(store, clock))).to.equal(9);
    await credits.settleDebits();
    clock.advance(GONE_MS);
    expect(await balance(credits)).to.equal(9);
    expect(await balance(serve(store, clock))).to.equal(9);
  });

  it('is not given back once it was answered, though the first looks after it failed', async () => {
    let isAway = true;
    const away: Store['transact'] = () => Promise.reject(new Error('the store is away'));
    const failing: Store = { ...store, transact: (...args) => (isAway ? away(...args) : store.transact(...args)) };
    const served = serve(failing, clock);
    isAway = false;
    await served.charge(request());
    isAway = true;
    for (let round = 0; round < 2; round++) expect(await failureOf(served.settleDebits())).to.not.equal('nothing');
    isAway = false;
    await served.settleDebits();
    clock.advance(GONE_MS);
    expect(await balance(serve(store, clock))).to.equal(9);
  });

  it('is looked after every second, and a last time at the stop', async () => {
    const stop = startRefunds({ credits, timers }, (error) => {
      throw error;
    });
    await chargeInVain();
    flushes.letGo();
    timers.advance(1_000);
    while ((await booked(store)).length < 3) await new Promise(setImmediate);
    await credits.charge(request());
    expect((await store.account(WALLET))?.unanswered).to.have.length(1);
    await stop();
    expect((await store.account(WALLET))?.unanswered).to.deep.equal([]);
  });
});

describe('a debit without a key in a process that ends', function () {
  this.timeout(PROCESS_TEST_MS);

  /** Runs the child until it prints `until` or ends, and returns what it printed. */
  async function run(command: readonly string[], until: string | null): Promise<readonly string[]> {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const closed = once(child, 'close');
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line === until) child.kill('SIGKILL');
    }
    await closed;
    return lines;
  }

  async function later(path: string): Promise<{ balance: number; kinds: readonly string[] }> {
    const store = openLmdbStore({ path });
    const credits = serve(store, new ManualClock(Date.now() + GONE_MS));
    await credits.charge(request({ credits: 1_000_000_000 }));
    const kinds = (await store.ledger(WALLET, 100_000)).map(({ kind }) => kind);
    const result = { balance: await balance(credits), kinds };
    await store.close();
    return result;
  }

  it('is given back after a kill between the late debit and its refund', async () => {
    const fixture = await makeLmdbFixture();
    const lines = await run([process.execPath, CHILD, fixture.path, 'held'], 'unknown');
    expect(lines).to.deep.equal(['unknown']);
    expect(await later(fixture.path)).to.deep.equal({ balance: 1_000, kinds: ['grant', 'debit', 'refund'] });
    await fixture.remove();
  });

  it('costs nothing on a full disk: what was answered is paid, and nothing else', async () => {
    const fixture = await makeLmdbFixture();
    // A limit on the size of files stands for the end of the disk: writing beyond it fails.
    const shell = `trap '' XFSZ; ulimit -f 300; exec "$0" "$@"`;
    const lines = await run(['/bin/sh', '-c', shell, process.execPath, CHILD, fixture.path, 'full'], null);
    const answered = lines.filter((line) => line === 'charged').length;
    expect(answered).to.be.above(3);
    expect(lines.at(-1)).to.equal('unknown');
    const { balance: left } = await later(fixture.path);
    // Of the last answer the disk may have been too full to note that it went out.
    expect(left).to.be.within(1_000 - answered, 1_000 - answered + 1);
    await fixture.remove();
  });
});
