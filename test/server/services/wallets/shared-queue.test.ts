import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { WalletRow } from '#ports/ratings-store';
import { WALLET_CLAIM_MS } from '#ports/wallet-claims';
import type { WalletAnswer } from '#services/wallets/contract';
import { newRow } from '#services/wallets/rows';
import { WALLET_BACKOFF } from '#services/wallets/steps';
import { WALLETS_COMPUTED_AT_ONCE, Wallets } from '#services/wallets/wallets';
import { walletNumber } from '#test/contract/store.contract';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { PaperTape, PaperVenue } from '#test/support/paper-venue';
import { postgresServer } from '#test/support/postgres';
import { deferred } from '#test/support/promises';
import { AS_OF_S } from '#test/support/sample-ratings';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const A = walletNumber(0xa);
const POLL_INTERVAL_MS = 5;
const LOOKS_MAX = 4_000;
/**
 * Time passes five times as fast as it does: a machine that is slow for a moment must not look
 * dead.
 */
const STEP_MS = 25;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** One replica: wallets over the shared database, with a venue and a clock of its own. */
class Replica {
  readonly clock = new ManualClock(AS_OF_S * 1e3 + 10 * 3_600_000);
  readonly timers = new ManualTimers(this.clock);
  readonly venue = new PaperVenue();
  patienceMs: number | null = 0;

  private constructor(
    readonly store: Awaited<ReturnType<PostgresRatingsFixture['open']>>,
    readonly wallets: Wallets,
  ) {}

  static async start(fixture: PostgresRatingsFixture, owner: string): Promise<Replica> {
    const clock = new ManualClock(AS_OF_S * 1e3 + 10 * 3_600_000);
    const timers = new ManualTimers(clock);
    const venue = new PaperVenue();
    venue.list(A, 120);
    const store = await fixture.open(clock);
    const self: { replica?: Replica } = {};
    const wallets = new Wallets({
      ...{ store, clock, timers, trades: venue, facts: venue, tape: new PaperTape() },
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      log: silent,
      config: RATING_CONFIG,
      limitCaller: async () => null,
      sharing: { claims: store.claims, owner },
      patienceMs: async () => (self.replica === undefined ? 0 : self.replica.patienceMs),
    });
    const replica = Object.assign(new Replica(store, wallets), { clock, timers, venue });
    self.replica = replica;
    await wallets.resume();
    return replica;
  }

  ask(wallet: WalletAddress): Promise<WalletAnswer> {
    return this.wallets.ask(wallet, '10.0.0.1');
  }

  /** Queues a wallet without looking at the venue, or beginning at once. */
  async queue(wallet: WalletAddress): Promise<void> {
    await this.store.claims.enter(newRow(wallet, this.clock.nowMs()), 10);
  }

  /** Begins with what is queued, and stands at the venue's gate. */
  async beginAndStand(opened: Promise<void>): Promise<void> {
    this.venue.gate = opened;
    await this.until(() => this.venue.calls.pages > 0);
  }

  /** Lets a little time pass again and again, until something has happened. */
  async until(happened: () => boolean | Promise<boolean>, stepMs = STEP_MS): Promise<void> {
    for (let looks = 0; !(await happened()); looks++) {
      if (looks > LOOKS_MAX) throw new Error(`it never happened: ${JSON.stringify(this.wallets.report())}`);
      this.timers.advance(stepMs);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  async settled(wallet: WalletAddress): Promise<WalletAnswer> {
    let answer = await this.ask(wallet);
    await this.until(async () => {
      answer = await this.ask(wallet);
      return answer.kind !== 'queued';
    });
    return answer;
  }

  async stop(): Promise<void> {
    await this.wallets.stop();
    await this.store.close();
  }
}

describe('the queue of wallets that replicas share', function () {
  this.timeout(PROCESS_TEST_MS);
  const makeFixture = postgresRatingsFixtures(postgresServer());
  let fixture: PostgresRatingsFixture;
  let one: Replica;
  let other: Replica;

  beforeEach(async () => {
    fixture = await makeFixture();
    [one, other] = [await Replica.start(fixture, 'one'), await Replica.start(fixture, 'other')];
  });

  afterEach(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await fixture.remove();
  });

  const endClaims = () =>
    fixture.sql(`UPDATE wallet_row SET until = until - interval '${WALLET_CLAIM_MS} milliseconds'`);
  const ownerOf = async (wallet: WalletAddress) =>
    (await fixture.sql(`SELECT owner FROM wallet_row WHERE wallet = '${wallet}'`))[0]?.owner;

  it('rates a wallet once that 500 callers ask about at two replicas, and both give the same answer', async () => {
    const gate = deferred();
    const replicas = [one, other];
    await one.queue(A);
    await one.beginAndStand(gate.promise);
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => replicas[n % 2]!.ask(A)));
    expect(new Set(answers.map(({ kind }) => kind))).to.deep.equal(new Set(['queued']));
    // The other one looks for work again and again meanwhile.
    for (let looks = 0; looks < 5; looks++) {
      other.timers.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 4 * POLL_INTERVAL_MS));
    }
    gate.resolve();
    const [first, second] = [await one.settled(A), await other.settled(A)];
    expect(first.kind).to.equal('rated');
    expect(second).to.deep.equal(first);
    await one.until(() => one.wallets.report().rated === 1);
    expect([other.venue.calls.pages, other.wallets.report().rated]).to.deep.equal([0, 0]);
    expect(await fixture.sql('SELECT wallet FROM wallet_row')).to.deep.equal([]);
  });

  it('takes a wallet over from a replica that is gone, and refuses what that one still writes', async () => {
    const gate = deferred();
    await one.queue(A);
    await one.beginAndStand(gate.promise);
    await endClaims();
    other.clock.advance(7_000);
    const verdict = await other.settled(A);
    expect(verdict.kind).to.equal('rated');
    const stored = await fixture.sql('SELECT doc FROM demand_rating');
    gate.resolve();
    await one.until(() => one.wallets.report().inWork === 0, 0);
    expect(await fixture.sql('SELECT doc FROM demand_rating')).to.deep.equal(stored);
    await other.until(() => other.wallets.report().rated === 1);
    expect(one.wallets.report().rated).to.equal(0);
  });

  it('drops a wallet that another replica has taken, at the next renewal', async () => {
    const gate = deferred();
    await one.queue(A);
    await one.beginAndStand(gate.promise);
    await fixture.sql("UPDATE wallet_row SET owner = 'other', epoch = epoch + 1");
    await one.until(() => one.wallets.report().inWork === 0);
    gate.resolve();
    await fixture.sql('DELETE FROM wallet_row');
    expect(one.wallets.report().rated).to.equal(0);
  });

  it('leaves wallets to replicas that may rate them', async () => {
    one.patienceMs = null;
    const answer = await one.ask(A);
    expect(answer).to.deep.include({ kind: 'queued', position: 1 });
    one.timers.advance(3_000);
    await other.until(async () => (await one.ask(A)).kind === 'rated');
    await other.until(() => other.wallets.report().rated === 1);
    expect([one.venue.calls.pages, one.wallets.report().rated, other.wallets.report().rated]).to.deep.equal([0, 0, 1]);
  });

  it('gives a wallet that it could not rate back, for any replica to try when its rest is over', async () => {
    one.venue.down = true;
    await one.queue(A);
    await one.until(async () => one.wallets.report().failures === 1 && (await ownerOf(A)) === null);
    expect((await other.ask(A)).kind).to.equal('queued');
    expect(one.wallets.report().inWork).to.equal(0);
    one.patienceMs = null;
    other.clock.advance(WALLET_BACKOFF.maxMs);
    expect((await other.settled(A)).kind).to.equal('rated');
  });

  it('hands its wallets over at once when it stops', async () => {
    const gate = deferred();
    await one.queue(A);
    await one.beginAndStand(gate.promise);
    await one.stop();
    expect(await ownerOf(A)).to.equal(null);
    gate.resolve();
    expect((await other.settled(A)).kind).to.equal('rated');
  });

  it('counts the wallets before one in the queue of all, and refuses more than there may be', async () => {
    one.patienceMs = other.patienceMs = null;
    const many = Array.from({ length: 2 * WALLETS_COMPUTED_AT_ONCE }, (_, n) => walletNumber(0x100 + n));
    for (const [n, wallet] of many.entries()) {
      for (const { venue } of [one, other]) venue.list(wallet, 20);
      const replica = n % 2 === 0 ? one : other;
      expect(await replica.ask(wallet)).to.deep.include({ kind: 'queued', position: n + 1 });
      one.clock.advance(1);
      other.clock.advance(1);
    }
    expect(await one.ask(many.at(-1)!)).to.deep.include({ position: many.length });
    await fixture.sql(
      `INSERT INTO wallet_row (wallet, queued_at_ms, not_before_ms, doc)
       SELECT 'x' || n, 1, 1, '' FROM generate_series(1, 2000) n`,
    );
    const refused = await one.ask(A).catch((error: Error) => error);
    expect((refused as Error).message).to.include('Too many wallets are waiting');
    await fixture.sql('DELETE FROM wallet_row');
  });

  it('takes a new wallet before those that failed and rest meanwhile, which do not count as ahead of it', async () => {
    one.patienceMs = other.patienceMs = null;
    one.venue.list(A, 20);
    const nowMs = one.clock.nowMs();
    const failed = {
      state: 'FAILED',
      attempts: 9,
      lastError: 'venue: timeout',
      nextAttemptAtMs: nowMs + 600_000,
    } as const;
    for (let n = 0; n < 5; n++) {
      await one.store.claims.enter({ ...newRow(walletNumber(0x100 + n), nowMs - 3_600_000), ...failed }, 10);
    }
    expect(await one.ask(A)).to.deep.include({ kind: 'queued', position: 1 });
    const laterMs = nowMs + 600_001;
    const [next] = await one.store.claims.take('another', 1, { nowMs: laterMs, queuedUntilMs: laterMs });
    expect(next?.claim.wallet).to.equal(A);
    await fixture.sql('DELETE FROM wallet_row');
  });

  describe('with rows of a replica whose clock was ahead', () => {
    const twoDaysMs = 2 * 86_400_000;
    const tenMinutesMs = 600_000;
    const failed = { state: 'FAILED', attempts: 1, lastError: 'venue: timeout' } as const;
    const cases: readonly (readonly [string, number, Partial<WalletRow> & { readonly aheadMs: number }])[] = [
      ['takes a wallet that was queued days ahead', 1, { aheadMs: twoDaysMs }],
      ['takes one that was queued minutes ahead', 1, { aheadMs: tenMinutesMs }],
      ['takes one that would rest for days', 1, { ...failed, aheadMs: twoDaysMs }],
      [
        'lets one rest that was tried again by a right clock',
        0,
        { ...failed, aheadMs: twoDaysMs, nextAttemptAtMs: 60_000 },
      ],
      ['leaves one to others that was queued just now', 0, { aheadMs: 0 }],
      ['leaves one to others that a clock a little ahead has queued', 0, { aheadMs: 1_000 }],
    ];
    for (const [what, taken, { aheadMs, nextAttemptAtMs, ...row }] of cases) {
      it(what, async () => {
        const nowMs = one.clock.nowMs();
        const restMs = nextAttemptAtMs ?? aheadMs + (row.state === 'FAILED' ? 5_000 : 0);
        const queued = { ...newRow(A, nowMs + aheadMs), ...row, nextAttemptAtMs: nowMs + restMs };
        await one.store.claims.enter(queued, 10);
        const found = await one.store.claims.take('another', 1, { nowMs, queuedUntilMs: nowMs - 3_000 });
        expect(found).to.have.length(taken);
        const { waiting, inWork, resting } = await one.store.claims.summary(nowMs);
        expect([waiting + resting, inWork]).to.deep.equal([1 - taken, taken]);
        await fixture.sql('DELETE FROM wallet_row');
      });
    }

    it('rates a wallet at once that would rest for days', async () => {
      const aheadMs = one.clock.nowMs() + twoDaysMs;
      await one.store.claims.enter({ ...newRow(A, aheadMs), ...failed, nextAttemptAtMs: aheadMs + 5_000 }, 10);
      one.timers.advance(1_000);
      await one.until(() => one.wallets.report().rated === 1, 0);
      expect((await other.ask(A)).kind).to.equal('rated');
    });
  });

  it('rates a wallet whose row cannot be read', async () => {
    await fixture.sql(
      `INSERT INTO wallet_row (wallet, queued_at_ms, not_before_ms, doc) VALUES ('${A}', 1, 1, 'torn')`,
    );
    expect((await one.settled(A)).kind).to.equal('rated');
  });
});
