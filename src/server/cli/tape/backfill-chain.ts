import { openChainTrades } from '#compose/tape';
import { backfillChain } from '#services/tape/backfill-chain';
import type { BackfillWork } from './backfill-work.js';
import type { TapeReport } from './run.js';

/** Fetches trades from the logs of the exchange contracts. */
export async function backfillFromChain(work: BackfillWork, rpcUrl: string): Promise<TapeReport> {
  const { module, sources, fromS, toS, shown, signal } = work;
  const chain = await openChainTrades(rpcUrl, sources.facts);
  const { fromBlock, toBlock, fills, skipped, complete } = await backfillChain(
    { tape: module.tape, chain },
    { fromS, toS },
    ({ blocksDone, blocksAll, fills }) => shown.update('blocks', blocksDone, blocksAll, `${fills} fills`),
    signal,
  );
  return {
    json: { source: 'chain', fills, skipped, complete, from_block: fromBlock, to_block: toBlock },
    text: `${fills} fills of blocks ${fromBlock} to ${toBlock}; ${skipped} logs were not trades, or of unknown tokens`,
  };
}
