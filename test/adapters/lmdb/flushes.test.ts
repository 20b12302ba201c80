import { expect } from 'chai';
import { Flushes } from '#adapters/lmdb/flushes';

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
      return flushes.all().then(() => ends.push(name));
    });
    for (const at of [1, 0, 2]) {
      open[at]!();
      await waits[at];
    }
    expect(ends).to.deep.equal(['b', 'a', 'c']);
  });

  it('fails with the flush', async () => {
    const db = new Flushing();
    db.flushed = Promise.reject(new Error('no space left'));
    expect(await messageOf(new Flushes(db).all())).to.equal('no space left');
  });

  it('gives up all that wait once the oldest has waited too long, and goes on afterwards', async () => {
    const db = new Flushing();
    const flushes = new Flushes(db, 20);
    for (let turn = 0; turn < 2; turn++) {
      db.flushed = never;
      const late = 'no flush within 20 ms';
      expect(await Promise.all([flushes.all(), flushes.all()].map(messageOf))).to.deep.equal([late, late]);
      db.flushed = Promise.resolve();
      expect(await messageOf(flushes.all())).to.equal('done');
    }
  });
});
