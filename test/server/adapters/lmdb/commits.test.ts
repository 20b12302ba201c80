import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Batch, openCommits } from '#adapters/lmdb/commits';
import type { Rows } from '#adapters/lmdb/raw';
import { deferred } from '#test/support/promises';

const nothing = () => {};
const batch: Batch = { finish: nothing };
const work = (result: string) => ({ decide: () => ({ result, write: nothing }) });

/** One transaction of the database below, each step of which the test takes. */
interface Held {
  readonly decide: () => void;
  readonly commit: () => void;
  readonly flush: () => void;
  readonly fail: (error: Error) => void;
}

/** A database whose transactions come on as far as the test says. */
class HeldDatabase {
  readonly transactions: Held[] = [];
  flushed: Promise<unknown> = Promise.resolve();
  removed = 0;

  childTransaction(decide: () => void): Promise<void> {
    const flushed = deferred();
    this.flushed = flushed.promise;
    return new Promise((commit, fail) => this.transactions.push({ decide, commit, flush: flushed.resolve, fail }));
  }

  remove(): Promise<boolean> {
    this.removed++;
    return Promise.resolve(false);
  }

  async take(at: number, ...steps: Exclude<keyof Held, 'fail'>[]): Promise<void> {
    for (const step of steps) this.transactions[at]![step]();
    await turn();
  }
}

describe('commits of an LMDB store', () => {
  let db: HeldDatabase;
  let done: string[];
  let run: (result: string) => void;

  beforeEach(() => {
    db = new HeldDatabase();
    done = [];
    const commits = openCommits(db as unknown as Rows, () => batch);
    run = (result) => void commits.run(work(result)).then((one) => done.push(one));
  });

  it('take all that waits in one transaction, and answer when that is on the disk', async () => {
    for (const one of ['a', 'b']) run(one);
    expect(db.transactions).to.have.length(1);
    await db.take(0, 'decide', 'commit');
    expect(done, 'committed alone').to.deep.equal([]);
    await db.take(0, 'flush');
    expect(done).to.deep.equal(['a', 'b']);
  });

  it('wait for their own flush, and not for that of a transaction that was asked for before theirs was committed', async () => {
    run('a');
    await db.take(0, 'decide');
    run('b');
    expect(db.transactions).to.have.length(2);
    await db.take(0, 'commit', 'flush');
    expect(done).to.deep.equal(['a']);
    await db.take(1, 'decide', 'commit', 'flush');
    expect(done).to.deep.equal(['a', 'b']);
  });

  it('begin at once where a crowd comes, so that the writing thread is ready by the time that all have come', async () => {
    for (let n = 0; n < 100; n++) run(`${n}`);
    expect(db.transactions).to.have.length(1);
    expect(db.removed).to.equal(1);
    // A process that ends while a transaction is under way is killed.
    for (let at = 0; at < db.transactions.length; at++) await db.take(at, 'decide', 'commit', 'flush');
    expect(done).to.have.length(100);
  });

  it('decide the second half of a large crowd while the first one is written, and leave no one out', async () => {
    for (let n = 0; n < 300; n++) run(`${n}`);
    expect(db.transactions).to.have.length(1);
    await db.take(0, 'decide');
    expect([db.transactions.length, db.removed], 'the first is not on the disk').to.deep.equal([2, 2]);
    await db.take(1, 'decide');
    await db.take(0, 'commit', 'flush');
    expect(done).to.deep.equal(Array.from({ length: 150 }, (_, n) => `${n}`));
    await db.take(1, 'commit', 'flush');
    await db.take(2, 'decide', 'commit', 'flush');
    expect(done).to.deep.equal(Array.from({ length: 300 }, (_, n) => `${n}`));
  });

  it('carry out what waits also where it stops, and where a transaction before fails', async () => {
    const commits = openCommits(db as unknown as Rows, () => batch);
    const ends: Promise<string>[] = [];
    for (let n = 0; n < 600; n++) {
      ends.push(
        commits.run(work(`${n}`)).then(
          () => 'done',
          () => 'failed',
        ),
      );
    }
    const stopped = commits.stop();
    db.transactions[0]!.fail(new Error('the disk is full'));
    await turn();
    for (let at = 1; at < db.transactions.length; at++) await db.take(at, 'decide', 'commit', 'flush');
    await stopped;
    const all = await Promise.all(ends);
    expect(['failed', 'done'].map((end) => all.filter((one) => one === end).length)).to.deep.equal([300, 300]);
  });
});
