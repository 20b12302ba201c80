import { generateKeyPairSync, type KeyObject } from 'node:crypto';

interface NewKey {
  readonly secret: string;
  readonly publicKey: KeyObject;
}

/** A new Ed25519 key as CDP gives it out: base64 of the seed and the public key. */
export function newEd25519(): NewKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { d, x } = privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([d!, x!].map((half) => Buffer.from(half, 'base64url')) as unknown as Uint8Array[]);
  return { secret: bytes.toString('base64'), publicKey };
}

/** A new key on that curve, in PEM. */
export function newEcKey(namedCurve: string): NewKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return { secret: privateKey.export({ type: 'sec1', format: 'pem' }).toString(), publicKey };
}
