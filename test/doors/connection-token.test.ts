import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletAddress } from '#domain/ids';
import { tokenOver } from '#doors/connection-token';
import { readCredentials } from '#doors/credentials';
import { mintToken, presentToken } from '#services/credits/token-secrets';

const wallets = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as WalletAddress);
const tokens = fc
  .tuple(wallets, fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([wallet, secret]) => mintToken(secret, { wallet, scope: 'purchase', code: null, nowMs: 0 }).token);
const headers = fc.oneof(
  tokens.map((token) => `Bearer ${token}`),
  fc.string().map((text) => `Bearer ${text}`),
  fc.string(),
);
/** One after the other over one connection: some of them again, and some that are nearly the same. */
const calls = fc
  .array(headers, { minLength: 1 })
  .chain((some) =>
    fc.array(
      fc.constantFrom(
        undefined,
        ...some,
        ...some.map((one) => `${one.slice(0, -1)}_`),
        ...some.map((one) => `${one}x`),
      ),
    ),
  );

describe('the token of a connection', () => {
  it('is that of the request, whatever came before', () => {
    fc.assert(
      fc.property(calls, (authorizations) => {
        const socket = new Socket();
        for (const authorization of authorizations) {
          const given = authorization === undefined ? {} : { authorization };
          const { bearer } = readCredentials(given);
          const said = bearer === null ? null : presentToken(bearer);
          expect(tokenOver(socket, given)?.presented ?? null, authorization).to.deep.equal(said);
          expect(tokenOver(socket, given) === null).to.equal(bearer === null);
        }
      }),
    );
  });

  it('is understood once, and not by what came over another connection', () => {
    const [token] = fc.sample(tokens, 1) as [string];
    const [one, other] = [new Socket(), new Socket()];
    const first = tokenOver(one, { authorization: `Bearer ${token}` });
    expect(tokenOver(one, { authorization: ['Bearer', token].join(' ') })).to.equal(first);
    expect(first!.presented).to.equal(first!.presented);
    expect(tokenOver(other, { authorization: `Bearer ${token}` })).to.not.equal(first);
  });
});
