import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOrderClaims } from '#client/guard/state/order-claims';
import { ManualClock } from '#test/support/manual-clock';
import { tempFolder } from '#test/support/temp-folder';

describe('a claim whose file is damaged', () => {
  it('lets nothing be claimed, and says by which remedy the cap begins again', () => {
    const root = tempFolder('claims');
    const folder = join(root, 'claims');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, '000000000001.json');
    writeFileSync(path, '', { mode: 0o600 });
    const claims = fileOrderClaims(folder, new ManualClock());
    const remedy = `${path} is not a claim: it is damaged. Move ${folder} away, and the daily cap counts from nothing`;
    expect(() => claims.claim('a', 1n, 10n)).to.throw(remedy);
    renameSync(folder, join(root, 'away'));
    expect(claims.claim('a', 1n, 10n)).to.deep.equal({ kind: 'claimed' });
    expect(claims.claimedMicros()).to.equal(1n);
  });
});
