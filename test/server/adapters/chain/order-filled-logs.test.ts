import { expect } from 'chai';
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, numberToHex, toHex } from 'viem';
import { EXCHANGES } from '#adapters/chain/exchanges';
import { createOrderFilledLogs } from '#adapters/chain/order-filled-logs';
import { ORDER_FILLED_EVENTS } from '#adapters/chain/polygon-rpc';
import { OutsideError } from '#domain/errors';
import type { TokenOutcomes } from '#ports/chain-trades';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { hex40, hex64 } from '#test/support/trade-rows';

type Hex = `0x${string}`;
type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

const [V1, V2] = ORDER_FILLED_EVENTS;
const GENESIS_S = 1_700_000_000;
const TOKEN = 77n;
const wallet = (n: number) => hex40(n) as Hex;

/**
 * A log as an endpoint tells it; `values` are the event's fields without those that are indexed.
 */
function log(
  event: AbiEvent,
  block: number,
  index: number,
  [maker, taker]: readonly [Hex, Hex],
  values: readonly unknown[],
  more = {},
) {
  const plain = event.inputs.filter(({ indexed }) => indexed !== true);
  const args = { orderHash: hex64(index), maker, taker };
  return {
    address: EXCHANGES[event === V1 ? 0 : 2].toLowerCase(),
    topics: encodeEventTopics({ abi: [event], eventName: 'OrderFilled', args } as never),
    data: encodeAbiParameters(plain, values as never),
    blockNumber: toHex(block),
    blockHash: hex64(block),
    transactionHash: hex64(block * 1_000)
      .toUpperCase()
      .replace('X', 'x'),
    transactionIndex: '0x0',
    logIndex: toHex(index),
    removed: false,
    ...more,
  };
}

/** A match of V1: a taker buys 30 shares of two makers, and each order has its event. */
const MATCH_V1 = [
  log(V1, 5, 0, [wallet(1), wallet(9)], [TOKEN, 0n, 10_000_000n, 4_000_000n, 0n]),
  log(V1, 5, 1, [wallet(2), wallet(9)], [TOKEN, 0n, 20_000_000n, 8_200_000n, 0n]),
  log(V1, 5, 2, [wallet(9), EXCHANGES[0]], [0n, TOKEN, 12_200_000n, 30_000_000n, 0n]),
];
const ZERO = hex64(0);
const MATCH_V2 = [
  log(V2, 6, 4, [wallet(3), wallet(8)], [0, TOKEN, 5_000_000n, 10_000_000n, 1n, ZERO, ZERO]),
  log(V2, 6, 5, [wallet(8), EXCHANGES[2]], [1, TOKEN, 10_000_000n, 5_000_000n, 1n, ZERO, ZERO]),
];

describe('trades from the logs of the exchange contracts', () => {
  let server: LoopbackServer;
  let logs: readonly ReturnType<typeof log>[];
  let chainId: number;
  let head: number;
  /** An error in place of the logs, where the range is not to its liking. */
  let refuse: (from: number, to: number) => object | null;
  const requested: [number, number][] = [];

  const outcomes: TokenOutcomes = {
    findOutcomes: async (tokens) =>
      new Map(
        tokens.filter((one) => one === '77').map((one) => [one, { condition: hex64(1), event: 'e', outcomeIndex: 1 }]),
      ),
  };
  const open = () => createOrderFilledLogs({ rpcUrl: server.baseUrl, outcomes, retryDelayMs: 1 });

  beforeEach(async () => {
    server = await startLoopbackServer();
    [logs, chainId, head, refuse] = [[...MATCH_V1, ...MATCH_V2], 137, 10_000, () => null];
    requested.length = 0;
    server.answer((request, response) => {
      const body = JSON.parse(request.body) as Call | Call[];
      const answer = (call: Call) => ({ jsonrpc: '2.0', id: call.id, ...reply(call) });
      sendJson(response, Array.isArray(body) ? body.map(answer) : answer(body));
    });
  });
  afterEach(() => server.close());

  function reply({ method, params }: Call): object {
    if (method === 'eth_chainId') return { result: numberToHex(chainId) };
    if (method === 'eth_blockNumber') return { result: numberToHex(head) };
    if (method === 'eth_getBlockByNumber') {
      const number = Number(params[0]);
      return { result: { number: toHex(number), timestamp: toHex(GENESIS_S + number * 2), transactions: [] } };
    }
    const { fromBlock, toBlock, address } = params[0] as { fromBlock: Hex; toBlock: Hex; address: string[] };
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    requested.push([from, to]);
    expect(address).to.have.length(4);
    const error = refuse(from, to);
    if (error !== null) return { error };
    return { result: logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to) };
  }

  it('are each wallet’s own rows, of both versions, and nothing twice', async () => {
    const { fills, skipped } = await open().fetchFills(0, 100);
    const row = (
      n: number,
      side: string,
      sizeMicros: number,
      priceMicros: number,
      block: number,
      logIndex: number,
    ) => ({
      wallet: wallet(n),
      token: '77',
      condition: hex64(1),
      event: 'e',
      outcomeIndex: 1,
      side,
      sizeMicros,
      priceMicros,
      timeS: GENESIS_S + block * 2,
      tx: hex64(block * 1_000),
      logIndex,
    });
    expect(fills).to.deep.equal([
      row(1, 'SELL', 10_000_000, 400_000, 5, 0),
      row(2, 'SELL', 20_000_000, 410_000, 5, 1),
      row(9, 'BUY', 30_000_000, 406_667, 5, 2),
      row(3, 'BUY', 10_000_000, 500_000, 6, 4),
      row(8, 'SELL', 10_000_000, 500_000, 6, 5),
    ]);
    expect(skipped).to.equal(0);
  });

  it('leave exchanges, unknown tokens and logs that were taken back out, and count them', async () => {
    logs = [
      ...MATCH_V1,
      log(V1, 7, 0, [EXCHANGES[1], wallet(4)], [0n, TOKEN, 1_000_000n, 2_000_000n, 0n]),
      log(V2, 7, 1, [wallet(4), wallet(5)], [0, 78n, 1_000_000n, 2_000_000n, 0n, ZERO, ZERO]),
      log(V1, 7, 2, [wallet(4), wallet(5)], [0n, TOKEN, 1_000_000n, 2_000_000n, 0n], { removed: true }),
    ];
    const { fills, skipped } = await open().fetchFills(0, 100);
    expect([fills.length, skipped]).to.deep.equal([3, 3]);
  });

  it('ask no block for its time where the log tells it', async () => {
    logs = MATCH_V1.map((one) => ({ ...one, blockTimestamp: toHex(1_234_567_890) }));
    expect((await open().fetchFills(0, 9)).fills.map(({ timeS }) => timeS)).to.deep.equal(Array(3).fill(1_234_567_890));
    expect(server.seen.some(({ body }) => body.includes('eth_getBlockByNumber'))).to.equal(false);
  });

  for (const error of [
    { code: -32005, message: 'query returned more than 10000 results' },
    { code: -32602, message: 'block range is too large' },
    { code: -32000, message: 'log response size exceeded' },
  ]) {
    it(`come in shorter ranges where the endpoint says "${error.message}"`, async () => {
      refuse = (from, to) => (to - from >= 100 ? error : null);
      expect((await open().fetchFills(0, 999)).fills).to.have.length(5);
      const done = requested.filter(([from, to]) => to - from < 100);
      expect(done.reduce((sum, [from, to]) => sum + to - from + 1, 0)).to.equal(1_000);
    });
  }

  it('end with an error where one block alone is too much, or the endpoint fails otherwise', async () => {
    refuse = () => ({ code: -32005, message: 'too many results' });
    expect(
      await open()
        .fetchFills(0, 7)
        .catch((error: unknown) => error),
    ).to.include({
      message: 'polygon-rpc: refuses even block 0 alone',
    });
    refuse = () => ({ code: -32601, message: 'the method eth_getLogs does not exist' });
    const error = await open()
      .fetchFills(0, 7)
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(OutsideError);
    expect((error as Error).message).to.equal('polygon-rpc: eth_getLogs failed (MethodNotFoundRpcError)');
  });

  it('are not asked of another chain', async () => {
    chainId = 8_453;
    const error = await open()
      .fetchFills(0, 7)
      .catch((e: unknown) => e);
    expect((error as Error).message).to.include('serves chain 8453 instead of 137');
    expect(requested).to.deep.equal([]);
  });

  it('begin at the first block of a moment, and end some blocks before the newest', async () => {
    const chain = open();
    expect(await chain.latestBlock()).to.equal(9_936);
    expect(await chain.firstBlockFrom(GENESIS_S + 200)).to.equal(100);
    expect(await chain.firstBlockFrom(GENESIS_S + 199)).to.equal(100);
    expect(await chain.firstBlockFrom(0)).to.equal(0);
    expect(await chain.firstBlockFrom(GENESIS_S * 2)).to.equal(9_936);
  });
});
