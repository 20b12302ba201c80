import { expect } from 'chai';
import fc from 'fast-check';
import { LEDGER, ledgerKey, POSITION_MAX } from '#adapters/lmdb/money/keys';
import { LedgerKeyBytes } from '#adapters/lmdb/money/ledger-key';
import { openLmdbFile } from '#adapters/lmdb/open';
import { putUnderBytes, rangeOf } from '#adapters/lmdb/raw';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import { makeLmdbHome } from '#test/contract/support/lmdb-home';
import { PROPERTY_RUNS } from '#test/support/size';

/** Runs of positions, around those where the number of nines at the end changes above all. */
const starts = fc.oneof(
  fc.nat(1_000),
  fc.integer({ min: 1, max: 14 }).map((digits) => 10 ** digits - 2),
  fc.integer({ min: 0, max: POSITION_MAX - 5 }),
);
const walks = fc.array(fc.record({ from: starts, steps: fc.integer({ min: 1, max: 5 }) }), { minLength: 1 });

describe('the key of a ledger position, in bytes', () => {
  it('is that of its text, after whatever position', () => {
    fc.assert(
      fc.property(walks, (runs) => {
        const keys = new LedgerKeyBytes();
        for (const { from, steps } of runs)
          for (let position = from; position < from + steps; position++)
            expect(Buffer.from(keys.at(position)).toString('latin1')).to.equal(ledgerKey(position));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('ends where its digits end', () => {
    const keys = new LedgerKeyBytes();
    expect(Buffer.from(keys.at(POSITION_MAX)).toString()).to.equal(ledgerKey(POSITION_MAX));
    expect(() => keys.at(POSITION_MAX + 1)).to.throw(RangeError);
  });

  it('finds the row that stands under the text, and the other way round', async () => {
    const home = await makeLmdbHome();
    const db = openLmdbFile({ path: home.path, version: ROW_VERSION, remedy: '' });
    const keys = new LedgerKeyBytes();
    await db.transaction(() => {
      for (let position = 8; position < 12; position++) putUnderBytes(db, keys.at(position), position);
    });
    expect([...db.getRange(rangeOf(LEDGER))]).to.deep.equal(
      [8, 9, 10, 11].map((position) => ({ key: ledgerKey(position), value: position })),
    );
    await db.close();
    await home.remove();
  });
});
