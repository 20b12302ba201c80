import { expect } from 'chai';
import { within } from '#services/within';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('work within a limit', () => {
  const timers = () => new ManualTimers(new ManualClock());
  const never = new Promise<never>(() => {});

  it('gives what the work gives, and leaves no wait behind', async () => {
    const mine = timers();
    const done = await within(Promise.resolve('done'), { timers: mine, ms: 100 }, () => expect.fail('it was in time'));
    expect(done).to.equal('done');
    expect(mine.waiting).to.equal(0);
  });

  it('gives what is said for late work once the time is over', async () => {
    const mine = timers();
    const late = within(never, { timers: mine, ms: 100 }, () => 'late');
    mine.advance(100);
    expect(await late).to.equal('late');
  });

  it('rejects as the work does, and as what is said for late work throws', async () => {
    const mine = timers();
    const failed = await within(Promise.reject(new Error('broken')), { timers: mine, ms: 100 }, () => null).catch(
      String,
    );
    const late = within(never, { timers: mine, ms: 100 }, () => {
      throw new Error('took too long');
    }).catch(String);
    mine.advance(100);
    expect([failed, await late]).to.deep.equal(['Error: broken', 'Error: took too long']);
  });
});
