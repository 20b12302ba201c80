import { expect } from 'chai';
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, numberToHex, toHex } from 'viem';
import { EXCHANGES } from '#adapters/chain/exchanges';
import { createOrderFilledLogs } from '#adapters/chain/order-filled-logs';
import { ORDER_FILLED_EVENTS } from '#adapters/chain/polygon-rpc';
import { OutsideError } from '#domain/errors';
import type { TokenOutcomes } from '#ports/chain-trades';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { rejectionOf } from '#test/support/promises';
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
  const open = (answerMsMax = 30_000) =>
    createOrderFilledLogs({ rpcUrl: server.baseUrl, outcomes, retryDelayMs: 1, answerMsMax });

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
    expect(address).to.have.length(EXCHANGES.length);
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

  it('say in which blocks tokens were that no market is known for', async () => {
    const unknown = (block: number, index: number) =>
      log(V2, block, index, [wallet(4), wallet(5)], [0, 78n, 1_000_000n, 2_000_000n, 0n, ZERO, ZERO]);
    logs = [unknown(9, 0), unknown(6, 6), ...MATCH_V2, unknown(9, 1)];
    const { fills, unplaced } = await open().fetchFills(0, 100);
    expect(fills).to.have.length(2);
    expect(unplaced).to.deep.equal([
      { block: 6, timeS: GENESIS_S + 12 },
      { block: 9, timeS: GENESIS_S + 18 },
    ]);
  });

  it('leave combos out, count them, and ask nobody what they are', async () => {
    const requestedTokens: string[] = [];
    const combo = log(V2, 7, 0, [wallet(4), wallet(5)], [0, 99n, 1_000_000n, 2_000_000n, 0n, ZERO, ZERO]);
    logs = [{ ...combo, address: '0xe3333700ca9d93003f00f0f71f8515005f6c00aa' }, ...MATCH_V2];
    const chain = createOrderFilledLogs({
      rpcUrl: server.baseUrl,
      outcomes: {
        findOutcomes: (tokens) => {
          requestedTokens.push(...tokens);
          return outcomes.findOutcomes(tokens);
        },
      },
    });
    const { fills, skipped, unplaced } = await chain.fetchFills(0, 100);
    expect([fills.length, skipped, unplaced, requestedTokens]).to.deep.equal([2, 1, [], ['77']]);
  });

  it('are no orders of the exchange of combos itself', async () => {
    const exchange = '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa';
    logs = [log(V2, 7, 0, [exchange, wallet(5)], [0, TOKEN, 1_000_000n, 2_000_000n, 0n, ZERO, ZERO])];
    expect((await open().fetchFills(0, 100)).fills).to.deep.equal([]);
  });

  it('are not believed of a node that has not come so far', async () => {
    head = 99;
    expect((await open().fetchFills(0, 99)).fills).to.have.length(5);
    const error = await rejectionOf<OutsideError>(open().fetchFills(0, 100));
    expect(error.failure).to.equal('retryable');
    expect(error.message).to.match(/is behind: it was asked for block 100 and its newest is 99/);
  });

  describe('of an endpoint that is silent', () => {
    /** Which questions get no answer, or one that never ends. */
    let isSilent: (body: string) => boolean;
    let begins: boolean;
    beforeEach(() => {
      [isSilent, begins] = [() => true, false];
      server.answer((request, response) => {
        const body = JSON.parse(request.body) as Call[];
        if (!isSilent(request.body))
          sendJson(
            response,
            body.map((call) => ({ jsonrpc: '2.0', id: call.id, ...reply(call) })),
          );
        else if (begins) response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      });
    });
    const SENTENCE = /got no whole answer within 0\.1 s; run the same command again, or give another endpoint/;

    for (const [what, silence] of [
      ['answers nothing at all', () => undefined],
      ['never ends its answer', () => (begins = true)],
      ['stops after the first answer', () => (isSilent = (body) => !body.includes('eth_chainId'))],
    ] as const) {
      it(`are given up with a sentence where it ${what}`, async () => {
        silence();
        const chain = open(100);
        for (const asked of [chain.latestBlock(), chain.blockTimeS(1), chain.fetchFills(0, 100)]) {
          const error = await rejectionOf<OutsideError>(asked);
          expect(error.failure).to.equal('retryable');
          expect(error.message).to.match(SENTENCE);
        }
      });
    }

    it('come in shorter ranges where it has an answer to a smaller question', async () => {
      isSilent = (body) => /"fromBlock":"0x0","toBlock":"0x([4-9a-f]|[0-9a-f]{2,})"/.test(body);
      expect((await open(100).fetchFills(0, 7)).fills).to.have.length(5);
    });
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
