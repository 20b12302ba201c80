import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exposureOf } from '#compose/private-files';

describe('a data directory', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'preflight-private-'));
    mkdirSync(join(dir, 'tape'), { mode: 0o700 });
    writeFileSync(join(dir, 'tape', 'a.parquet'), '', { mode: 0o600 });
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is well kept while it is not there yet, and while nobody else can enter it', () => {
    expect(exposureOf(join(dir, 'none'))).to.equal(null);
    chmodSync(join(dir, 'tape', 'a.parquet'), 0o644);
    expect(exposureOf(dir)).to.equal(null);
  });

  it('is reported with the first file that others can read, and with what to do', () => {
    chmodSync(dir, 0o755);
    chmodSync(join(dir, 'tape', 'a.parquet'), 0o640);
    expect(exposureOf(dir)).to.match(/a\.parquet is open to other users .* chmod -R go-rwx /);
    chmodSync(join(dir, 'tape', 'a.parquet'), 0o600);
    expect(exposureOf(dir)).to.include(`${dir} is open to other users`);
  });
});
