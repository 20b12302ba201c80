import { hash } from 'node:crypto';
import {
  CONDITION_MODULES,
  type ConditionId,
  parseWallet,
  type TokenId,
  toConditionId,
  type WalletAddress,
} from '#domain/ids';
import type { Protocol } from './market-spec.js';

/**
 * Every id of the local venue is a digest of a name, so that it survives a restart and can be
 * written into a script. The forms are the venue's own: decimal token ids of 77 digits, condition
 * ids and hashes of 32 bytes, condition ids of 31 bytes in the second protocol.
 */

const SMALLEST_77_DIGITS = 10n ** 76n;

function digest(text: string): string {
  return hash('sha256', text);
}

/** Returns the token of one outcome of a market: a decimal string of exactly 77 digits. */
export function tokenIdOf(marketSlug: string, outcomeIndex: number): TokenId {
  const number = BigInt(`0x${digest(`token:${marketSlug}:${outcomeIndex}`)}`);
  return (SMALLEST_77_DIGITS + (number % (9n * SMALLEST_77_DIGITS))).toString() as TokenId;
}

/** Returns a market's condition id; in the second protocol its first byte says what it is of. */
export function conditionIdOf(marketSlug: string, protocol: Protocol = 'v1'): ConditionId {
  const name = `condition:${marketSlug}`;
  if (protocol === 'v1') return toConditionId(hash32(name));
  return toConditionId(`0x0${CONDITION_MODULES.market}${digest(name).slice(0, 60)}`);
}

/**
 * Returns the condition id of a combo: 31 bytes, of which the first says that it is one and the
 * last half is empty.
 */
export function comboIdOf(name: string): ConditionId {
  return toConditionId(`0x03${digest(`combo:${name}`).slice(0, 30)}${'00'.repeat(15)}`);
}

/**
 * Returns 0x and 64 hexadecimal digits made from a name: question ids, neg-risk ids, transaction
 * hashes.
 */
export function hash32(name: string): string {
  return `0x${digest(name)}`;
}

/** Returns a wallet address made from a name. Nobody holds its key. */
export function walletOf(name: string): WalletAddress {
  const address = parseWallet(`0x${digest(`wallet:${name}`).slice(0, 40)}`);
  if (address === null) throw new Error('a digest is always a valid address');
  return address;
}

/** Returns the kind of number Gamma uses as an id, as a string of 6 or 7 digits. */
export function gammaIdOf(name: string): string {
  return String(100_000 + (Number.parseInt(digest(`gamma:${name}`).slice(0, 8), 16) % 3_000_000));
}

/**
 * Returns an amount in [low, high) with cents, always the same for the same name. For volumes that
 * nobody trades on.
 */
export function amountOf(name: string, low: number, high: number): number {
  const fraction = Number.parseInt(digest(`amount:${name}`).slice(0, 8), 16) / 2 ** 32;
  return Math.round((low + fraction * (high - low)) * 100) / 100;
}
