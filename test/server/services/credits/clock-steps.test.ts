import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits/credits';
import { decidePurchase } from '#services/credits/purchase';
import { expiredAnswers, startTrimmer, type Trimmer } from '#services/trimmer';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { believedFrom } from '#test/server/services/support/believed';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { bearerOf, request } from '../support/credits-home.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WALLET = walletNumber(1);
const REPEATED = { idempotency: { key: 'k', fingerprint: 'f' } };

describe('credits while the wall clock is set', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let store: Store;
  let clock: ManualClock;
  let timers: ManualTimers;
  let credits: Credits;
  let trimmer: Trimmer;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    store = await fixture.open();
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    // As the service is composed.
    const { time } = believedFrom(clock);
    credits = createCredits({ store, ...CREDIT_SECRETS, clock: time, lapses: time.lapses, random: systemRandom });
    const onError = (error: unknown) => {
      throw error;
    };
    trimmer = startTrimmer(expiredAnswers(store), { clock: time.lapses, timers, onError });
    await credits.grant(WALLET, 10, 2, '');
  });
  afterEach(async () => {
    trimmer.stop();
    await fixture.remove();
  });

  const charge = async () => (await credits.charge(request(REPEATED))).kind;
  const debits = async () => (await store.ledger(WALLET, 100)).filter(({ kind }) => kind === 'debit').length;
  const balance = async () => (await credits.balanceOf(bearerOf(WALLET))).balance;
  /** Lets the trimmer look once. */
  async function sweep(): Promise<void> {
    timers.advance(10_000);
    await store.ping();
    await new Promise(setImmediate);
  }

  for (const stepMs of [-HOUR, HOUR, 25 * HOUR]) {
    const name = `${stepMs / HOUR} h`;

    it(`debits a key once, before and after a step of ${name} and a sweep`, async () => {
      expect(await charge()).to.equal('charged');
      clock.step(stepMs);
      expect(await charge()).to.equal('replayed');
      await sweep();
      expect(await charge()).to.equal('replayed');
      clock.advance(DAY - 11_000);
      await sweep();
      expect(await charge(), 'kept for as long as ever').to.equal('charged');
      expect(await debits()).to.equal(2);
    });

    it(`keeps what is charged after a step of ${name} for as long as ever when the clock is set right again`, async () => {
      clock.step(stepMs);
      expect(await charge()).to.equal('charged');
      clock.step(-stepMs);
      clock.advance(DAY - 11_000);
      await sweep();
      expect(await charge()).to.equal('replayed');
      expect(await debits()).to.equal(1);
    });

    it(`debits once when the clock is set by ${name} in the middle of a debit and of a sweep`, async () => {
      await charge();
      const work = [credits.charge(request({ ...REPEATED, idempotency: { key: 'k2', fingerprint: 'f' } })), sweep()];
      clock.step(stepMs);
      await Promise.all(work);
      const repeat = await credits.charge(request({ idempotency: { key: 'k2', fingerprint: 'f' } }));
      expect([repeat.kind, await charge()]).to.deep.equal(['replayed', 'replayed']);
      expect(await debits()).to.equal(2);
    });

    it(`neither ends credits nor a code early nor brings them back by a step of ${name}`, async () => {
      await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 9, days: 1 });
      clock.step(stepMs);
      expect(await balance()).to.equal(10);
      expect(await credits.redeem('SPRING', walletNumber(2))).to.include({ kind: 'redeemed' });
      clock.advance(2 * DAY);
      expect(await balance()).to.equal(0);
      expect(await credits.redeem('SPRING', walletNumber(3))).to.deep.equal({ kind: 'expired' });
      clock.step(-stepMs);
      expect(await balance()).to.equal(0);
      expect(await credits.redeem('SPRING', walletNumber(3))).to.deep.equal({ kind: 'expired' });
    });
  }

  describe('by a command on a machine that is two days ahead', () => {
    const inTwoDays = { nowMs: () => clock.nowMs() + 2 * DAY, elapsedMs: () => clock.elapsedMs() };
    const cause = { wallet: WALLET, requestId: 'r', transaction: '0x1', secret: new Uint8Array(32) };
    let command: Credits;

    beforeEach(() => {
      command = createCredits({ store, ...CREDIT_SECRETS, clock: inTwoDays, random: systemRandom });
    });

    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'a grant': () => command.grant(WALLET, 1, 365, ''),
      'a revocation, which takes nothing that seems to be over': () => command.revokeCredits(WALLET, 'all', ''),
      'the end of a code': async () => {
        await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 9, days: 9 });
        await credits.redeem('SPRING', WALLET);
        await command.revokePromo('SPRING');
      },
      'a pack that is bought': () =>
        store.transact({ account: WALLET, tokens: WALLET }, (rows) => {
          const { writes } = decidePurchase(rows, { ...cause, nowMs: inTwoDays.nowMs() });
          return { writes, result: null };
        }),
    };
    for (const [change, make] of Object.entries(changes)) {
      it(`lose none of those that have a day left with ${change}`, async () => {
        await make();
        const lots = (await store.account(WALLET))?.lots ?? [];
        expect(lots.find(({ source }) => source === '')?.remaining).to.equal(10);
        expect((await store.ledger(WALLET, 100)).map(({ kind }) => kind)).not.to.include('expire');
      });
    }
  });
});
