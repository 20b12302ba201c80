import { expect } from 'chai';
import { tokensKey } from '#adapters/lmdb/money/keys';
import { keepingTokens } from '#adapters/lmdb/money/reads';
import { openLmdbFile } from '#adapters/lmdb/open';
import type { Rows } from '#adapters/lmdb/raw';
import { encodeTokens } from '#adapters/rows/credit-rows';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import type { TokenSet } from '#domain/credits/token';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbHome } from '#test/contract/support/lmdb-home';

const setOf = (wallet: TokenSet['wallet'], digit: string): TokenSet => ({
  wallet,
  tokens: [{ secretHash: digit.repeat(64), issuedAtMs: 1, scope: 'purchase', code: null }],
});

describe('the tokens of a wallet, which every call asks for', () => {
  let home: Awaited<ReturnType<typeof makeLmdbHome>>;
  let db: Rows;
  let reads: number;
  let tokensOf: ReturnType<typeof keepingTokens>;

  beforeEach(async () => {
    home = await makeLmdbHome();
    db = openLmdbFile({ path: home.path, version: ROW_VERSION, remedy: '' });
    reads = 0;
    const getBinaryFast: Rows['getBinaryFast'] = (key) => {
      reads++;
      return db.getBinaryFast(key);
    };
    const counted = new Proxy(db, {
      get: (of, name) => (name === 'getBinaryFast' ? getBinaryFast : Reflect.get(of, name)),
    });
    tokensOf = keepingTokens(counted);
  });
  afterEach(async () => {
    await db.close();
    await home.remove();
  });

  it('are read once for calls that begin in one breath, and again for the next ones', async () => {
    const [one, other] = [walletNumber(1), walletNumber(2)];
    for (const wallet of [one, other]) await db.put(tokensKey(wallet), encodeTokens(setOf(wallet, 'a')));
    const atOnce = [tokensOf(one), tokensOf(other), tokensOf(one), tokensOf(one), tokensOf(other)];
    expect(atOnce.map((set) => set?.wallet)).to.deep.equal([one, other, one, one, other]);
    expect(reads).to.equal(2);
    await Promise.resolve();
    expect(tokensOf(one)).to.equal(atOnce[0]);
    expect(reads).to.equal(3);
  });

  it('are those that there are by then', async () => {
    const wallet = walletNumber(1);
    const now = () => tokensOf(wallet)?.tokens.map(({ secretHash }) => secretHash[0]);
    expect(now()).to.equal(undefined);
    await db.put(tokensKey(wallet), encodeTokens(setOf(wallet, 'a')));
    expect(now()).to.deep.equal(['a']);
    await db.put(tokensKey(wallet), encodeTokens(setOf(wallet, 'b')));
    expect(now()).to.deep.equal(['b']);
    await db.remove(tokensKey(wallet));
    expect(now()).to.equal(undefined);
  });
});
