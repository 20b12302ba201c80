import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runPreflight } from './support/run-preflight.js';

const NOBODY = 65_534;

describe('a command of root on the data directory of another user', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let dataDir: string;

  before(async function () {
    if (process.getuid?.() !== 0) skipLoudly(this, 'only root can act as another user');
    dir = tempFolder('owner');
    chmodSync(dir, 0o755);
    dataDir = join(dir, 'data');
    await openCredits(dataDir).store.close();
    openEvidence(dataDir);
    const made = readdirSync(dataDir, { recursive: true }) as string[];
    for (const path of [dataDir, ...made.map((name) => join(dataDir, name))]) {
      chownSync(path, NOBODY, NOBODY);
    }
  });
  it('leaves nothing there that the service could not read, and a backup where root alone may write', async () => {
    const env = { DATA_DIR: dataDir };
    const rotated = await runPreflight(['admin', 'evidence', 'rotate'], { env });
    expect(rotated.exitCode, rotated.stderr).to.equal(0);
    const owners = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid]);
    expect(owners.filter(([, uid]) => uid !== NOBODY)).to.deep.equal([]);
    const backup = await runPreflight(['admin', 'backup', '--to', join(dir, 'backup')], { env });
    expect(backup.exitCode, backup.stderr).to.equal(0);
    expect(statSync(join(dir, 'backup')).uid).to.equal(0);
  });
});
