/**
 * An order-book token of the venue: a decimal string of up to 78 digits (an unsigned 256-bit
 * integer).
 */
export type TokenId = string & { readonly __brand: 'TokenId' };

/**
 * A market's condition on the venue, in lower case: 0x and 64 hexadecimal digits (32 bytes), or 62
 * (31 bytes) in the venue's second protocol.
 */
export type ConditionId = string & { readonly __brand: 'ConditionId' };

/**
 * An EVM address used as an identity: 0x and 40 hexadecimal digits, always lower case, so that one
 * wallet has one spelling.
 */
export type WalletAddress = string & { readonly __brand: 'WalletAddress' };

/**
 * A wallet as a tape names it, in lower case: its address, or the name that an imported tape gives
 * it. What is rated from a tape has this; what the venue or a caller names has a WalletAddress.
 */
export type TapeWallet = string;

const TOKEN_ID = /^[0-9]{1,78}$/;
/** Those of the venue have some 77 digits; slugs of numbers are years and dates. */
const LONG_TOKEN_ID = /^[0-9]{20,78}$/;
const CONDITION = /^0x(?:[0-9a-f]{2}){31,32}$/;
const WALLET = /^0x[0-9a-fA-F]{40}$/;

/** Returns the token id, or null if the text is not one. */
export function parseTokenId(text: string): TokenId | null {
  return TOKEN_ID.test(text) ? (text as TokenId) : null;
}

/** Whether a text that may be a slug or a wallet as well is a token id of the venue. */
export function isLongToken(text: string): boolean {
  return LONG_TOKEN_ID.test(text);
}

/**
 * Returns the wallet in its one spelling (lower case), or null if the text is not an EVM
 * address.
 */
export function parseWallet(text: string): WalletAddress | null {
  return WALLET.test(text) ? (text.toLowerCase() as WalletAddress) : null;
}

/**
 * Returns the wallet of an address whose form a library has checked (viem's `Address`), in its one
 * spelling.
 */
export function toWallet(address: `0x${string}`): WalletAddress {
  return address.toLowerCase() as WalletAddress;
}

/**
 * Returns the condition id in its one spelling (lower case), or null if the text is none. Every
 * reader that takes conditions from outside asks here for their form.
 */
export function parseCondition(text: string): ConditionId | null {
  const condition = text.toLowerCase();
  return CONDITION.test(condition) ? (condition as ConditionId) : null;
}

/** What a condition of the second protocol is of, by its first byte. */
export const CONDITION_MODULES = { market: 1, negRiskMarket: 2, combo: 3 } as const;

/** Returns the first byte of a condition of the second protocol; null for one of the first. */
export function conditionModule(condition: string): number | null {
  return condition.length === 2 + 2 * 31 ? Number.parseInt(condition.slice(2, 4), 16) : null;
}

/** Whether two condition ids are of two markets. One of another length may be another form of the same. */
export function areOtherMarkets(one: ConditionId, other: ConditionId): boolean {
  return one.length === other.length && one !== other;
}

/**
 * Returns the condition id in lower case, whatever its form: recordings and signed evidence name
 * markets as they were named when they were made.
 */
export function toConditionId(text: string): ConditionId {
  return text.toLowerCase() as ConditionId;
}
