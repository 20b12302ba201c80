import { expect } from 'chai';
import { withTimeout, withTimeoutEach } from '#services/with-timeout';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('work within a limit', () => {
  const timers = () => new ManualTimers(new ManualClock());
  const never = new Promise<never>(() => {});

  it('gives what the work gives, and leaves no wait behind', async () => {
    const mine = timers();
    const done = await withTimeout(Promise.resolve('done'), { timers: mine, ms: 100 }, () =>
      expect.fail('it was in time'),
    );
    expect(done).to.equal('done');
    expect(mine.waiting).to.equal(0);
  });

  it('gives what is said for late work once the time is over', async () => {
    const mine = timers();
    const late = withTimeout(never, { timers: mine, ms: 100 }, () => 'late');
    mine.advance(100);
    expect(await late).to.equal('late');
  });

  it('rejects as the work does, and as what is said for late work throws', async () => {
    const mine = timers();
    const broken = Promise.reject(new Error('broken'));
    const failed = await withTimeout(broken, { timers: mine, ms: 100 }, () => null).catch(String);
    const late = withTimeout(never, { timers: mine, ms: 100 }, () => {
      throw new Error('took too long');
    }).catch(String);
    mine.advance(100);
    expect([failed, await late]).to.deep.equal(['Error: broken', 'Error: took too long']);
  });
});

describe('much work within one limit each', () => {
  function limited() {
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    return { timers, inTime: withTimeoutEach({ timers, stopwatch: clock, ms: 100 }, () => 'late') };
  }
  const never = () => new Promise<never>(() => {});

  it('has one timer for all of it, and none once all is done', async () => {
    const { timers, inTime } = limited();
    const works = Array.from({ length: 50 }, (_, n) => inTime(Promise.resolve(n)));
    expect(timers.waiting).to.equal(1);
    expect(await Promise.all(works)).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
    timers.advance(100);
    expect(timers.waiting).to.equal(0);
  });

  it('is late by its own time, however long what began before or after it takes', async () => {
    const { timers, inTime } = limited();
    const ended: string[] = [];
    const report = (name: string, work: Promise<unknown>) => void work.then((what) => ended.push(`${name} ${what}`));
    report('first', inTime(never()));
    timers.advance(60);
    report('second', inTime(never()));
    report('third', inTime(Promise.resolve('done')));
    const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
    await settle();
    expect(ended).to.deep.equal(['third done']);
    timers.advance(40);
    await settle();
    expect(ended).to.deep.equal(['third done', 'first late']);
    timers.advance(59);
    await settle();
    expect(ended).to.have.length(2);
    timers.advance(1);
    await settle();
    expect(ended.at(-1)).to.equal('second late');
    report('fourth', inTime(never()));
    timers.advance(100);
    await settle();
    expect(ended.at(-1)).to.equal('fourth late');
  });

  it('rejects as the work does, and as what is said for late work throws', async () => {
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    const inTime = withTimeoutEach({ timers, stopwatch: clock, ms: 100 }, () => {
      throw new Error('took too long');
    });
    const failed = await inTime(Promise.reject(new Error('broken'))).catch(String);
    const late = inTime(never()).catch(String);
    timers.advance(100);
    expect([failed, await late]).to.deep.equal(['Error: broken', 'Error: took too long']);
  });
});
