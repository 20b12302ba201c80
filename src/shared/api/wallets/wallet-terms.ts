/*
 * Words and bounds of the answers about wallets, without their schemas: what computes an answer
 * needs no library.
 */

/** Keys of `entry_price_buckets`. */
export const ENTRY_PRICE_RANGES = [
  '0.0-0.1',
  '0.1-0.2',
  '0.2-0.3',
  '0.3-0.4',
  '0.4-0.5',
  '0.5-0.6',
  '0.6-0.7',
  '0.7-0.8',
  '0.8-0.9',
  '0.9-1.0',
] as const;

/** The pools that an entry can count in; null: in none. */
export const ENTRY_POOLS = ['older', 'in_sample', 'out_of_sample'] as const;

/** Entries that evidence lists: with more of them it would be larger than is worth sending. */
export const EVIDENCE_ENTRIES_MAX = 2_000;
