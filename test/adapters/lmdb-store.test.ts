import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { asBinary, open } from 'lmdb';
import { openLmdbStore } from '#adapters/lmdb-store';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { makeLmdbHome } from '../contract/lmdb-home.js';
import { describeStore, walletNumber } from '../contract/store.contract.js';

describeStore('LMDB', makeLmdbHome);

const [A, B] = [walletNumber(0xa), walletNumber(0xb)];

/** Writes a raw value under a key, as a broken program or a broken disk would. */
async function damage(path: string, key: string, value: unknown): Promise<void> {
  const raw = open<unknown, string>({ path });
  await raw.put(key, value);
  await raw.flushed;
  await raw.close();
}

function openFault(path: string): string {
  try {
    openLmdbStore({ path });
  } catch (error) {
    if (error instanceof OutsideError) return error.message;
    throw error;
  }
  throw new Error('it opened');
}

describe('LMDB store with damaged data', () => {
  let home: Awaited<ReturnType<typeof makeLmdbHome>>;
  let store: Store;

  beforeEach(async () => {
    home = await makeLmdbHome();
    store = await home.open();
  });

  afterEach(async () => {
    await store.close();
    await home.remove();
  });

  const damages: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'nonsense', 'row is not a list'],
    ['an empty list', [], 'schema version is undefined'],
    ['a later version', [2, 1, 0, []], 'schema version is 2, this program knows 1'],
    ['a missing field', [1, 0, 0], 'has 3 fields instead of 4'],
    ['a balance that is not whole', [1, 1, 1, [[1, 0, 5, 1.5, 0, 9, '']]], 'lot.remaining is not a whole number'],
    ['a negative balance', [1, 1, 1, [[1, 0, 5, -1, 0, 9, '']]], 'lot.remaining is not a whole number'],
    ['an unknown kind', [1, 1, 1, [[1, 9, 5, 5, 0, 9, '']]], 'lot.kind is not one that is known'],
    ['bytes that are no msgpack', asBinary(Buffer.from([0x94, 0x01, 0xd9])), 'cannot be decoded'],
  ];

  for (const [what, value, says] of damages) {
    it(`names the row that holds ${what}, for reads and changes alike, and goes on serving others`, async () => {
      await damage(home.path, `account/${A}`, value);
      const change = (wallet: typeof A) => store.transact({ account: wallet }, () => ({ writes: {}, result: 'done' }));
      const [read, changed, other] = await Promise.allSettled([store.account(A), change(A), change(B)]);
      for (const outcome of [read, changed]) {
        const error = outcome?.status === 'rejected' ? outcome.reason : null;
        expect(error).to.be.instanceOf(OutsideError);
        expect(error.message).to.include(`row account/${A} is malformed`).and.include(says);
        expect(error.failure).to.equal('final');
      }
      expect(other).to.deep.include({ status: 'fulfilled', value: 'done' });
      await store.ping();
    });
  }

  it('sweeps past an answer that it cannot read', async () => {
    await damage(home.path, `answer/${A}/k`, 'nonsense');
    await damage(home.path, `answer/${A}/l`, [1, 'f', 'body', 5]);
    expect(await store.sweepAnswers(10, null, 10)).to.deep.equal({ removed: 1, next: null });
  });

  it('does not open data of a later schema', async () => {
    await damage(home.path, 'meta/schema', 2);
    expect(openFault(home.path)).to.include('has schema 2, this program knows 1');
  });

  it('does not open a file that is not LMDB, or was cut short, and says so instead of crashing', async () => {
    for (let n = 0; n < 3; n++) {
      const redemption = { code: 'FILL', wallet: walletNumber(n), atMs: n };
      await store.transact({}, () => ({ writes: { redemption }, result: null }));
    }
    await store.close();
    truncateSync(home.path, 9_000);
    expect(openFault(home.path)).to.include('cut short');
    for (const bytes of ['hello', '\u0000'.repeat(100), 'x'.repeat(50_000)]) {
      writeFileSync(home.path, bytes);
      expect(openFault(home.path)).to.include('it is not an LMDB file');
    }
    writeFileSync(home.path, '');
    store = openLmdbStore({ path: home.path });
    await store.ping();
  });
});
