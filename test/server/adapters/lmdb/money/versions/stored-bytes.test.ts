import { expect } from 'chai';
import { asBinary, open } from 'lmdb';
import { debitCredits, grantLot } from '#domain/credits/credit-changes';
import { type Account, emptyAccount } from '#domain/credits/credits';
import type { Store } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';

const WALLET = walletNumber(1);
const WALLET_HEX = Buffer.from(WALLET).toString('hex');

/**
 * Rows of a grant and a debit, as a version of the program wrote them that put their MessagePack
 * together by hand.
 */
const ROWS: Readonly<Record<string, string>> = {
  [`account/${WALLET}`]:
    '9402020291970100ce00011170ce000110a8cb4278bcfe56800000cb427a3185c5000000d928c3a9c3a9c3a9c3a9c3a9c3a9c3a9' +
    'c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9',
  'ledger/000000000000001': `9b02d92a${WALLET_HEX}0100ce00011170ce00011170cb4278bcfe56800000a87075726368617365c09201ce0001117000`,
  'ledger/000000000000002': `9b02d92a${WALLET_HEX}0201ccc8ce000110a8cb4278bcfe56864000a776657264696374a9726571756573742d319201ccc801`,
};

/** A mark and 32 bits. */
const CHECKSUM_HEX = 10;
const LOT = { kind: 'purchase', credits: 70_000, expiresAtMs: 1_800_000_000_000, source: 'é'.repeat(20) } as const;
const grant = (account: Account) =>
  grantLot(account, LOT, { operation: 'purchase', requestId: null, atMs: 1_700_000_000_000 });
const debit = (account: Account) =>
  debitCredits(account, 200, { operation: 'verdict', requestId: 'request-1', atMs: 1_700_000_000_100 });

async function changeBoth(store: Store): Promise<void> {
  for (const make of [grant, debit]) {
    await store.transact({ account: WALLET }, ({ account }) => {
      return { writes: { change: make(account ?? emptyAccount(WALLET)) }, result: null };
    });
  }
}

describe('the stored bytes of a debit', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
  });
  afterEach(() => fixture.remove());

  async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
    const store = await fixture.open();
    return use(store).finally(() => store.close());
  }

  const books = (store: Store) => Promise.all([store.account(WALLET), store.ledger(WALLET, 10)]);

  it('are those of the versions before, and a checksum', async () => {
    await withStore(changeBoth);
    const db = open<unknown, string>({ path: fixture.path });
    const hexOf = (key: string) => Buffer.from(db.getBinary(key)!).toString('hex');
    const values = Object.keys(ROWS).map((key) => [key, hexOf(key).slice(0, -CHECKSUM_HEX)]);
    expect(Object.fromEntries(values)).to.deep.equal(ROWS);
    await db.close();
  });

  it('are all that it writes; where an answer is kept, one small row says when it goes', async () => {
    await withStore((store) => store.ping());
    const before = await rows();
    await withStore(changeBoth);
    const written = without(await rows(), before);
    expect(Object.keys(written)).to.have.members(Object.keys(ROWS));
    const key = { wallet: WALLET, code: null, key: 'order-17' };
    const answer = { ...key, fingerprint: 'f', body: '{}', expiresAtMs: 1_800_000_000_000 };
    await withStore((store) => store.transact({ answer: key }, () => ({ writes: { answer }, result: null })));
    const kept = without(await rows(), { ...before, ...written });
    expect(Object.keys(kept)).to.deep.equal([
      `answer/${WALLET}/order-17`,
      `expiring-answer/001800000000000/${WALLET}/order-17`,
    ]);
    expect(Object.values(kept)[1]).to.have.length(1 + CHECKSUM_HEX / 2);
  });

  /** All rows of the file, as bytes. */
  async function rows(): Promise<Readonly<Record<string, Buffer>>> {
    const db = open<unknown, string>({ path: fixture.path });
    const found = Object.fromEntries([...db.getKeys({})].map((key) => [key, Buffer.from(db.getBinary(key)!)]));
    await db.close();
    return found;
  }
  const without = (found: Readonly<Record<string, Buffer>>, known: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(found).filter(([key]) => !(key in known)));

  it('of the versions before are read, and go on', async () => {
    await withStore((store) => store.ping());
    const db = open<unknown, string>({ path: fixture.path });
    for (const [key, hex] of Object.entries(ROWS)) await db.put(key, asBinary(Buffer.from(hex, 'hex')));
    await db.close();
    const read = await withStore(books);
    const first = grant(emptyAccount(WALLET));
    const second = debit(first.account);
    expect(read).to.deep.equal([second.account, [...first.entries, ...second.entries]]);
    await withStore(changeBoth);
    expect((await withStore(books))[1].map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
  });
});
