import { expect } from 'chai';
import fc from 'fast-check';
import { writeAccount, writeLedger } from '#adapters/lmdb/money/written-rows';
import { openLmdbFile } from '#adapters/lmdb/open';
import type { Rows } from '#adapters/lmdb/raw';
import { RowWriter } from '#adapters/lmdb/row-writer';
import { type AccountRow, encodeAccount, type LedgerRow } from '#adapters/rows/credit-rows';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import { LEDGER_KINDS, LOT_KINDS } from '#domain/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbHome } from '#test/contract/support/lmdb-home';
import { PROPERTY_RUNS } from '#test/support/size';
import { encodeLedger, encodeRaw } from './encoded-rows.js';

const EDGES = [0, 0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff, 0x100000000];
const counts = fc.oneof(fc.constantFrom(...EDGES, Number.MAX_SAFE_INTEGER), fc.maxSafeNat(), fc.nat(300));
const texts = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ maxLength: 80, unit: 'binary' }),
  fc
    .constantFrom(31, 32, 63, 64, 255, 256, 65_536)
    .chain((length) => fc.constantFrom('a'.repeat(length), 'é'.repeat(length))),
);
const lots = (max: number) =>
  fc.array(
    fc.record({
      id: counts,
      kind: fc.constantFrom(...LOT_KINDS),
      credits: counts,
      remaining: counts,
      grantedAtMs: counts,
      expiresAtMs: counts,
      source: texts,
    }),
    { maxLength: max },
  );
const notes = fc.record({ id: texts, operation: texts, requestId: texts, atMs: counts, lots: lots(3) });
const accounts: fc.Arbitrary<AccountRow> = fc.record({
  account: fc.record({
    wallet: fc.constant(walletNumber(1)),
    lastEntry: counts,
    lots: lots(20),
    unanswered: fc.array(notes, { maxLength: 20 }),
  }),
  tail: counts,
});
const entries: fc.Arbitrary<LedgerRow> = fc.record({
  entry: fc.record({
    wallet: fc.constant(walletNumber(1)),
    number: counts,
    kind: fc.constantFrom(...LEDGER_KINDS),
    credits: counts,
    balanceAfter: counts,
    atMs: counts,
    operation: texts,
    requestId: fc.option(texts),
    lots: fc.array(fc.record({ lotId: counts, credits: counts }), { maxLength: 20 }),
  }),
  previous: counts,
});

describe('rows of a debit, written without the encoder', () => {
  let db: Rows;
  let remove: () => Promise<void>;

  before(async () => {
    const home = await makeLmdbHome();
    db = openLmdbFile({ path: home.path, version: ROW_VERSION, remedy: 'none' });
    remove = async () => {
      await db.close();
      await home.remove();
    };
  });

  after(() => remove());

  it('are refused where they could not be read again', () => {
    const writer = new RowWriter();
    writer.begin();
    for (const value of [1.5, 70.5, -1, -33, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(() => writer.count(value), String(value)).to.throw(RangeError);
    }
  });

  it('have lists of any length', () => {
    const writer = new RowWriter();
    for (const length of [15, 16, 65_535, 65_536]) {
      writer.begin();
      writer.list(length);
      for (let n = 0; n < length; n++) writer.count(1);
      const same = writer.end().equals(
        encodeRaw(
          db,
          Array.from({ length }, () => 1),
        ),
      );
      expect(same, String(length)).to.equal(true);
    }
  });

  it('are the bytes that the encoder makes of the same values, one row after the other', () => {
    const writer = new RowWriter();
    const property = fc.property(accounts, entries, (account, entry) => {
      writer.begin();
      writeAccount(writer, account);
      expect(writer.end().equals(encodeRaw(db, encodeAccount(account))), 'account').to.equal(true);
      writer.begin();
      writeLedger(writer, entry);
      expect(writer.end().equals(encodeRaw(db, encodeLedger(entry))), 'ledger').to.equal(true);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 10 });
  });
});
