import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createBaseChain } from '#adapters/chain/base-chain';
import { BASE_CHAIN_ID } from '#domain/payment/payment';
import type { ChainReader } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import { newPayment } from '#test/server/services/support/payments-rig';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { DEMAND } from '#test/support/signed-payments';

const TX = `0x${'7a'.repeat(32)}`;
const toHex = (number: number) => `0x${number.toString(16)}`;

/** What an endpoint says whose newest block is the given one. */
const RESULTS: Readonly<Record<string, unknown>> = {
  eth_chainId: toHex(BASE_CHAIN_ID),
  eth_getBlockByNumber: { number: toHex(1_000), timestamp: toHex(1_780_000_000) },
  eth_call: `0x${'0'.repeat(64)}`,
  eth_getCode: '0x',
  eth_getLogs: [],
  eth_getTransactionReceipt: null,
};

/** In real time, after which a question has no answer: one that is answered, on a busy machine too. */
const TIMEOUT_MS = 1_000;
/** Where none is answered. */
const SILENT_TIMEOUT_MS = 60;
const STEP_MS = 100;
const REAL_MS = 10;
const STEPS_MAX = 100;
const PROBES_MAX = 5;

describe('two endpoints of Base, the first of which takes questions and answers none', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let servers: LoopbackServer[];
  let chain: ChainReader & Upstream;

  beforeEach(async () => {
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    servers = [await startLoopbackServer(), await startLoopbackServer()];
    for (const server of servers) speak(server);
    silence(servers[0]!);
    chain = chainWith(TIMEOUT_MS);
  });
  afterEach(async () => {
    for (const server of servers) await server.close();
  });

  function chainWith(timeoutMs: number): ChainReader & Upstream {
    const rpcUrls = servers.map(({ baseUrl }) => baseUrl);
    return createBaseChain({ rpcUrls, clock, timers, limits: { timeoutMs } });
  }

  function speak(server: LoopbackServer): void {
    server.answer(({ body }, response) => {
      const { id, method } = JSON.parse(body);
      sendJson(response, { jsonrpc: '2.0', id, result: RESULTS[method] });
    });
  }
  const silence = (server: LoopbackServer) => server.answer(() => undefined);
  const methods = (n: number) => servers[n]!.seen.map(({ body }) => JSON.parse(body).method as string);

  /** Resolves as the question does, while time passes by tenths of a second. */
  async function inTime<T>(asked: Promise<T>): Promise<T> {
    let isOver = false;
    void asked.finally(() => {
      isOver = true;
    });
    for (let steps = 0; steps < STEPS_MAX && !isOver; steps++) {
      await sleep(REAL_MS);
      timers.advance(STEP_MS);
    }
    return asked;
  }

  const payment = () => newPayment(clock);
  const questions: readonly [name: string, ask: () => Promise<unknown>, says: object | string | boolean][] = [
    ['the newest block', () => chain.head(), { blockNumber: 1_000, timestampS: 1_780_000_000 }],
    ['a block and a state', () => chain.stateAtHead(payment(), DEMAND), { blockNumber: 1_000, isSpent: false }],
    ['an authorization', () => chain.resolve(payment(), DEMAND, 0), { kind: 'unused', chainTimeS: 1_780_000_000 }],
    ['the code of an address', () => chain.hasCode(payment().authorization.from), 'no_code'],
    ['a balance', () => chain.holds(payment()), false],
    ['transfers', () => chain.transfersTo(DEMAND.payTo, DEMAND.asset), []],
  ];
  for (const [name, ask, says] of questions) {
    it(`are asked for ${name} one beside the other, and then the one that answers alone`, async () => {
      expect(await inTime(ask())).to.deep.equal(says);
      const before = methods(0).length;
      expect(before).to.be.greaterThan(0);
      for (let n = 0; n < 3; n++) expect(await inTime(ask())).to.deep.equal(says);
      expect(methods(0)).to.have.length(before);
    });
  }

  it('give the newest block also where one of them cannot say what it holds', async () => {
    for (const server of servers) {
      server.answer(({ body }, response) => {
        const { id, method } = JSON.parse(body);
        const failed = { error: { code: -32_000, message: 'header not found' } };
        sendJson(response, { jsonrpc: '2.0', id, ...(method === 'eth_call' ? failed : { result: RESULTS[method] }) });
      });
    }
    expect(await inTime(chain.stateAtHead(payment(), DEMAND))).to.deep.equal({ blockNumber: 1_000, isSpent: null });
  });

  it('do not refute a receipt while one cannot say', async () => {
    const asked = () => inTime(chain.receipt(TX, payment(), DEMAND));
    for (let n = 0; n < 2; n++) expect(await asked()).to.include({ kind: 'unknown' });
  });

  it('say nothing for good alone: an end that needs both stays unknown', async () => {
    servers[1]!.answer(({ body }, response) => {
      const { id, method } = JSON.parse(body);
      const late = { number: toHex(1_000), timestamp: toHex(1_790_000_000) };
      sendJson(response, { jsonrpc: '2.0', id, result: method === 'eth_getBlockByNumber' ? late : RESULTS[method] });
    });
    for (let n = 0; n < 2; n++) {
      expect(await inTime(chain.resolve(payment(), DEMAND, 0))).to.include({ kind: 'unknown' });
    }
  });

  it('are asked by their own probe whether they are back, and then used again', async () => {
    await inTime(chain.head());
    const before = methods(0).length;
    await inTime(chain.probe());
    expect(methods(0).slice(before)).to.deep.equal(['eth_chainId']);
    speak(servers[0]!);
    // On a busy machine an answer may come too late for one probe.
    for (let n = 0; n < PROBES_MAX && chain.health().lastError !== null; n++) await inTime(chain.probe());
    const healed = methods(0).length;
    await inTime(chain.head());
    expect(methods(0).slice(healed)).to.deep.equal(['eth_getBlockByNumber']);
    expect(chain.health()).to.include({ ok: true, lastError: null });
  });

  it('are not waited for without end where both are silent', async () => {
    for (const server of servers) silence(server);
    chain = chainWith(SILENT_TIMEOUT_MS);
    for (const ask of [() => chain.head(), () => chain.stateAtHead(payment(), DEMAND)]) {
      for (let n = 0; n < 2; n++) {
        const startedAtMs = clock.elapsedMs();
        expect(await inTime<unknown>(ask())).to.equal(null);
        expect(clock.elapsedMs() - startedAtMs, 'by the clock of the service').to.be.at.most(1_600);
      }
    }
    expect(await inTime(chain.resolve(payment(), DEMAND, 0))).to.include({ kind: 'unknown' });
  });
});
