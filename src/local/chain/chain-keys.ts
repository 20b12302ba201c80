import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { writePrivately } from '../keys.js';

const key = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const ChainKeysSchema = z.strictObject({ minter: key, relayer: key });

/** Private keys of those who act on the local chain. */
export interface ChainKeys {
  /** Makes test money. */
  readonly minter: Hex;
  /** Sends the transfers that payers signed, and pays for them. */
  readonly relayer: Hex;
}

/**
 * Returns the keys kept in the file, made by chance on the first start and readable by their owner
 * alone.
 */
export function openChainKeys(file: string): ChainKeys {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writePrivately(file, { minter: generatePrivateKey(), relayer: generatePrivateKey() });
  }
  return ChainKeysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
