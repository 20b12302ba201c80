import { asObject, parseObject } from '#domain/json';

/** /.well-known/jwks.json of a service, as far as evidence needs it. */
export interface EvidenceJwks {
  readonly keys: readonly EvidenceJwk[];
  readonly revoked_keys?: readonly (EvidenceJwk & { readonly revoked_at?: string })[];
}

export interface EvidenceJwk {
  readonly kty: string;
  readonly crv: string;
  readonly kid: string;
  readonly x: string;
}

/** What a signature turned out to be. */
export type SignatureCheck =
  | { readonly kind: 'good'; readonly kid: string }
  /** The signature is good, and its key has been revoked. */
  | { readonly kind: 'revoked'; readonly kid: string; readonly revokedAt: string | null }
  | { readonly kind: 'unknown_key'; readonly kid: string }
  | { readonly kind: 'bad'; readonly why: string };

const DETACHED = /^([\w-]+)\.\.([\w-]+)$/;

/** Checks a detached compact JWS (EdDSA) of a text. Never rejects on what a stranger wrote. */
export async function checkJws(jws: unknown, text: string, jwks: EvidenceJwks): Promise<SignatureCheck> {
  const [, header = '', signature = ''] = DETACHED.exec(typeof jws === 'string' ? jws : '') ?? [];
  const received = parseObject(textOf(header) ?? '');
  if (received === null || typeof received.kid !== 'string')
    return { kind: 'bad', why: 'it is no detached compact JWS' };
  const { alg, kid } = received;
  if (alg !== 'EdDSA' || 'crit' in received) return { kind: 'bad', why: 'its algorithm is not EdDSA' };
  const revoked = jwks.revoked_keys?.find((key) => key.kid === kid);
  const key = jwks.keys.find((one) => one.kid === kid) ?? revoked;
  if (key === undefined) return { kind: 'unknown_key', kid };
  const signed = new TextEncoder().encode(`${header}.${toBase64Url(new TextEncoder().encode(text))}`);
  if (!(await isSignedBy(key, signature, signed))) return { kind: 'bad', why: 'it was not made over this payload' };
  if (revoked === undefined) return { kind: 'good', kid };
  return { kind: 'revoked', kid, revokedAt: revoked.revoked_at ?? null };
}

/** Returns a key set from JSON text, or null if it is none. */
export function parseJwks(text: string): EvidenceJwks | null {
  const received = parseObject(text);
  if (received === null || !Array.isArray(received.keys)) return null;
  const revoked = Array.isArray(received.revoked_keys) ? received.revoked_keys : [];
  return { keys: received.keys.filter(isJwk), revoked_keys: revoked.filter(isJwk) };
}

function isJwk(value: unknown): value is EvidenceJwk {
  const { kty, crv, kid, x } = asObject(value) ?? {};
  return kty === 'OKP' && crv === 'Ed25519' && typeof kid === 'string' && typeof x === 'string';
}

async function isSignedBy({ kty, crv, x }: EvidenceJwk, signature: string, signed: Uint8Array<ArrayBuffer>) {
  const bytes = bytesOf(signature);
  if (bytes === null || toBase64Url(bytes) !== signature) return false;
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify({ name: 'Ed25519' }, key, bytes, signed);
  } catch {
    return false;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function textOf(base64Url: string): string | null {
  const bytes = bytesOf(base64Url);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
