import type { RequestHandler } from 'express';
import { type Hash, parseEventLogs } from 'viem';
import { createChainClient } from './chain-client.js';
import type { LocalChain } from './local-chain.js';
import { usdcAbi } from './usdc.js';

const HASH = /^0x[0-9a-f]{64}$/;

/**
 * `GET /tx/HASH`: what a block explorer shows of a transaction, for a chain that has none. 404 if
 * it is in no block.
 */
export function transactionRoute(chain: Pick<LocalChain, 'rpcUrl'>): RequestHandler<{ hash: string }> {
  const client = createChainClient(chain.rpcUrl);
  return async ({ params: { hash } }, response) => {
    const receipt = HASH.test(hash)
      ? await client.getTransactionReceipt({ hash: hash as Hash }).catch(() => null)
      : null;
    if (receipt === null) return void response.status(404).json({ error: 'no transaction of the local chain' });
    const transfers = parseEventLogs({ abi: usdcAbi, logs: receipt.logs, eventName: 'Transfer' });
    response.json({
      chain: 'local simulation',
      transaction: hash,
      status: receipt.status,
      block: Number(receipt.blockNumber),
      transfers: transfers.map(({ args: { from, to, value } }) => ({ from, to, usdc: Number(value) / 1e6 })),
    });
  };
}
