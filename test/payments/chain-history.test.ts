import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { BASE_CHAIN_ID, type PaymentKey, USDC_ON_BASE } from '#domain/payment/payment';
import type { SettlementProof } from '#domain/payment/proof';
import type { Store } from '#ports/store';
import { needAnvil } from '#test/local/support/chain-harness';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { PAID_CALLS, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, Till } from './support/till.js';

const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;
const CREDITS = 500;
const DEEP_BLOCKS = 6;
const FINAL_BLOCKS = 14;
const BLOCK_INTERVAL_MS = 100;
const LOOKS_MAX = 300;

/** A real service and a real chain, which changes what it said before. */
describe('a pack that is paid on a chain', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;
  /** Between the service and its only endpoint. */
  let endpoint: LoopbackServer;
  let listsLogs = true;
  let store: Store;

  before(async function () {
    needAnvil(this);
    endpoint = await startLoopbackServer();
    service = await startPaidService(async (upstreams) => {
      const [rpcUrl] = upstreams.baseRpcUrls;
      endpoint.answer(async ({ body }, response) => {
        const { id, method } = JSON.parse(body);
        if (method === 'eth_getLogs' && !listsLogs) return sendJson(response, { jsonrpc: '2.0', id, result: [] });
        const headers = { 'content-type': 'application/json' };
        return sendJson(response, await (await fetch(rpcUrl!, { method: 'POST', headers, body })).json());
      });
      return { ...upstreams, baseRpcUrls: [endpoint.baseUrl] };
    });
    till = new Till(service);
    store = openLmdbStore({ path: lmdbPath(service.dataDir), readsOnly: true });
  });
  after(async () => {
    await store?.close();
    await service?.stop();
    await endpoint?.close();
  });
  afterEach(() => {
    service.before('settle', null);
    listsLogs = true;
  });

  const rpc = <Result>(method: string, ...params: readonly unknown[]) =>
    service.chain.client.request({ method: method as never, params: params as never }) as Promise<Result>;
  const creditsOf = async (token: string) => {
    const balance = await send({ url: `${service.url}/api/credits`, init: {} }, { authorization: `Bearer ${token}` });
    return JSON.parse(balance.text).balance as number;
  };
  /** Blocks come while something is done, and it is done. */
  async function whileMining<T>(act: Promise<T>): Promise<T> {
    const mining = new AbortController();
    const mined = (async () => {
      while (!mining.signal.aborted) {
        await service.chain.mine(1);
        await sleep(BLOCK_INTERVAL_MS);
      }
    })();
    return act.finally(async () => {
      mining.abort();
      await mined;
    });
  }

  for (const blocks of [5, 12]) {
    it(`is sold once where ${blocks} blocks are taken back before its transfer`, async () => {
      const made = await till.payOnTerms(PACK);
      await service.chain.mine(2 * blocks);
      let times = 0;
      service.before('settle', async () => {
        if (times++ === 0) await rpc('anvil_rollback', blocks);
      });
      const sent = await till.earning(PACK.priceMicros, () => whileMining(till.send(PACK, made.v2)));
      expectAnswered(sent);
      expect(await creditsOf(JSON.parse(sent.text).token)).to.equal(CREDITS);
    });
  }

  it('stays sold where its transfer comes into a block far below that in which it was', async () => {
    const made = await till.payOnTerms(PACK);
    await service.chain.mine(DEEP_BLOCKS);
    const sent = await till.send(PACK, made.v2);
    const transaction = expectAnswered(sent);
    const raw = await rpc<string>('eth_getRawTransactionByHash', transaction);
    const blockOf = async () => (await service.chain.client.getTransactionReceipt({ hash: transaction })).blockNumber;
    const before = await blockOf();
    await rpc('anvil_rollback', DEEP_BLOCKS + 1);
    expect(await rpc('eth_sendRawTransaction', raw)).to.equal(transaction);
    await service.chain.mine(1);
    expect(Number(before - (await blockOf()))).to.be.at.least(4);
    await service.chain.mine(FINAL_BLOCKS);
    const key =
      `${BASE_CHAIN_ID}:${USDC_ON_BASE}:${made.payer.address}:${made.payload.authorization.nonce}`.toLowerCase() as PaymentKey;
    const proofOf = async () => (await store.payment(key))?.proof;
    const isLast = (proof: SettlementProof | null | undefined) =>
      proof?.kind === 'refuted' || (proof?.kind === 'proven' && proof.isFinal);
    for (let looks = 0; looks < LOOKS_MAX && !isLast(await proofOf()); looks++) await sleep(BLOCK_INTERVAL_MS);
    expect(await proofOf()).to.deep.include({ kind: 'proven', isFinal: true, blockNumber: Number(await blockOf()) });
    expect(await creditsOf(JSON.parse(sent.text).token)).to.equal(CREDITS);
  });

  it('is not refused where an endpoint calls its authorization spent and lists no transfer, and is sold when it does', async () => {
    const made = await till.payOnTerms(PACK);
    service.facilitator.faults.plan({ operation: 'settle', fault: 'drop-after' });
    listsLogs = false;
    const first = await till.earning(PACK.priceMicros, () => whileMining(till.send(PACK, made.v2)));
    expect(first.status, first.text).to.equal(500);
    expect(JSON.parse(first.text)).to.include({ code: 'settlement_pending', retry: 'same_payment' });
    listsLogs = true;
    const repeat = await till.earning(0n, () => whileMining(till.send(PACK, made.v2)));
    expectAnswered(repeat);
    expect(await creditsOf(JSON.parse(repeat.text).token)).to.equal(CREDITS);
  });
});
