import { expect } from 'chai';
import { type GrowingFile, headFault } from '#adapters/lmdb/file';

const PAGE_BYTES = 4_096;

/** A head as LMDB lays it out (`MDB_meta` in mdb.c), of a transaction that is on disk. */
function head(transaction: number, lastPage: number): DataView {
  const view = new DataView(new ArrayBuffer(160));
  view.setUint32(24, 0xbeefc0de, true);
  view.setUint32(48, PAGE_BYTES, true);
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
