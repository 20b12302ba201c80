import { expect } from 'chai';
import fc from 'fast-check';
import { asBinary, open, type RootDatabase } from 'lmdb';
import { BROKEN_END, msgpackEnd } from '#adapters/lmdb/msgpack-shape';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { PROPERTY_RUNS } from '#test/support/size';

/** All that rows are made of. Whole numbers are of every width; texts of every length class. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.integer({ min: -200, max: 300 }),
    fc.double(),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('x'.repeat(31), 'x'.repeat(256), 'x'.repeat(65_535), 'x'.repeat(65_536)),
    fc.array(tie('value'), { maxLength: 40 }),
  ),
})).value;

/** What is wrong with bytes that are to be one value, and nothing behind it. */
function msgpackFault(bytes: Uint8Array): string | null {
  const end = msgpackEnd(bytes);
  if (typeof end === 'string') return end;
  return end === bytes.length ? null : BROKEN_END;
}

describe('the shape of a row’s bytes', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let db: RootDatabase<unknown, string>;
  before(async () => {
    fixture = await makeLmdbFixture();
    db = open<unknown, string>({ path: fixture.path });
  });
  after(async () => {
    await db.close();
    await fixture.remove();
  });

  it('is sound for everything that the encoder writes of texts, numbers, flags and lists', () => {
    const property = fc.property(value, (written) => {
      db.putSync('row', written);
      expect(msgpackFault(db.getBinary('row')!)).to.equal(null);
    });
    fc.assert(property, { numRuns: (3 * PROPERTY_RUNS) / 100 });
    db.putSync('row', Array(70_000).fill(0));
    expect(msgpackFault(db.getBinaryFast('row')!)).to.equal(null);
  });

  it('is faulty where a sound row is cut short or goes on', () => {
    const property = fc.property(value, fc.nat(), (written, cut) => {
      db.putSync('row', written);
      const bytes = db.getBinary('row')!;
      expect(msgpackFault(bytes.subarray(0, cut % bytes.length))).to.be.a('string');
      expect(msgpackFault(Buffer.concat([bytes, bytes]))).to.be.a('string');
    });
    fc.assert(property, { numRuns: (3 * PROPERTY_RUNS) / 100 });
  });

  it('is sound only for bytes that decode to no more values than there are bytes', () => {
    const heads = fc.constantFrom(
      0x91,
      0x93,
      0xa2,
      0xc0,
      0xc4,
      0xcb,
      0xd3,
      0xd9,
      0xda,
      0xdb,
      0xdc,
      0xdd,
      0xdf,
      0x00,
      0xff,
    );
    const bytes = fc.array(fc.oneof(heads, fc.nat({ max: 255 })), { minLength: 1, maxLength: 40 });
    const property = fc.property(bytes, (list) => {
      const raw = Buffer.from(list);
      if (msgpackFault(raw) !== null) return;
      db.putSync('row', asBinary(raw) as unknown);
      expect(countValues(db.get('row'))).to.be.at.most(raw.length);
    });
    fc.assert(property, { numRuns: 2 * PROPERTY_RUNS });
  });
});

function countValues(decoded: unknown): number {
  return Array.isArray(decoded) ? decoded.reduce<number>((sum, item) => sum + countValues(item), 1) : 1;
}
