import type { PaymentTerms } from '#api/operations';

/** A public key that signs evidence, or once did. */
export interface PublishedKey {
  readonly kid: string;
  /** Ed25519, base64url. */
  readonly x: string;
  readonly state: 'current' | 'former' | 'revoked';
  readonly revokedAtMs: number | null;
}

/**
 * The keys of evidence. They change while the service runs: documents that name one are made anew
 * when they do.
 */
export interface PublishedKeys {
  current(): PublishedKey;
  list(): readonly PublishedKey[];
  version(): string;
}

/** What the documents need to know beside the facts of the interface. */
export interface DiscoveryConfig extends PaymentTerms {
  readonly supportEmail: string;
  readonly evidenceKeys: PublishedKeys;
  /** Subresource Integrity of the client's package at /client.tgz; null: this build has none. */
  readonly clientIntegrity: string | null;
}

/**
 * A document as it is served. It depends on nothing but the facts, the config and the keys of
 * evidence.
 */
export interface DiscoveryFile {
  /** Where it is served. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  /** How long anybody may keep it. */
  readonly cacheSeconds: number;
}

export const MARKDOWN = 'text/markdown; charset=utf-8';
export const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Prices and addresses are in these documents, so a change must be seen soon. */
export const CACHE_S = 300;
/** What hardly ever changes. */
export const LONG_CACHE_S = 86_400;

/** Returns a JSON document. */
export function jsonFile(path: string, value: object, contentType: string = JSON_TYPE): DiscoveryFile {
  return { path, contentType, body: `${JSON.stringify(value, null, 2)}\n`, cacheSeconds: CACHE_S };
}
