import { expect } from 'chai';
import { type GrowingFile, headFault } from '#adapters/lmdb/file';

const PAGE_BYTES = 4_096;

/** A head as LMDB lays it out (`MDB_meta` in mdb.c), of a transaction that is on disk. */
function head(transaction: number, lastPage: number, root = 0): DataView {
  const view = new DataView(new ArrayBuffer(160));
  view.setUint32(24, 0xbeefc0de, true);
  view.setUint32(48, PAGE_BYTES, true);
  view.setBigUint64(136, BigInt(root), true);
  view.setBigUint64(144, BigInt(lastPage), true);
  view.setBigUint64(152, BigInt(transaction), true);
  return view;
}

/**
 * A file of two pages, to which a transaction of two more pages comes right before its heads are
 * read.
 */
function growing(pagesWritten: number): GrowingFile {
  let pages = 2;
  return {
    headAt(position) {
      pages = pagesWritten;
      return position === 0 ? head(0, 1) : head(1, 3);
    },
    sizeNow: () => pages * PAGE_BYTES,
  };
}

describe('the heads of an LMDB file that another process is writing', () => {
  it('speak of no page that is not there yet, however late they are read', () => {
    expect(headFault(growing(4))).to.equal(null);
  });

  it('tell of a file that has lost pages', () => {
    expect(headFault(growing(3))).to.equal('it is cut short');
  });
});

describe('the heads of an LMDB file', () => {
  const [OLDER, NEWEST] = [head(5, 9, 3), head(6, 9, 4)];
  /** A file whose heads are these, at each reading the next ones. */
  const fileOf = (...readings: readonly (readonly [DataView, DataView, DataView])[]): GrowingFile => {
    let read = 0;
    return {
      headAt(position) {
        // The magic number of each page is looked at before its head is read.
        const [first, flushed, second] =
          readings[Math.min(Math.max(Math.ceil(read++ / 3) - 1, 0), readings.length - 1)]!;
        return { 0: first, [PAGE_BYTES / 2]: flushed, [PAGE_BYTES]: second }[position]!;
      },
      sizeNow: () => 10 * PAGE_BYTES,
    };
  };

  for (const [what, flushed] of [
    ['when all is on disk', NEWEST],
    ['before the newest transaction is on disk', OLDER],
    ['long before it is', head(2, 7, 2)],
    ['before anything is', new DataView(new ArrayBuffer(160))],
  ] as const) {
    it(`agree ${what}`, () => {
      expect(headFault(fileOf([NEWEST, flushed, OLDER]))).to.equal(null);
    });
  }

  for (const [what, heads] of [
    ['one that was flushed before its predecessor', [NEWEST, NEWEST, head(5 + 64, 9, 3)]],
    ['two of the same transaction', [NEWEST, NEWEST, head(6, 9, 3)]],
    ['a copy that is newer than both', [NEWEST, head(7, 9, 4), OLDER]],
    ['a copy of the newest with an older number', [NEWEST, head(2, 9, 4), OLDER]],
    ['a copy of the newest with another root', [NEWEST, head(6, 9, 5), OLDER]],
  ] as const) {
    it(`contradict each other: ${what}`, () => {
      expect(headFault(fileOf(heads))).to.equal('its heads contradict each other');
    });
  }

  it('agree after a power cut that took one of them, which was not flushed', () => {
    const unflushed = head(12, 9, 7);
    unflushed.setUint16(52, 0x1000, true);
    expect(headFault(fileOf([unflushed, OLDER, OLDER]))).to.equal(null);
  });

  it('are read once more before they are refused: another process may write between them', () => {
    const torn = [NEWEST, head(8, 9, 6), head(9, 9, 7)] as const;
    expect(headFault(fileOf(torn, [head(10, 9, 8), head(9, 9, 7), head(9, 9, 7)]))).to.equal(null);
  });
});
