import { BaseError, createPublicClient, type GetLogsReturnType, http, type PublicClient, parseAbi } from 'viem';
import { OutsideError } from '#domain/errors';
import { REDIRECT } from '../http-client/redirect.js';
import { EXCHANGES } from './exchanges.js';

const UPSTREAM = 'polygon-rpc';
/** One answer; a busy range of blocks is tens of megabytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const RETRIES = 3;
/** Blocks that are asked for in one request. */
const BATCH_CALLS_MAX = 50;

export type OrderFilledLog = GetLogsReturnType<undefined, typeof ORDER_FILLED_EVENTS, true, bigint, bigint>[number];

export interface PolygonRpcLimits {
  /**
   * One answer, its body included. An endpoint that is silent for so long is given up: it is not
   * asked the same again.
   */
  readonly answerMsMax: number;
  /** Before the first repeat of a question that failed; twice that before the second, and so on. */
  readonly retryDelayMs: number;
}

const LIMITS: PolygonRpcLimits = { answerMsMax: 30_000, retryDelayMs: 150 };

/** One JSON-RPC endpoint of Polygon, read only. Every method rejects with an OutsideError. */
export interface PolygonRpc {
  latestBlock(): Promise<number>;
  /** Seconds since the epoch. */
  blockTimeS(block: number): Promise<number>;
  /**
   * The exchanges' OrderFilled events, or `too_many` where the endpoint wants a shorter range.
   * Rejects where the endpoint has not come as far as `toBlock`: it would know of no event there.
   */
  orderFilledLogs(fromBlock: number, toBlock: number): Promise<readonly OrderFilledLog[] | 'too_many'>;
}

/**
 * Returns the way to an endpoint. One of another chain would show a venue without trades, so the
 * chain's id is asked first.
 */
export function createPolygonRpc(url: string, limits: Partial<PolygonRpcLimits> = {}): PolygonRpc {
  const { answerMsMax, retryDelayMs } = { ...LIMITS, ...limits };
  const transport = http(url, {
    batch: { batchSize: BATCH_CALLS_MAX },
    fetchFn: fetchWithin(answerMsMax),
    fetchOptions: { redirect: REDIRECT },
    maxResponseBodySize: ANSWER_BYTES_MAX,
    retryCount: RETRIES,
    retryDelay: retryDelayMs,
    timeout: 0,
  });
  const client = createPublicClient({ transport });
  let isPolygon = false;

  async function ask<T>(method: string, call: (client: PublicClient) => Promise<T>): Promise<T> {
    try {
      if (!isPolygon) isPolygon = await checkChain(client);
      return await call(client);
    } catch (error) {
      if (error instanceof OutsideError) throw error;
      throw isSilent(error) ? silence(method, answerMsMax) : failure(method, error);
    }
  }

  const newestBlock = async () => Number(await client.getBlockNumber({ cacheTime: 0 }));
  const latestBlock = () => ask('eth_blockNumber', newestBlock);

  /** Asked for the logs in one request, so that it is the same node that says how far it is. */
  async function logsSoFar(fromBlock: number, toBlock: number): Promise<readonly OrderFilledLog[]> {
    const range = { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) };
    const [logs, newest] = await Promise.all([
      client.getLogs({ address: [...EXCHANGES], events: ORDER_FILLED_EVENTS, strict: true, ...range }),
      newestBlock(),
    ]);
    if (newest >= toBlock) return logs;
    const what = `is behind: it was asked for block ${toBlock} and its newest is ${newest}; run the same command again`;
    throw new OutsideError(UPSTREAM, what, { failure: 'retryable' });
  }

  return {
    latestBlock,
    blockTimeS: (block) =>
      ask('eth_getBlockByNumber', async () =>
        Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp),
      ),
    async orderFilledLogs(fromBlock, toBlock) {
      return ask('eth_getLogs', async () => {
        try {
          return await logsSoFar(fromBlock, toBlock);
        } catch (error) {
          if (error instanceof OutsideError || !(isSilent(error) || isTooMany(error))) throw error;
          // Too much for the time there is, or nobody there: a small question tells.
          if (isSilent(error)) await latestBlock();
          return 'too_many';
        }
      });
    },
  };
}

/**
 * Returns fetch with a limit on the whole of an answer: viem's own ends with the headers. Its error
 * has the name of those after which viem does not ask again.
 */
function fetchWithin(msMax: number): typeof fetch {
  return async (input, init) => {
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException('too late', 'AbortError')), msMax).unref();
    return fetch(input, { ...init, signal: late.signal });
  };
}

async function checkChain(client: PublicClient): Promise<true> {
  const chainId = await client.getChainId();
  if (chainId === POLYGON_CHAIN_ID) return true;
  const what = `serves chain ${chainId} instead of ${POLYGON_CHAIN_ID}; give an endpoint of Polygon`;
  throw new OutsideError(UPSTREAM, what, { failure: 'final' });
}

/** Whether the endpoint did not answer within the limit. */
function isSilent(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === 'AbortError');
}

/** Every provider has its own words and codes for "too much at once". */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const texts = causesOf(error).flatMap((cause) => [
    ...[cause.name, cause.message.split('\n')[0] ?? ''],
    ...(cause instanceof BaseError ? [cause.details ?? ''] : []),
  ]);
  return /too many|too large|too big|toolarge|more than|limit|exceed|range|timed? ?out/i.test(texts.join(' '));
}

const CAUSES_MAX = 10;

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause);
  return causes;
}

function silence(method: string, answerMsMax: number): OutsideError {
  const advice = 'run the same command again, or give another endpoint';
  const what = `${method} got no whole answer within ${answerMsMax / 1e3} s; ${advice}`;
  return new OutsideError(UPSTREAM, what, { failure: 'retryable' });
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
