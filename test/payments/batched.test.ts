import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { toWallet } from '#domain/ids';
import { BASE_CHAIN_ID, type PaymentKey, USDC_ON_BASE } from '#domain/payment/payment';
import type { Call } from '#local/chain/chain-sends';
import type { Store } from '#ports/store';
import { needAnvil, newPayer, transferCall, transfersCall } from '#test/local/support/chain-harness';
import { PAID_CALLS, type Sent } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { authorizationOf, expectAnswered, type Made, Till } from './support/till.js';

const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;
const CREDITS = 500;
/** Logs of one payment: its authorization and its transfer. */
const LOGS = 2;
const FINAL_BLOCKS = 14;
const POLL_INTERVAL_MS = 100;
/** As long as it takes until two packs were looked at again, one after the other. */
const LOOKS_MAX = 900;

/**
 * A real service and a real chain, and a facilitator that settles what comes together in one
 * transaction. A reorganization puts another payment before it in its block: each of its logs is
 * then where that of the next payment was.
 */
describe('packs that are paid in one transaction', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;
  let store: Store;

  beforeEach(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
    store = openLmdbStore({ path: lmdbPath(service.dataDir), readsOnly: true });
  });
  afterEach(async () => {
    await store?.close();
    await service?.stop();
  });

  const rpc = <Result>(method: string, ...params: readonly unknown[]) =>
    service.chain.client.request({ method: method as never, params: params as never }) as Promise<Result>;
  const rowOf = ({ payer, payload }: Made) =>
    store.payment(
      `${BASE_CHAIN_ID}:${USDC_ON_BASE}:${payer.address}:${payload.authorization.nonce}`.toLowerCase() as PaymentKey,
    );
  const creditsOf = async ({ payer }: Made) =>
    (await store.account(toWallet(payer.address)))?.lots.map(({ remaining }) => remaining);
  const alarms = () =>
    service.logLines.filter(({ level }) => level === 'error' || Number(level) >= 50).map(({ msg }) => msg);

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await isSo()); looks++) {
      if (looks === LOOKS_MAX) throw new Error(`never so: ${isSo}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Returns a transaction with a call, of an account for it alone. */
  async function signed(call: Call): Promise<Hex> {
    const account = privateKeyToAccount(generatePrivateKey());
    await service.chain.fundGas(account.address);
    const fees = { gas: 600_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    return account.signTransaction({ chainId: BASE_CHAIN_ID, type: 'eip1559', nonce: 0, ...fees, ...call });
  }

  /**
   * The facilitator settles both as soon as it was asked about both. `answers` is waited for before
   * its answer to the second goes out.
   */
  function settleTogether(batch: Hex, answers: Promise<unknown> = Promise.resolve()): { asked: number } {
    let hash: Hex;
    const requests = { asked: 0 };
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    }).then(async () => {
      hash = await rpc<Hex>('eth_sendRawTransaction', batch);
      await service.chain.mine(1);
    });
    service.before('settle', async () => {
      const isSecond = ++requests.asked === 2;
      if (isSecond) settle();
      await settled;
      if (isSecond) await answers;
    });
    service.instead('settle', (body) => {
      const { authorization } = JSON.parse(body).paymentPayload.payload;
      return { success: true, transaction: hash, network: 'eip155:8453', payer: authorization.from };
    });
    return requests;
  }

  async function paymentOfAnother(): Promise<Hex> {
    const stranger = await newPayer(service.chain, 1n);
    const made = await till.pay(PACK, { requested: { amount: '1' } }, stranger);
    return signed(transferCall(authorizationOf(made)));
  }

  /** The chain is made anew, with the other payment before the transaction. */
  async function reorganize(batch: Hex, transaction: Hex, other: Hex): Promise<void> {
    const indexes = async () => {
      const { logs } = await service.chain.client.getTransactionReceipt({ hash: transaction });
      return logs.map(({ logIndex }) => logIndex);
    };
    const before = await indexes();
    const { blockNumber } = await service.chain.client.getTransactionReceipt({ hash: transaction });
    const depth = Number((await service.chain.client.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
    await rpc('anvil_reorg', depth, [
      [other, 0],
      [batch, 0],
    ]);
    expect(await indexes()).to.deep.equal(before.map((index) => index + LOGS));
  }

  const isProven = async (made: Made) => {
    const proof = (await rowOf(made))?.proof;
    return proof?.kind === 'proven' && proof.isFinal;
  };

  for (const wallets of ['two wallets', 'one wallet']) {
    it(`stay sold to ${wallets} where a reorganization moves their logs`, async () => {
      const isOne = wallets === 'one wallet';
      const payer = isOne ? await newPayer(service.chain, 2n * PACK.priceMicros) : undefined;
      const made = [await till.pay(PACK, {}, payer), await till.pay(PACK, {}, payer)] as const;
      const batch = await signed(transfersCall(made.map(authorizationOf)));
      const other = await paymentOfAnother();
      settleTogether(batch);
      const sold: readonly Sent[] = await Promise.all(made.map(({ v2 }) => till.send(PACK, v2)));
      const [transaction] = sold.map(expectAnswered);
      await reorganize(batch, transaction!, other);
      await service.chain.mine(FINAL_BLOCKS);
      await until(async () => (await Promise.all(made.map(isProven))).every((isDone) => isDone) || alarms().length > 0);
      const each = isOne ? [CREDITS, CREDITS] : [CREDITS];
      for (const one of made) expect(await creditsOf(one)).to.deep.equal(each);
      const proofs = (await Promise.all(made.map(rowOf))).map((row) => row!.proof);
      expect(proofs.map((proof) => proof?.kind === 'proven' && proof.logIndex)).to.deep.equal([LOGS, 2 * LOGS]);
      expect(alarms()).to.deep.equal([]);
    });
  }

  it('are never refused where the one took its log from the other in a reorganization', async () => {
    const [first, second] = [await till.pay(PACK), await till.pay(PACK)];
    const batch = await signed(transfersCall([second, first].map(authorizationOf)));
    const other = await paymentOfAnother();
    let go = () => {};
    const requests = settleTogether(
      batch,
      new Promise<void>((resolve) => {
        go = resolve;
      }),
    );
    const sent = [till.send(PACK, first.v2)];
    await until(async () => requests.asked === 1);
    sent.push(till.send(PACK, second.v2));
    const transaction = expectAnswered(await sent[0]!);
    await reorganize(batch, transaction, other);
    await service.chain.mine(1);
    go();
    const answer = await sent[1]!;
    if (answer.status !== 200) {
      expect(answer.status, answer.text).to.equal(500);
      expect(JSON.parse(answer.text)).to.include({ code: 'settlement_pending', retry: 'same_payment' });
      expect(answer.headers.has('PAYMENT-REQUIRED')).to.equal(false);
    }
    await service.chain.mine(FINAL_BLOCKS);
    await until(async () => (await till.send(PACK, second.v2)).status === 200);
    for (const one of [first, second]) expect(await creditsOf(one)).to.deep.equal([CREDITS]);
  });
});
