import { type Hex, keccak256 } from 'viem';
import type { ChainClient } from './chain-client.js';
import type { JournalEntry } from './chain-files.js';
import { waitForReceipt } from './receipts.js';

/**
 * Empty blocks on top of a chain that was loaded: anvil keeps blocks, transactions and logs in a
 * dump, but no earlier states, and a query for the state a few blocks back has to get an answer.
 */
const BLOCKS_ON_TOP = 16;

/**
 * Brings an empty anvil to where the chain was: loads the dump and does again what came after it,
 * at the same chain times.
 */
export async function recover(
  client: ChainClient,
  { state, journal }: { readonly state: Hex | null; readonly journal: readonly JournalEntry[] },
): Promise<void> {
  if (state !== null) await client.loadState({ state });
  for (const entry of journal) await replay(client, entry);
}

/** Returns what time the next block would have, in seconds. */
export async function nextBlockS(client: ChainClient): Promise<number> {
  return Number((await client.getBlock({ blockTag: 'pending' })).timestamp);
}

/** Lets the chain go on from now, or from its own time where that is ahead. */
export async function goOn(client: ChainClient, nowMs: number): Promise<void> {
  await setNextTime(client, Math.floor(nowMs / 1_000));
  await client.mine({ blocks: BLOCKS_ON_TOP });
}

async function replay(client: ChainClient, entry: JournalEntry): Promise<void> {
  if (entry.kind === 'blocks') {
    const missing = entry.head - Number(await client.getBlockNumber());
    if (missing <= 0) return;
    await setNextTime(client, entry.atS);
    return client.mine({ blocks: missing });
  }
  const existing = await client.getTransactionReceipt({ hash: keccak256(entry.raw) }).catch(() => null);
  if (existing !== null) return;
  await setNextTime(client, entry.atS);
  const hash = await client.sendRawTransaction({ serializedTransaction: entry.raw }).catch(() => null);
  // What the chain refuses now, it refused then too: it was written down before it was sent.
  if (hash !== null) await waitForReceipt(client, hash);
}

/**
 * Authorizations are judged by the time of the block: done again now, those of yesterday would have
 * expired. Anvil's clock is put back first, because it refuses a time before its own start.
 */
async function setNextTime(client: ChainClient, atS: number): Promise<void> {
  const { timestamp } = await client.getBlock();
  const nextS = Math.max(atS, Number(timestamp));
  await client.request<{ Method: 'evm_setTime'; Parameters: [number]; ReturnType: unknown }>({
    method: 'evm_setTime',
    params: [nextS],
  });
  await client.setNextBlockTimestamp({ timestamp: BigInt(nextS) });
}
