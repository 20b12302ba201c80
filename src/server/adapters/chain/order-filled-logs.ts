import { OutsideError } from '#domain/errors';
import type { BlockTime, ChainFills, ChainTrades, TokenOutcome, TokenOutcomes } from '#ports/chain-trades';
import type { OrderFilled } from '#wire/chain/order-filled';
import { createBlockRanges } from './block-ranges.js';
import { isComboExchange } from './exchanges.js';
import { toFill, toWalletRow } from './order-fills.js';
import { createPolygonRpc, type OrderFilledLog, type PolygonRpc, type PolygonRpcLimits } from './polygon-rpc.js';

export interface OrderFilledLogsOptions extends Partial<PolygonRpcLimits> {
  readonly rpcUrl: string;
  readonly outcomes: TokenOutcomes;
}

/**
 * The longest range of one question, about half an hour; halved where the endpoint finds it too
 * much.
 */
const BLOCKS_PER_CALL_MAX = 1_000;
/** Polygon has taken back up to some dozens of blocks; two minutes are enough. */
const CONFIRMATIONS = 64;
/** Tokens whose market is remembered; the oldest make room. */
const OUTCOMES_MAX = 200_000;

/** Returns the trades in the logs of the venue's exchange contracts, of both versions. */
export function createOrderFilledLogs({ rpcUrl, outcomes, ...limits }: OrderFilledLogsOptions): ChainTrades {
  const rpc = createPolygonRpc(rpcUrl, limits);
  const cached = new Map<string, TokenOutcome>();
  const readRanges = createBlockRanges(BLOCKS_PER_CALL_MAX);

  function fetchLogs(fromBlock: number, toBlock: number): Promise<readonly OrderFilledLog[]> {
    return readRanges(fromBlock, toBlock, async (from, to) => {
      const found = await rpc.orderFilledLogs(from, to);
      if (found !== 'too_many' || from < to) return found;
      throw new OutsideError('polygon-rpc', `refuses even block ${from} alone`, { failure: 'retryable' });
    });
  }

  async function learnOutcomes(tokens: readonly string[]): Promise<void> {
    const unknown = [...new Set(tokens)].filter((token) => !cached.has(token));
    if (unknown.length === 0) return;
    for (const [token, outcome] of await outcomes.findOutcomes(unknown)) cached.set(token, outcome);
  }

  function forgetOldest(): void {
    for (const token of cached.keys()) {
      if (cached.size <= OUTCOMES_MAX) return;
      cached.delete(token);
    }
  }

  async function latestBlock(): Promise<number> {
    return Math.max(0, (await rpc.latestBlock()) - CONFIRMATIONS);
  }

  return {
    latestBlock,
    firstBlockFrom: async (timeS) => firstBlockFrom(rpc, timeS, await latestBlock()),
    blockTimeS: rpc.blockTimeS,
    async fetchFills(fromBlock, toBlock): Promise<ChainFills> {
      const logs = await fetchLogs(fromBlock, toBlock);
      const rows = logs.flatMap((log) => {
        const row = log.removed || isComboExchange(log.address) ? null : toWalletRow(toEvent(log));
        return row === null ? [] : [{ log, row }];
      });
      await learnOutcomes(rows.map(({ row }) => row.token));
      const times = await fetchTimes(
        rpc,
        rows.map(({ log }) => log),
      );
      const unplaced = new Map<number, BlockTime>();
      const fills = rows.flatMap(({ log, row }) => {
        const outcome = cached.get(row.token);
        const timeS = times.get(log.blockNumber)!;
        if (outcome !== undefined) return [toFill(row, outcome, { ...log, timeS, tx: log.transactionHash })];
        const block = Number(log.blockNumber);
        unplaced.set(block, { block, timeS });
        return [];
      });
      forgetOldest();
      return { fills, skipped: logs.length - fills.length, unplaced: inOrder([...unplaced.values()]) };
    },
  };
}

function inOrder(blocks: readonly BlockTime[]): readonly BlockTime[] {
  return blocks.toSorted((a, b) => a.block - b.block);
}

function toEvent({ args }: OrderFilledLog): OrderFilled {
  return 'tokenId' in args ? { version: 2, ...args } : { version: 1, ...args };
}

/**
 * Some endpoints give the time with the log; of the others the blocks are asked, many in one
 * request.
 */
async function fetchTimes(rpc: PolygonRpc, logs: readonly OrderFilledLog[]): Promise<ReadonlyMap<bigint, number>> {
  const times = new Map<bigint, number>();
  for (const { blockNumber, blockTimestamp } of logs) {
    if (typeof blockTimestamp === 'bigint') times.set(blockNumber, Number(blockTimestamp));
  }
  const missing = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((block) => !times.has(block));
  await Promise.all(missing.map(async (block) => times.set(block, await rpc.blockTimeS(Number(block)))));
  return times;
}

/** Blocks come in the order of their times, so that halving finds the first. */
async function firstBlockFrom(rpc: PolygonRpc, timeS: number, latest: number): Promise<number> {
  let low = 0;
  let high = latest;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await rpc.blockTimeS(middle)) >= timeS) high = middle;
    else low = middle + 1;
  }
  return low;
}
