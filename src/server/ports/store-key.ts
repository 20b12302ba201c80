/** What the key of a store is used for. Each purpose has a key of its own, made of the one. */
export type KeyPurpose = 'pack token' | 'promo code' | 'purchase secret';

/**
 * The secret that lies beside a store and not in it: whoever reads the store alone learns neither
 * the tokens nor the promo codes that were given out. Pure once it is opened.
 */
export interface StoreKey {
  /** Names the key and tells nothing of it: 16 hexadecimal digits. */
  readonly id: string;
  /** Returns 32 bytes that nobody can make of this text without the key, and always the same. */
  mac(purpose: KeyPurpose, text: string): Uint8Array;
  /** Returns the text so that it can be read with the key alone, as base64url. */
  seal(purpose: KeyPurpose, text: string): string;
  /** Returns a sealed text; null if it was not sealed with this key for this purpose. */
  unseal(purpose: KeyPurpose, sealed: string): string | null;
}
