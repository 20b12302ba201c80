import { expect } from 'chai';
import { Flushes } from '#adapters/lmdb/flushes';
import { deferred } from '#test/support/promises';

const never = new Promise<never>(() => undefined);
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

/** A database whose flushes are those that the test says. */
class Flushing {
  flushed: Promise<unknown> = never;
}

describe('waiting for the disk', () => {
  it('ends each wait with its own flush, whatever the ones before and after do', async () => {
    const db = new Flushing();
    const flushes = new Flushes(db);
    const open: (() => void)[] = [];
    const ends: string[] = [];
    const waits = ['a', 'b', 'c'].map((name) => {
      db.flushed = new Promise<void>((resolve) => open.push(resolve));
      return flushes.until(flushes.next()).then(() => ends.push(name));
    });
    for (const at of [1, 0, 2]) {
      open[at]!();
      await waits[at];
    }
    expect(ends).to.deep.equal(['b', 'a', 'c']);
  });

  it('ends with the flush of what was written when it was asked for, not with one that began since', async () => {
    const db = new Flushing();
    const flushes = new Flushes(db);
    db.flushed = Promise.resolve();
    const flush = flushes.next();
    db.flushed = never;
    expect(await messageOf(flushes.until(flush))).to.equal('done');
  });

  it('is no unhandled rejection where a flush fails that nobody waits for', async () => {
    const db = new Flushing();
    db.flushed = Promise.reject(new Error('no space left'));
    new Flushes(db).next();
    await new Promise(setImmediate);
  });

  it('fails with the flush', async () => {
    const db = new Flushing();
    db.flushed = Promise.reject(new Error('no space left'));
    const failing = new Flushes(db);
    expect(await messageOf(failing.until(failing.next()))).to.equal('no space left');
  });

  it('gives up what has waited too long, and nothing that came later', async () => {
    const db = new Flushing();
    const flushes = new Flushes(db, 40);
    db.flushed = never;
    const ends: string[] = [];
    const late = flushes.until(flushes.next()).catch(() => ends.push('late'));
    await new Promise((resolve) => setTimeout(resolve, 25));
    const flush = deferred();
    db.flushed = flush.promise;
    const sound = flushes.until(flushes.next()).then(
      () => ends.push('done'),
      () => ends.push('given up'),
    );
    await late;
    flush.resolve();
    await sound;
    expect(ends).to.deep.equal(['late', 'done']);
  });

  it('gives up all that have waited too long, and goes on afterwards', async () => {
    const db = new Flushing();
    const flushes = new Flushes(db, 20);
    for (let turn = 0; turn < 2; turn++) {
      db.flushed = never;
      const late = 'no flush within 20 ms';
      expect(
        await Promise.all([flushes.until(flushes.next()), flushes.until(flushes.next())].map(messageOf)),
      ).to.deep.equal([late, late]);
      db.flushed = Promise.resolve();
      expect(await messageOf(flushes.until(flushes.next()))).to.equal('done');
    }
  });
});
