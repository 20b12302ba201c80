import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { linkIn, lockPath, recordedFolder } from '#adapters/lmdb/lock-folder';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const OPENER = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/opening-child'));
const DYING_WRITER = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/dying-writer-child'));

/** Where LMDB has the number of the last commit in its lock file. */
const COMMIT_NUMBER_AT = 8;

/** As long as a process may take to close a file before it is taken to hang. */
const CLOSING_MS = 20_000;

/** Puts the number of the last commit in a lock file back by one: as if its writer had not come that far. */
function takeBackCommitNumber(lockFile: string): void {
  const file = openSync(lockFile, 'r+');
  const number = Buffer.alloc(8);
  readSync(file, number, 0, 8, COMMIT_NUMBER_AT);
  number.writeBigUInt64LE(number.readBigUInt64LE() - 1n);
  writeSync(file, number, 0, 8, COMMIT_NUMBER_AT);
  closeSync(file);
}

describe('closing an LMDB file', function () {
  this.timeout(PROCESS_TEST_MS);

  before(function () {
    if (!existsSync('/dev/shm')) skipLoudly(this, 'no file system in memory at /dev/shm');
  });

  it('ends also where another process died between the two steps of a commit', async () => {
    const path = join(tempFolder('closing'), 'credits.lmdb');
    const child = spawn(process.execPath, [...SHORT_LIVED, OPENER, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface(child.stdout);
      expect(await once(lines, 'line')).to.deep.equal(['opened']);
      const { signal } = spawnSync(process.execPath, [...SHORT_LIVED, DYING_WRITER, path]);
      expect(signal).to.equal('SIGKILL');
      takeBackCommitNumber(lockPath(linkIn(recordedFolder(path)!, path)));
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(CLOSING_MS) });
      child.stdin.end();
      expect(await exit).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
