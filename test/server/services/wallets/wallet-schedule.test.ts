import { expect } from 'chai';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { SecondsSpan } from '#domain/rating/unseen';
import {
  NIGHT_PATIENCE_MS,
  WALLET_PATIENCE_MS,
  type WalletJobs,
  WalletSchedule,
} from '#services/wallets/wallet-schedule';
import { ManualClock } from '#test/support/manual-clock';
import { AS_OF_S, sampleBoard } from '#test/support/sample-ratings';

const DAY_S = 86_400;

describe('what a process does about wallets of a shared store', () => {
  let clock: ManualClock;
  let spans: SecondsSpan[];

  beforeEach(() => {
    clock = new ManualClock(AS_OF_S * 1e3 + 4 * 3_600_000);
    spans = [];
  });

  const schedule = (jobs: WalletJobs, holds: boolean) => {
    const look = async (span: SecondsSpan) => {
      spans.push(span);
      return holds;
    };
    return new WalletSchedule({ jobs, clock, config: RATING_CONFIG, holdsAllListed: look, holdsAll: look });
  };
  const night = (mine: WalletSchedule, lateMs: number, board: ReturnType<typeof sampleBoard> | null = sampleBoard()) =>
    mine.isNightOurs({ board, dueS: AS_OF_S, lateMs });

  it('is to rate wallets at once if its tape covers the window, and later if it does not', async () => {
    expect(await schedule('auto', true).walletPatienceMs()).to.equal(0);
    expect(await schedule('auto', false).walletPatienceMs()).to.equal(WALLET_PATIENCE_MS);
    expect(spans[0]).to.deep.equal({ fromS: AS_OF_S - 90 * DAY_S, toS: AS_OF_S - 1 });
  });

  it('looks at the tape now and then, and not for every wallet', async () => {
    const mine = schedule('auto', true);
    for (let n = 0; n < 5; n++) await mine.walletPatienceMs();
    expect(spans).to.have.length(1);
    clock.advance(30_000);
    await mine.walletPatienceMs();
    expect(spans).to.have.length(2);
  });

  it('is to rate the board if its tape covers the window', async () => {
    expect(await night(schedule('auto', true), 0)).to.equal(true);
    expect(await night(schedule('auto', false), 0)).to.equal(false);
  });

  it('is to rate it all the same when nobody else has for ten minutes that it could see', async () => {
    const mine = schedule('auto', false);
    expect(await night(mine, NIGHT_PATIENCE_MS), 'it has just started').to.equal(false);
    clock.advance(NIGHT_PATIENCE_MS);
    expect(await night(mine, NIGHT_PATIENCE_MS - 1), 'it is not that late').to.equal(false);
    expect(await night(mine, NIGHT_PATIENCE_MS)).to.equal(true);
  });

  it('is to rate the first board of all, whatever its tape holds', async () => {
    expect(await night(schedule('auto', false), 0, null)).to.equal(true);
  });

  it('is what WALLET_JOBS says if that is not auto', async () => {
    for (const holds of [true, false]) {
      const [on, off] = [schedule('on', holds), schedule('off', holds)];
      expect([await on.walletPatienceMs(), await night(on, 0)]).to.deep.equal([0, true]);
      expect([await off.walletPatienceMs(), await night(off, 0, null)]).to.deep.equal([null, false]);
    }
    expect(spans).to.deep.equal([]);
  });
});
