import { type Address, createTestClient, defineChain, type Hex, http, pad, publicActions } from 'viem';
import multicall3 from './contracts/Multicall3.json' with { type: 'json' };
import testUsdc from './contracts/TestUsdc.json' with { type: 'json' };
import { CHAIN_ID, MINTER_SLOT, MULTICALL3_ADDRESS, USDC_ADDRESS } from './usdc.js';

/** A state dump of a long chain takes a second; nothing else takes so long. */
const RPC_MS_MAX = 30_000;

/** What the local chain is to viem. Base's own definition would bring its public RPC with it. */
export const localBase = defineChain({
  id: CHAIN_ID,
  name: 'Local Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** Returns a client of anvil that asks anew each time: no cache, no retry. */
export function createChainClient(rpcUrl: string) {
  const transport = http(rpcUrl, { timeout: RPC_MS_MAX, retryCount: 0 });
  return createTestClient({ mode: 'anvil', chain: localBase, transport, cacheTime: 0 }).extend(publicActions);
}

export type ChainClient = ReturnType<typeof createChainClient>;

/**
 * Puts the contracts where Base has them. Each JSON file is solc's standard output for the source
 * beside it and names the compiler (solc 0.8.37 from npm), its settings and the source's hash; a
 * change of the source needs a new compilation.
 */
export async function deployContracts(client: ChainClient, minter: Address): Promise<void> {
  await client.setCode({ address: USDC_ADDRESS, bytecode: testUsdc.deployedBytecode as Hex });
  await client.setCode({ address: MULTICALL3_ADDRESS, bytecode: multicall3.deployedBytecode as Hex });
  await client.setStorageAt({ address: USDC_ADDRESS, index: MINTER_SLOT, value: pad(minter, { size: 32 }) });
}
