import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileState, Preflight } from '#client/node/index';
import { mountOrSkip } from '#test/support/mounted';
import { type Account, newAccount } from '#test/support/signed-payments';
import { tempFolder } from '#test/support/temp-folder';
import { type HostileServer, startHostileServer } from '../support/hostile-server.js';

const DISK = ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs'];
const PAGE_BYTES = 4_096;
const ORDER = { slug: 'a-market', usd: 25 };

describe('a client whose disk takes no more', () => {
  let disk: string;
  let isMounted = false;
  let server: HostileServer;

  before(async function () {
    disk = tempFolder('disk');
    mountOrSkip(this, ...DISK, disk);
    isMounted = true;
    server = await startHostileServer({}, 'v2');
  });
  after(async () => {
    await server?.close();
    // Not with -l: it would hide a file that is still open.
    if (isMounted) execFileSync('umount', [disk]);
  });

  /** Leaves so many pages free; 0: not a byte. */
  function fill(freePages: number): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - freePages * PAGE_BYTES));
  }

  /** Makes one purchase; returns how it ended, and what was signed and sent. */
  async function buy(account: Account, nonces = new Set<unknown>()) {
    const sentBefore = server.seen.paid;
    let signatures = 0;
    const signTypedData: typeof account.signTypedData = (data) => {
      signatures++;
      nonces.add((data.message as { readonly nonce?: unknown }).nonce);
      return account.signTypedData(data);
    };
    const ledger = fileState(join(disk, 'state'));
    const payer = { address: account.address, signTypedData };
    const preflight = new Preflight({ baseUrl: server.url, account: payer, ledger });
    const ends = await preflight.verdict(ORDER).then(
      () => 'answered',
      (error) => error.rule ?? error.name,
    );
    return { ends, signatures, sent: server.seen.paid - sentBefore };
  }
  const spent = (address: string) => fileState(join(disk, 'state')).ledger.spent(address.toLowerCase(), 'cents');

  it('signs nothing on a disk that is full, takes nothing from its budget, and pays when there is room again', async () => {
    const account = newAccount();
    fill(0);
    for (let n = 0; n < 3; n++) {
      expect(await buy(account)).to.deep.equal({ ends: 'ledger_unavailable', signatures: 0, sent: 0 });
    }
    rmSync(join(disk, 'filler'));
    expect(await spent(account.address)).to.equal(0);
    expect(await buy(account)).to.deep.equal({ ends: 'answered', signatures: 1, sent: 1 });
    expect(await spent(account.address)).to.equal(2);
  });

  it('signs nothing that it could not record, whichever write fails first, and later pays with the same budget', async () => {
    const ends = new Set<string>();
    for (let freePages = 1; freePages <= 14; freePages++) {
      const [account, nonces] = [newAccount(), new Set()];
      fill(freePages);
      const { ends: end, signatures, sent } = await buy(account, nonces);
      ends.add(end);
      const expected = end === 'answered' ? 1 : 0;
      expect([signatures, sent], `${freePages} pages free`).to.deep.equal([expected, expected]);
      rmSync(join(disk, 'filler'));
      if (end !== 'answered') expect((await buy(account, nonces)).ends).to.equal('answered');
      expect(nonces).to.have.length(1);
      expect(await spent(account.address)).to.equal(2);
    }
    expect([...ends]).to.deep.equal(['ledger_unavailable', 'answered']);
  });

  it('signs nothing in a folder that can only be read', async () => {
    const account = newAccount();
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    try {
      expect(await buy(account)).to.deep.equal({ ends: 'ledger_unavailable', signatures: 0, sent: 0 });
    } finally {
      execFileSync('mount', ['-o', 'remount,rw', disk]);
    }
    expect(readdirSync(join(disk, 'state')).join()).to.not.include(account.address.toLowerCase());
  });
});
