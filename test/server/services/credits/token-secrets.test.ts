import { expect } from 'chai';
import type { TokenRecord, TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import { findToken, mintToken, presentToken } from '#services/credits/token-secrets';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;

const minted = Array.from({ length: 10 }, (_, i) => {
  const scope = i < 5 ? ('purchase' as const) : ('promo' as const);
  const made = mintToken(new Uint8Array(32).fill(i + 1), { wallet: WALLET, scope, code: null, nowMs: i });
  return { secretHash: presentToken(made.token)!.secretHash, record: made.record };
});
const setOf = (tokens: readonly TokenRecord[]): TokenSet => ({ wallet: WALLET, tokens });

describe('a secret among the tokens of a wallet', () => {
  it('is found at each place that a token can have', () => {
    const set = setOf(minted.map(({ record }) => record));
    for (const { secretHash, record } of minted) expect(findToken(set, secretHash)).to.equal(record);
  });

  it('is found no more in a set that it was taken from', () => {
    const [first, ...others] = minted;
    expect(findToken(setOf(minted.map(({ record }) => record)), first!.secretHash)).to.equal(first!.record);
    expect(findToken(setOf(others.map(({ record }) => record)), first!.secretHash)).to.equal(null);
  });

  it('is not found where there are no tokens, or where what is kept is no hash', () => {
    const [{ secretHash: given, record }] = minted as [(typeof minted)[0]];
    const damaged = [record.secretHash.slice(1), `${record.secretHash}0`, record.secretHash.toUpperCase(), ''];
    expect(findToken(null, given)).to.equal(null);
    for (const secretHash of damaged)
      expect(findToken(setOf([{ ...record, secretHash }]), given), secretHash).to.equal(null);
  });
});
