import { join } from 'node:path';
import { expect } from 'chai';
import { freeBytes } from '#adapters/process/disk-space';
import { rejectionOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';

describe('the room on a disk', () => {
  it('is told of a folder that nobody has needed yet, which a replica without jobs never makes', async () => {
    const folder = tempFolder('room');
    expect(await freeBytes(join(folder, 'none', 'data'))).to.be.above(0);
    expect(await freeBytes('none/data')).to.be.above(0);
  });

  it('is not told where the path leads through a file', async () => {
    expect((await rejectionOf(freeBytes(join(import.meta.filename, 'data')))).message).to.match(/ENOTDIR/);
  });
});
