import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletAddress } from '#domain/ids';
import { tokenOver } from '#doors/connection-token';
import { readCredentials } from '#doors/credentials';
import { mintToken, presentToken } from '#services/credits/token-secrets';
import { PROPERTY_RUNS } from '#test/support/size';

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
/** One character of a text changed, taken away or put in. */
const nearly = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.constantFrom('', '_', '__'), fc.constantFrom(0, 1))
    .map(([at, put, away]) => text.slice(0, at) + put + text.slice(at + away));
/** One after the other over one connection: some of them again, and some that are nearly the same. */
const calls = fc
  .array(headers, { minLength: 1 })
  .chain((some) => fc.array(fc.oneof(fc.constantFrom(undefined, ...some), ...some.map(nearly))));

describe('the token of a connection', () => {
  it('is that of the request, whatever came before', () => {
    fc.assert(
      fc.property(calls, (authorizations) => {
        const socket = new Socket();
        for (const authorization of authorizations) {
          const given = authorization === undefined ? {} : { authorization };
          const { bearer } = readCredentials(given);
          const token = bearer === null ? null : (presentToken(bearer) ?? bearer);
          expect(tokenOver(socket, given), authorization).to.deep.equal(token);
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is understood once, and not by what came over another connection', () => {
    const [token] = fc.sample(tokens, 1) as [string];
    const [one, other] = [new Socket(), new Socket()];
    const first = tokenOver(one, { authorization: `Bearer ${token}` });
    expect(tokenOver(one, { authorization: ['Bearer', token].join(' ') })).to.equal(first);
    expect(tokenOver(other, { authorization: `Bearer ${token}` })).to.not.equal(first);
  });
});
