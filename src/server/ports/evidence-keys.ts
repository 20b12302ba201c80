/** A key that evidence was signed with, or still is. */
export interface EvidenceKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** The public key (Ed25519), base64url. */
  readonly x: string;
  readonly createdAtMs: number;
  /** What was signed with a former key still holds; with a revoked one nothing does. */
  readonly state: 'current' | 'former' | 'revoked';
  /** When it was revoked; null unless it is. */
  readonly revokedAtMs: number | null;
}

/**
 * Signs evidence, and knows every key that ever did. All processes of one data directory share
 * them.
 */
export interface EvidenceKeys {
  /** The key that signs now. */
  current(): EvidenceKey;
  /**
   * Returns a detached compact JWS (RFC 7515, alg EdDSA) of a text. Throws when there is no key to
   * be had.
   */
  sign(text: string): string;
  /** The same for a text of some hundred kB, beside the main thread: hashing it takes milliseconds. */
  signLong(text: string): Promise<string>;
  /** Every key, the newest first. */
  list(): readonly EvidenceKey[];
  /** Changes whenever a key is made or revoked. */
  version(): string;
  /** Makes another key, which signs from now on. */
  rotate(): EvidenceKey;
  /**
   * Revokes a key; if it is the current one another is made first. Returns null if there is no such
   * key.
   */
  revoke(kid: string): EvidenceKey | null;
}
