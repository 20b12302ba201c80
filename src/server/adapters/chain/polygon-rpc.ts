import { BaseError, createPublicClient, type GetLogsReturnType, http, type PublicClient, parseAbi } from 'viem';
import { OutsideError } from '#domain/errors';
import { REDIRECT } from '../http-client/redirect.js';
import { EXCHANGES } from './exchanges.js';

const UPSTREAM = 'polygon-rpc';
/** One answer; a busy range of blocks is tens of megabytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const RETRY_DELAY_MS = 150;
/** Blocks that are asked for in one request. */
const BATCH_CALLS_MAX = 50;

export type OrderFilledLog = GetLogsReturnType<undefined, typeof ORDER_FILLED_EVENTS, true, bigint, bigint>[number];

/** One JSON-RPC endpoint of Polygon, read only. Every method rejects with an OutsideError. */
export interface PolygonRpc {
  latestBlock(): Promise<number>;
  /** Seconds since the epoch. */
  blockTimeS(block: number): Promise<number>;
  /** The exchanges' OrderFilled events, or `too_many` where the endpoint wants a shorter range. */
  orderFilledLogs(fromBlock: number, toBlock: number): Promise<readonly OrderFilledLog[] | 'too_many'>;
}

/**
 * Returns the way to an endpoint, which is asked again after `retryDelayMs`, twice that, and so on.
 * One of another chain would show a venue without trades, so the chain's id is asked first.
 */
export function createPolygonRpc(url: string, retryDelayMs = RETRY_DELAY_MS): PolygonRpc {
  const transport = http(url, {
    batch: { batchSize: BATCH_CALLS_MAX },
    fetchOptions: { redirect: REDIRECT },
    maxResponseBodySize: ANSWER_BYTES_MAX,
    retryCount: RETRIES,
    retryDelay: retryDelayMs,
    timeout: TIMEOUT_MS,
  });
  const client = createPublicClient({ transport });
  let isPolygon = false;

  async function ask<T>(method: string, call: (client: PublicClient) => Promise<T>): Promise<T> {
    try {
      if (!isPolygon) isPolygon = await checkChain(client);
      return await call(client);
    } catch (error) {
      throw error instanceof OutsideError ? error : failure(method, error);
    }
  }

  return {
    latestBlock: () => ask('eth_blockNumber', async () => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    blockTimeS: (block) =>
      ask('eth_getBlockByNumber', async () =>
        Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp),
      ),
    async orderFilledLogs(fromBlock, toBlock) {
      const range = { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) };
      return ask('eth_getLogs', async () => {
        try {
          return await client.getLogs({ address: [...EXCHANGES], events: ORDER_FILLED_EVENTS, strict: true, ...range });
        } catch (error) {
          if (isTooMany(error)) return 'too_many';
          throw error;
        }
      });
    },
  };
}

async function checkChain(client: PublicClient): Promise<true> {
  const chainId = await client.getChainId();
  if (chainId === POLYGON_CHAIN_ID) return true;
  const what = `serves chain ${chainId} instead of ${POLYGON_CHAIN_ID}; give an endpoint of Polygon`;
  throw new OutsideError(UPSTREAM, what, { failure: 'final' });
}

/** Every provider has its own words and codes for "too much at once". */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const texts: string[] = [];
  error.walk((cause) => {
    if (cause instanceof Error) texts.push(cause.name, cause.message.split('\n')[0] ?? '');
    if (cause instanceof BaseError) texts.push(cause.details ?? '');
    return false;
  });
  return /too many|too large|too big|toolarge|more than|limit|exceed|range|timeouterror|timed? ?out/i.test(
    texts.join(' '),
  );
}

/** viem's texts hold the address, whose path can be a key: only the kind of error is reported. */
function failure(method: string, error: unknown): OutsideError {
  const kind = error instanceof Error ? error.name : 'no error';
  return new OutsideError(UPSTREAM, `${method} failed (${kind})`, { failure: 'retryable' });
}

/** Polygon. */
const POLYGON_CHAIN_ID = 137;

/** Both have the same name and different fields. */
export const ORDER_FILLED_EVENTS = parseAbi([
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee)',
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)',
]);
