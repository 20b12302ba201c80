import { expect } from 'chai';
import type { Host } from '#adapters/process/host';
import { LEASE_MS } from '#ports/leases';
import type { Store } from '#ports/store';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';

/** A machine that the test owns: its processes are other processes to each other. */
class TestHost implements Host {
  bootId = 'first boot';
  pid = 1;
  pidSpace: string | null = 'space';
  ms = 1_000_000;
  readonly ended = new Set<number>();

  uptimeMs = (): number => this.ms;

  hasEnded = (pid: number): boolean => this.ended.has(pid);
}

describe('a lease in LMDB', () => {
  let host: TestHost;
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let store: Store;

  beforeEach(async () => {
    host = new TestHost();
    fixture = await makeLmdbFixture(host);
    store = await fixture.open();
    const row = samplePayment(1, { owner: 'a' });
    await store.transact({}, () => ({ writes: { payment: row }, result: null }));
    await store.leases.hold('a', 1);
    host.pid = 2;
  });
  afterEach(() => fixture.remove());

  const isAlive = async () => (await store.ownedPayments([samplePayment(1).key]))[0]!.isOwnerAlive;

  it('is good until it runs out, by the clock that nobody can set', async () => {
    host.ms += LEASE_MS - 1;
    expect(await isAlive()).to.equal(true);
    host.ms += 1;
    expect(await isAlive()).to.equal(false);
    await store.leases.hold('a', 1);
    expect(await isAlive(), 'renewed').to.equal(true);
  });

  it('is worth nothing after the machine was started again', async () => {
    host.bootId = 'second boot';
    expect(await isAlive()).to.equal(false);
  });

  it('is worth nothing if it ends later than a lease can, as one from before another start', async () => {
    host.ms = 5;
    expect(await isAlive()).to.equal(false);
  });

  it('is worth nothing when its process is seen to be gone', async () => {
    host.ended.add(2);
    expect(await isAlive(), 'another process').to.equal(true);
    host.ended.add(1);
    expect(await isAlive()).to.equal(false);
  });

  it('is good until it runs out when its process cannot be seen from here', async () => {
    host.ended.add(1);
    for (const pidSpace of ['another container', null]) {
      host.pidSpace = pidSpace;
      expect(await isAlive()).to.equal(true);
    }
  });

  it('is removed by the next process once it has run out', async () => {
    host.ms += LEASE_MS;
    expect(await store.leases.hold('b', 0)).to.deep.equal({ kind: 'held', others: [] });
    host.ms -= LEASE_MS;
    expect(await isAlive()).to.equal(false);
  });
});
