import { verify } from 'node:crypto';
import { expect } from 'chai';
import { createCdpAuth } from '#adapters/facilitator/cdp-auth';
import { systemRandom } from '#adapters/process/system-random';
import { readCdpKey } from '#config/cdp-key';
import { newEcKey, newEd25519 } from '#test/support/cdp-keys';
import { ManualClock } from '#test/support/manual-clock';

const SETTLE_URL = 'https://api.cdp.coinbase.com/platform/v2/x402/settle';
const ID = 'organizations/o/apiKeys/k';

function tokenOf(headers: Readonly<Record<string, string>>): string {
  expect(Object.keys(headers)).to.deep.equal(['authorization']);
  expect(headers.authorization).to.match(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  return headers.authorization!.slice('Bearer '.length);
}

function parts(token: string) {
  const [header, claims, signature] = token.split('.') as [string, string, string];
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  return { header: parse(header), claims: parse(claims), signed: `${header}.${claims}`, signature };
}

describe('CDP authorization', () => {
  const clock = new ManualClock(1_790_000_000_900);
  const deps = { clock, random: systemRandom };

  it('signs a token for each request and URL with an Ed25519 key', () => {
    const { secret, publicKey } = newEd25519();
    const authorize = createCdpAuth({ id: ID, ...readCdpKey(secret)! }, deps);
    const { header, claims, signed, signature } = parts(tokenOf(authorize('POST', SETTLE_URL)));
    expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))).to.equal(true);
    expect(header).to.include({ alg: 'EdDSA', kid: ID, typ: 'JWT' });
    expect(header.nonce).to.match(/^[0-9a-f]{32}$/);
    expect(claims).to.deep.equal({
      sub: ID,
      iss: 'cdp',
      uris: ['POST api.cdp.coinbase.com/platform/v2/x402/settle'],
      iat: 1_790_000_000,
      nbf: 1_790_000_000,
      exp: 1_790_000_120,
    });

    const other = parts(tokenOf(authorize('POST', SETTLE_URL.replace('settle', 'verify'))));
    expect(other.claims.uris).to.deep.equal(['POST api.cdp.coinbase.com/platform/v2/x402/verify']);
    expect(other.header.nonce).to.not.equal(header.nonce);
  });

  it('signs with an EC key in PEM, with its line breaks as such or written out, r and s side by side', () => {
    const { secret, publicKey } = newEcKey('prime256v1');
    for (const pem of [secret, secret.replaceAll('\n', '\\n')]) {
      const authorize = createCdpAuth({ id: ID, ...readCdpKey(pem)! }, deps);
      const { header, signed, signature } = parts(tokenOf(authorize('POST', SETTLE_URL)));
      expect(header.alg).to.equal('ES256');
      const bytes = Buffer.from(signature, 'base64url');
      expect(bytes).to.have.length(64);
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', Buffer.from(signed), key, bytes)).to.equal(true);
    }
  });

  it('gives its token to CDP alone', () => {
    const authorize = createCdpAuth({ id: ID, ...readCdpKey(newEd25519().secret)! }, deps);
    const lookalike = 'https://api.cdp.coinbase.com.evil.example/settle';
    for (const url of ['https://facilitator.example/settle', lookalike, 'http://127.0.0.1:1/settle']) {
      expect(authorize('POST', url)).to.deep.equal({});
    }
  });
});
