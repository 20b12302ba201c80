import { getHttpRpcClient, type HttpRpcClient } from 'viem/utils';
import { BASE_CHAIN_ID } from '#domain/payment/payment';
import type { Stopwatch } from '#system/stopwatch';
import {
  parseBlock,
  parseBool,
  parseContractFailure,
  parseHasCode,
  parseLogs,
  parseQuantity,
  parseReceipt,
  parseReturned,
  type RpcBlock,
  type RpcCallResult,
  type RpcLog,
  type RpcReceipt,
} from '#wire/chain/base-rpc';
import { isRedirect, REDIRECT } from '../http-client/redirect.js';
import { createSilence, type Silence } from '../http-client/silence.js';
import { createBlockRanges } from './block-ranges.js';

export interface BaseRpcLimits {
  /** All tries of one question together, bodies included. */
  readonly timeoutMs: number;
  /** Calls only read, so they may be repeated. */
  readonly attemptsMax: number;
  readonly answerBytesMax: number;
}

/** The receipt of a transaction that settles hundreds of payments at once is the largest answer. */
export const BASE_RPC_LIMITS: BaseRpcLimits = { timeoutMs: 2_000, attemptsMax: 2, answerBytesMax: 2 * 1024 * 1024 };

/**
 * The endpoint gave no usable answer. The text names the method and what happened; never the URL,
 * whose path can be a key.
 */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(
    message: string,
    /** Whether it understood the question and would not answer it. */
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

interface LogFilter {
  readonly address: string;
  /** A list in place of a topic: any of them; null: whatever it is. */
  readonly topics: readonly (string | readonly string[] | null)[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

interface ContractCall {
  readonly from: string;
  readonly to: string;
  readonly gas: string;
  readonly data: string;
}

/**
 * The longest range of one question for logs; halved where the endpoint finds it too long: some
 * take ten blocks.
 */
const BLOCKS_PER_CALL_MAX = 1_000;
/** The questions that one range may take. */
const LOG_CALLS_MAX = 40;
/** By which some endpoints refuse a range. */
const REFUSAL_STATUSES: readonly unknown[] = [400, 413];

/** That the endpoint is there is told at once, or it is not there. */
const PROBE_TIMEOUT_MS = 800;

/**
 * One JSON-RPC endpoint of Base, read only. Every method rejects with an RpcFailure where there is
 * no usable answer.
 */
export interface BaseRpc {
  /** Whether it owes an answer, so that another one had better be asked. */
  isSilent(): boolean;
  /**
   * Asks anew, whatever was answered before, and gives up soon. Rejects for another chain than Base
   * too.
   */
  probe(): Promise<void>;
  /** null: the newest. */
  block(number: number | null): Promise<RpcBlock>;
  /** Calls a function that returns a bool, as of the end of a block. */
  callBool(call: { readonly to: string; readonly data: string }, blockNumber: number): Promise<boolean>;
  /** Calls a contract; null: as of the newest block. That the contract fails is an answer. */
  call(call: ContractCall, blockNumber: number | null): Promise<RpcCallResult>;
  /** Whether there is code at an address, as of the newest block. */
  hasCode(address: string): Promise<boolean>;
  logs(filter: LogFilter): Promise<readonly RpcLog[]>;
  receipt(transactionHash: string): Promise<RpcReceipt>;
}

/**
 * Returns the way to one endpoint. An endpoint of another chain would call every payment unused, so
 * the chain's id is asked before anything else is believed. Only viem/utils is imported: the whole
 * of viem takes 100 ms more to start.
 */
export function createBaseRpc(url: string, stopwatch: Stopwatch, limits: BaseRpcLimits = BASE_RPC_LIMITS): BaseRpc {
  const { timeoutMs: timeout, answerBytesMax: maxResponseBodySize } = limits;
  const client = getHttpRpcClient(url, { timeout, maxResponseBodySize });
  const silence = createSilence(stopwatch);
  let isBase = false;

  async function ask<T>(question: Question<T>, sumMs: number): Promise<T> {
    const endMs = stopwatch.elapsedMs() + sumMs;
    const leftMs = () => Math.ceil(endMs - stopwatch.elapsedMs());
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(client, question, leftMs(), silence);
      } catch (failure) {
        if (attempt >= limits.attemptsMax || leftMs() <= 0) throw failure;
      }
    }
  }

  async function askBase<T>(method: string, params: readonly unknown[], ...read: Readers<T>): Promise<T> {
    if (!isBase) await checkChain(timeout);
    return ask({ method, params, read }, timeout);
  }

  async function checkChain(sumMs: number): Promise<void> {
    isBase = false;
    const id = await ask({ method: 'eth_chainId', params: [], read: [parseQuantity] }, sumMs);
    if (id !== BASE_CHAIN_ID) throw new RpcFailure(`serves chain ${id} instead of ${BASE_CHAIN_ID}`);
    isBase = true;
  }

  const readRanges = createBlockRanges(BLOCKS_PER_CALL_MAX);

  function logs({ address, topics, fromBlock, toBlock }: LogFilter): Promise<readonly RpcLog[]> {
    let calls = 0;
    return readRanges(fromBlock, toBlock, async (from, to) => {
      if (++calls > LOG_CALLS_MAX) throw new RpcFailure('eth_getLogs takes too few blocks at once');
      try {
        const range = { fromBlock: toHex(from), toBlock: toHex(to) };
        return await askBase('eth_getLogs', [{ address, topics, ...range }], parseLogs);
      } catch (failure) {
        if (from === to || !(failure instanceof RpcFailure && failure.isRefusal)) throw failure;
        return 'too_many';
      }
    });
  }

  return {
    isSilent: silence.isSilent,
    probe: () => checkChain(Math.min(timeout, PROBE_TIMEOUT_MS)),
    block: (number) => askBase('eth_getBlockByNumber', [toTag(number), false], parseBlock),
    callBool: (call, blockNumber) => askBase('eth_call', [call, toHex(blockNumber)], parseBool),
    call: (call, blockNumber) => askBase('eth_call', [call, toTag(blockNumber)], parseReturned, parseContractFailure),
    hasCode: (address) => askBase('eth_getCode', [address, 'latest'], parseHasCode),
    logs,
    receipt: (transactionHash) => askBase('eth_getTransactionReceipt', [transactionHash], parseReceipt),
  };
}

/** What makes an answer of a result, and of an error where that is an answer. */
type Readers<T> = readonly [result: (raw: unknown) => T | null, error?: (raw: unknown) => T | null];

interface Question<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly read: Readers<T>;
}

/** viem's own time limit ends with the headers; the signal here also ends a body that drips. */
async function askOnce<T>(
  client: HttpRpcClient,
  { method, params, read }: Question<T>,
  timeoutMs: number,
  silence: Silence,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  let answer: { readonly result?: unknown; readonly error?: { readonly code?: unknown } | undefined };
  silence.asked();
  try {
    answer = await client.request({ body: { method, params }, fetchOptions: { redirect: REDIRECT, signal } });
    silence.heard();
  } catch (error) {
    if (!isLate(error, signal)) silence.heard();
    if (isRedirected(error)) throw new RpcFailure(`answered ${error.status}; redirects are not followed`);
    const what = signal.aborted ? `gave no answer within ${timeoutMs} ms` : 'failed';
    // viem's texts hold the URL and the request: only the kind of error is reported.
    const isRefusal = REFUSAL_STATUSES.includes((error as { readonly status?: unknown }).status);
    throw new RpcFailure(`${method} ${what} (${error instanceof Error ? error.name : 'no error'})`, isRefusal);
  }
  const [readResult, readError = () => null] = read;
  const parsed = answer.error === undefined ? readResult(answer.result) : readError(answer.error);
  if (parsed !== null) return parsed;
  if (answer.error === undefined) throw new RpcFailure(`${method} answered something else`);
  throw new RpcFailure(`${method} was refused (${Number(answer.error.code)})`, true);
}

function isLate(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof Error && error.name === 'TimeoutError');
}

function isRedirected(error: unknown): error is { readonly status: number } {
  const { status } = error as { readonly status?: unknown };
  return typeof status === 'number' && isRedirect({ status });
}

/** null: the newest block. */
function toTag(blockNumber: number | null): string {
  return blockNumber === null ? 'latest' : toHex(blockNumber);
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`;
}
