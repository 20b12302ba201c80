import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openEvidenceKeys } from '#adapters/keys/evidence-keys';
import { ManualClock } from '#test/support/manual-clock';
import { SHORT_LIVED } from '#test/support/short-lived';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/evidence-keys-child.js', import.meta.url));
const run = promisify(execFile);

describe('evidence keys', function () {
  this.timeout(PROCESS_TEST_MS);
  const clock = new ManualClock(Date.UTC(2026, 6, 14));
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = tempFolder('keys');
    path = join(dir, 'evidence-keys');
  });
  const isSigned = (jws: string, text: string, x: string) => {
    const [header, signature] = jws.split('..');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const signed = Buffer.from(`${header}.${Buffer.from(text).toString('base64url')}`);
    return verify(null, signed, key, Buffer.from(signature!, 'base64url'));
  };

  it('are made once, for their owner alone, and are there again after a restart', () => {
    const { kid } = openEvidenceKeys(path, clock).current();
    expect(openEvidenceKeys(path, clock).current().kid).to.equal(kid);
    expect(statSync(path).mode & 0o777).to.equal(0o700);
    const names = readdirSync(path);
    expect(names).to.have.members(['1.json', `${kid}.private.pem`]);
    for (const name of names) expect(statSync(join(path, name)).mode & 0o777, name).to.equal(0o600);
  });

  it('are the same in processes that start at the same time', async () => {
    const children = Array.from({ length: 8 }, () => run(process.execPath, [...SHORT_LIVED, CHILD, path]));
    const kids = (await Promise.all(children)).map(({ stdout }) => stdout);
    expect(new Set(kids).size).to.equal(1);
    expect(readdirSync(path)).to.have.length(2);
  });

  it('are followed by a process that runs while another one rotates and revokes them', () => {
    const [service, operator] = [openEvidenceKeys(path, clock), openEvidenceKeys(path, clock)];
    const first = service.current();
    const version = service.version();
    const second = operator.rotate();
    expect(isSigned(service.sign('a text'), 'a text', second.x)).to.equal(true);
    expect(service.current()).to.include({ kid: second.kid, state: 'current' });
    expect(service.version()).to.not.equal(version);
    expect(service.list().map(({ kid, state }) => [kid, state])).to.deep.equal([
      [second.kid, 'current'],
      [first.kid, 'former'],
    ]);
    const revoked = operator.revoke(second.kid)!;
    expect(revoked).to.include({ state: 'revoked', revokedAtMs: clock.nowMs() });
    const third = service.current();
    expect(isSigned(service.sign('a text'), 'a text', third.x)).to.equal(true);
    expect(service.list().map(({ state }) => state)).to.deep.equal(['current', 'revoked', 'former']);
  });

  it('keep no private part of a key that signs no more', () => {
    const keys = openEvidenceKeys(path, clock);
    keys.rotate();
    const { kid } = keys.rotate();
    expect(readdirSync(path).filter((name) => name.endsWith('.pem'))).to.deep.equal([`${kid}.private.pem`]);
  });

  it('make another key when the private part of the newest is gone', () => {
    const { kid } = openEvidenceKeys(path, clock).current();
    rmSync(join(path, `${kid}.private.pem`));
    const keys = openEvidenceKeys(path, clock);
    expect(keys.current().kid).to.not.equal(kid);
    expect(isSigned(keys.sign('x'), 'x', keys.current().x)).to.equal(true);
  });

  it('say that there is no such key', () => {
    expect(openEvidenceKeys(path, clock).revoke('nobody')).to.equal(null);
  });
});
