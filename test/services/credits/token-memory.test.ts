import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletAddress } from '#domain/ids';
import { TokenMemory } from '#services/credits/token-memory';
import { mintToken, presentToken } from '#services/credits/token-secrets';

const wallets = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as WalletAddress);
const tokens = fc
  .tuple(wallets, fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([wallet, secret]) => mintToken(secret, { wallet, scope: 'purchase', code: null, nowMs: 0 }).token);

describe('what is remembered of the token of a connection', () => {
  it('is what the token says, whatever came before', () => {
    const oneAfterAnother = fc.array(fc.oneof(tokens, fc.string()), { minLength: 1 }).chain((texts) =>
      // Some of them again, and some that are nearly the same.
      fc.array(
        fc.constantFrom(...texts, ...texts.map((text) => `${text.slice(0, -1)}_`), ...texts.map((text) => `${text}x`)),
      ),
    );
    fc.assert(
      fc.property(oneAfterAnother, (texts) => {
        const memory = new TokenMemory();
        for (const text of texts) expect(memory.read(text), text).to.deep.equal(presentToken(text));
      }),
    );
  });

  it('is not understood again when the same token comes again', () => {
    const [token] = fc.sample(tokens, 1) as [string];
    const memory = new TokenMemory();
    const first = memory.read(token);
    expect(memory.read(`${token.slice(0, 10)}${token.slice(10)}`)).to.equal(first);
  });
});
