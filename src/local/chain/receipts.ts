import { setTimeout as sleep } from 'node:timers/promises';
import type { Hash, TransactionReceipt } from 'viem';
import { TransactionReceiptNotFoundError } from 'viem';
import type { ChainClient } from './chain-client.js';

const LOOK_AGAIN_MS = 2;
const LOOK_AGAIN_MS_MAX = 50;
const WAIT_MS_MAX = 15_000;

/**
 * Returns the receipt once the transaction is in a block. Throws if it is in none for so long, or
 * the chain is away.
 */
export async function waitForReceipt(
  client: ChainClient,
  hash: Hash,
  waitMsMax: number = WAIT_MS_MAX,
): Promise<TransactionReceipt> {
  let lookAgainMs = LOOK_AGAIN_MS;
  for (let waitedMs = 0; waitedMs <= waitMsMax; waitedMs += lookAgainMs) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(noneYet);
    if (receipt !== null) return receipt;
    await sleep(lookAgainMs);
    lookAgainMs = Math.min(lookAgainMs * 2, LOOK_AGAIN_MS_MAX);
  }
  throw new Error(`timed out: transaction ${hash} is in no block after ${waitMsMax} ms`);
}

function noneYet(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError) return null;
  throw error;
}
