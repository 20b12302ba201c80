import type { Hex } from 'viem';
import { openKeys } from '../keys.js';

/** Private keys of those who act on the local chain. */
export interface ChainKeys {
  /** Makes test money. */
  readonly minter: Hex;
  /** Sends the transfers that payers signed, and pays for them. */
  readonly relayer: Hex;
}

/** Returns the keys of a chain, which are made on its first start. */
export function openChainKeys(file: string): ChainKeys {
  return openKeys(file, ['minter', 'relayer']);
}
