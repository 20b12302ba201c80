import { isAddress } from 'viem';
import { openChainKeys } from '#local/chain/chain-keys';
import { LocalChain, startLocalChain } from '#local/chain/local-chain';
import { startLocalFacilitator } from '#local/chain/local-facilitator';

/**
 * A process of its own with a chain and a facilitator, to be killed:
 * `node chain-child.js DATA_DIR PAYER`.
 */
const [dataDir = '', payer = ''] = process.argv.slice(2);
const keys = openChainKeys(`${dataDir}/chain-keys.json`);
const anvilBin = process.env.ANVIL_BIN ?? null;
const chain = await startLocalChain({ dataDir, keys, anvilBin, heartbeatMs: 200 });
if (!(chain instanceof LocalChain)) throw new Error(chain.unavailable);
if (isAddress(payer)) await chain.mint(payer, 1_000_000n);
const { url } = await startLocalFacilitator({ chain });
console.log(JSON.stringify({ anvilPid: chain.anvilPid, rpcUrl: chain.rpcUrl, url }));
