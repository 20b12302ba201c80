import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import type { JobHold, JobLeases } from '#ports/job-leases';
import { type HeldJob, JobOwner } from '#services/jobs/job-owner';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

/** Leases in memory: who has the job is what a test says. */
class Leases implements JobLeases {
  holder: JobHold | null = null;
  away = false;
  renewals = 0;

  async claim(job: JobHold['job'], owner: string): Promise<JobHold | null> {
    if (this.holder !== null && this.holder.owner !== owner) return null;
    this.holder ??= { job, owner, epoch: 1 };
    return this.holder;
  }

  async renew({ owner, epoch }: JobHold): Promise<boolean> {
    if (this.away) throw new OutsideError('store', 'is away', { failure: 'retryable' });
    this.renewals++;
    return this.holder?.owner === owner && this.holder.epoch === epoch;
  }

  async release({ owner }: JobHold): Promise<void> {
    if (this.holder?.owner === owner) this.holder = null;
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a process that does jobs', () => {
  let leases: Leases;
  let clock: ManualClock;
  let timers: ManualTimers;
  let owner: JobOwner;
  let held: HeldJob;
  let goOn: (end: 'done' | Error) => void;

  beforeEach(() => {
    leases = new Leases();
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    const nothing = () => {};
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
    owner = new JobOwner({ leases, stopwatch: clock, timers, random: { bytes: (n) => new Uint8Array(n) }, log });
  });

  const begin = () =>
    owner.doAlone(
      'night',
      (job) =>
        new Promise<string>((resolve, reject) => {
          held = job;
          goOn = (end) => (end === 'done' ? resolve(end) : reject(end));
          job.signal.addEventListener('abort', () => reject(job.signal.reason));
        }),
    );
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      timers.advance(1_000);
      await settle();
    }
  };

  it('holds on to a job for as long as its work takes, then gives it away', async () => {
    const outcome = begin();
    await settle();
    expect(owner.held).to.deep.equal(['night']);
    await pass(60_000);
    expect(leases.renewals).to.be.within(15, 25);
    goOn('done');
    expect(await outcome).to.deep.equal({ kind: 'done', value: 'done' });
    expect([leases.holder, owner.held, timers.waiting]).to.deep.equal([null, [], 0]);
  });

  it('does not begin what another process is at', async () => {
    leases.holder = { job: 'night', owner: 'another', epoch: 1 };
    expect(await begin()).to.deep.equal({ kind: 'busy' });
    expect(leases.holder.owner).to.equal('another');
  });

  it('gives the work up soon after another process has taken the job', async () => {
    const outcome = begin();
    await settle();
    leases.holder = { job: 'night', owner: 'another', epoch: 2 };
    await pass(4_000);
    expect(await outcome).to.deep.equal({ kind: 'busy' });
    expect(leases.holder.owner).to.equal('another');
  });

  it('gives the work up before another process may have it, if it cannot renew', async () => {
    const outcome = begin();
    await settle();
    leases.away = true;
    await pass(9_000);
    expect(held.signal.aborted).to.equal(false);
    await pass(5_000);
    expect(held.signal.aborted).to.equal(true);
    expect(await outcome).to.deep.equal({ kind: 'busy' });
  });

  it('does not take a set clock for time that has passed', async () => {
    const outcome = begin();
    await settle();
    clock.step(3_600_000);
    await pass(6_000);
    expect(held.signal.aborted).to.equal(false);
    goOn('done');
    expect((await outcome).kind).to.equal('done');
  });

  it('reports what the work fails with, and gives the job away', async () => {
    const outcome = begin();
    await settle();
    goOn(new Error('the tape broke'));
    expect(await outcome.catch((error: Error) => error.message)).to.equal('the tape broke');
    expect(leases.holder).to.equal(null);
  });

  it('takes its turn at a job again and again, and gives it away at its end', async () => {
    expect(await owner.isLeader('sweeper')).to.equal(true);
    expect(owner.held).to.deep.equal(['sweeper']);
    leases.holder = { job: 'sweeper', owner: 'another', epoch: 2 };
    clock.advance(5_000);
    expect(await owner.isLeader('sweeper')).to.equal(false);
    expect(owner.held).to.deep.equal([]);
    leases.holder = null;
    clock.advance(5_000);
    expect(await owner.isLeader('sweeper')).to.equal(true);
    await owner.end();
    expect(leases.holder).to.equal(null);
  });
});
