import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import { DAY_S } from '#domain/time';
import type { Board } from '#ports/ratings-store';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits/credits';
import { boardThatCounts } from '#services/ratings/job';
import { lastDueAsOf, RatingSchedule } from '#services/ratings/schedule';
import type { BelievedClock } from '#services/time/believed-clock';
import { expiredAnswers, oldRepeats, startTrimmer, type Trimmer } from '#services/trimmer';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { sampleBoard } from '#test/support/sample-ratings';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { believedFrom } from '../support/believed.js';
import { bearerOf, request } from '../support/credits-home.js';
import { newPayment, startPaymentsRig, TX } from '../support/payments-rig.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WALLET = walletNumber(1);
const KEPT = { idempotency: { key: 'k', fingerprint: 'f' } };

const STEPS = { '-2 d': -2 * DAY, '-1 h': -HOUR, '-90 s': -90_000, '+90 s': 90_000, '+1 h': HOUR, '+2 d': 2 * DAY };
/** What a process that has just started has heard, or one that was right before. */
const MOMENTS = ['while it runs', 'at a start', 'at a start that has heard nobody'] as const;

/** The clock is wrong by so much from that moment on. */
function wrongClock(clock: ManualClock, stepMs: number, moment: (typeof MOMENTS)[number]): BelievedClock {
  if (moment !== 'while it runs') clock.step(stepMs);
  const { time, hear } = believedFrom(clock, { hears: moment !== 'at a start that has heard nobody' });
  if (moment === 'while it runs') {
    clock.step(stepMs);
    hear();
  }
  return time;
}

for (const [name, stepMs] of Object.entries(STEPS)) {
  for (const moment of MOMENTS) {
    describe(`a clock that is wrong by ${name} ${moment}`, () => {
      let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
      let store: Store;
      let clock: ManualClock;
      let timers: ManualTimers;
      let time: BelievedClock;
      let credits: Credits;
      let trimmers: readonly Trimmer[];

      beforeEach(async () => {
        fixture = await makeLmdbFixture();
        store = await fixture.open();
        clock = new ManualClock();
        timers = new ManualTimers(clock);
        // A life of before, in which the clock was right: a lot and a code with a day left.
        const before = createCredits({ store, ...CREDIT_SECRETS, clock, random: systemRandom });
        await before.grant(WALLET, 10, 1, '');
        await before.createPromo({ code: 'SPRING', credits: 5, walletsMax: 9, days: 1 });
        await before.charge(request(KEPT));
        time = wrongClock(clock, stepMs, moment);
        credits = createCredits({ store, ...CREDIT_SECRETS, clock: time, lapses: time.lapses, random: systemRandom });
        const onError = (error: unknown) => {
          throw error;
        };
        const deps = { clock: time.lapses, timers, onError };
        trimmers = [startTrimmer(expiredAnswers(store), deps), startTrimmer(oldRepeats(store), deps)];
      });
      afterEach(async () => {
        for (const trimmer of trimmers) trimmer.stop();
        await fixture.remove();
      });

      /** Lets the sweepers look once. */
      async function sweep(): Promise<void> {
        timers.advance(10_000);
        await store.ping();
        await new Promise(setImmediate);
      }
      const removed = () => trimmers.reduce((sum, trimmer) => sum + trimmer.removed(), 0);
      const balance = async () => (await credits.balanceOf(bearerOf(WALLET))).balance;
      const entries = async (kind: string) => (await store.ledger(WALLET, 100)).filter((one) => one.kind === kind);

      it('sweeps no kept answer away, and charges its key once', async () => {
        await sweep();
        expect(removed()).to.equal(0);
        expect((await credits.charge(request(KEPT))).kind).to.equal('replayed');
        expect(await entries('debit')).to.have.length(1);
      });

      it('ends no credits that have a day left, and books no expiry', async () => {
        expect(await balance()).to.equal(9);
        expect((await credits.charge(request())).kind).to.equal('charged');
        expect([await balance(), await entries('expire')]).to.deep.equal([8, []]);
      });

      it('ends no code that has a day left', async () => {
        expect(await credits.redeem('SPRING', walletNumber(2))).to.include({ kind: 'redeemed' });
      });

      it('makes no board before its time', async () => {
        const due = lastDueAsOf(clock.elapsedMs());
        const made: number[] = [];
        const schedule = new RatingSchedule({
          store: { board: async (): Promise<Board> => sampleBoard({ asOfS: due }), runReport: async () => null },
          job: {
            run: async (asOfS) => {
              made.push(asOfS);
              return { kind: 'busy' };
            },
          },
          clock: time,
          isTimeKnown: () => time.isConfirmed,
          random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
          log: { debug() {}, info() {}, warn() {}, error() {} },
          timers,
        });
        schedule.start();
        await sweep();
        await schedule.stop();
        expect(made).to.deep.equal([]);
      });

      if (moment !== 'at a start that has heard nobody') {
        it('dates and ends all in its time, by those who are right', async () => {
          expect(Math.abs(time.nowMs() - clock.elapsedMs())).to.be.at.most(5_000);
          expect(time.report()).to.include({ isConfirmed: true, aheadMs: stepMs });
          clock.advance(DAY + 5_000);
          await sweep();
          expect([removed(), await balance()]).to.deep.equal([1, 0]);
          expect(await credits.redeem('SPRING', walletNumber(3))).to.deep.equal({ kind: 'expired' });
        });

        it('goes on to settle payments of clients that have the right time', async () => {
          const rig = await startPaymentsRig({ time: (manual) => wrongClock(manual, stepMs, moment) });
          try {
            const right = new ManualClock(rig.clock.elapsedMs());
            expect(await rig.pay(newPayment(right))).to.include({ kind: 'answered', transaction: TX });
          } finally {
            await rig.close();
          }
        });
      } else {
        it('is told of, and ends what is over once somebody has been heard', async () => {
          expect([time.isConfirmed, time.report().aheadMs]).to.deep.equal([false, null]);
          clock.advance(DAY + 5_000);
          expect(await balance()).to.equal(9);
          time.hear('gamma', clock.elapsedMs());
          expect([time.isConfirmed, time.report().aheadMs]).to.deep.equal([false, stepMs]);
          time.hear('facilitator', clock.elapsedMs());
          await sweep();
          expect([time.isConfirmed, removed(), await balance()]).to.deep.equal([true, 1, 0]);
        });
      }
    });
  }
}

describe('a board of a day that has not come', () => {
  it('does not count', () => {
    const clock = new ManualClock();
    const today = Math.floor(clock.nowMs() / 1e3 / DAY_S) * DAY_S;
    const [made, early] = [sampleBoard({ asOfS: today }), sampleBoard({ asOfS: today + 2 * DAY_S })];
    expect([boardThatCounts(made, clock), boardThatCounts(early, clock)]).to.deep.equal([made, null]);
  });
});
