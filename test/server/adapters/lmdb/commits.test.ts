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
}

/** A database whose transactions come on as far as the test says. */
class HeldDatabase {
  readonly transactions: Held[] = [];
  flushed: Promise<unknown> = Promise.resolve();
  removed = 0;

  childTransaction(decide: () => void): Promise<void> {
    const [flushed, committed] = [deferred(), deferred()];
    this.flushed = flushed.promise;
    this.transactions.push({ decide, commit: committed.resolve, flush: flushed.resolve });
    return committed.promise;
  }

  remove(): Promise<boolean> {
    this.removed++;
    return Promise.resolve(false);
  }

  async take(at: number, ...steps: (keyof Held)[]): Promise<void> {
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
});
