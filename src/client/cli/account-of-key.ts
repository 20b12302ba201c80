import { privateKeyToAccount } from 'viem/accounts';
import type { PayerAccount } from '../state/ports.js';

/**
 * Returns the account of a private key. A module of its own: it is loaded when a key is there, and
 * a bundle takes no more of viem than this. Throws on a key that is out of range, in words that
 * must not be shown.
 */
export function accountOfKey(digits: string): PayerAccount {
  return privateKeyToAccount(`0x${digits}`) as unknown as PayerAccount;
}
