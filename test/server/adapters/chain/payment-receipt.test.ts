import { expect } from 'chai';
import type { Hex } from 'viem';
import { createBaseChain } from '#adapters/chain/base-chain';
import { findPayment } from '#adapters/chain/payment-logs';
import { systemTimers } from '#adapters/process/system-timers';
import type { WalletAddress } from '#domain/ids';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { LocalChain } from '#local/chain/local-chain';
import type { ReceiptReading } from '#ports/settlement';
import {
  type Authorization,
  authorize,
  needAnvil,
  newPayer,
  PAYEE,
  type Payer,
  startChain,
  toPayment,
  transferCall,
} from '#test/local/support/chain-harness';
import { sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { DEMAND as ANY_DEMAND } from '#test/support/signed-payments';
import { parseReceipt } from '#wire/chain/base-rpc';

const DEMAND: PaymentDemand = { ...ANY_DEMAND, amountMicros: 10_000n, payTo: PAYEE.toLowerCase() as WalletAddress };
const OTHER = `0x${'0e'.repeat(20)}` as WalletAddress;

describe('the receipt of a transaction', () => {
  let chain: LocalChain;
  let payer: Payer;
  let payment: SignedPayment;
  let transaction: Hex;
  let position: object;
  const clock = new ManualClock();

  before(async function () {
    needAnvil(this);
    chain = await startChain();
    payer = await newPayer(chain, 1_000_000_000n);
    const authorization = await authorize(payer);
    payment = toPayment(authorization);
    transaction = await submit(authorization);
    const { blockNumber, logs } = await chain.client.getTransactionReceipt({ hash: transaction });
    position = { kind: 'paid', transaction, blockNumber: Number(blockNumber), logIndex: logs[0]!.logIndex };
  });
  after(() => chain?.stop());

  const submit = (authorization: Authorization) => chain.send(chain.keys.relayer, transferCall(authorization));
  const readerOf = (...rpcUrls: string[]) =>
    createBaseChain({ rpcUrls, clock, timers: systemTimers, limits: { timeoutMs: 500 } });
  const read = (of: SignedPayment, demand = DEMAND, hash: string = transaction) =>
    readerOf(chain.rpcUrl).receipt(hash, of, demand);
  const signed = (changes: Partial<SignedPayment['authorization']>): SignedPayment => ({
    ...payment,
    authorization: { ...payment.authorization, ...changes },
  });

  it('shows the payment, and its place in the block', async () => {
    expect(await read(payment)).to.deep.equal(position);
  });

  const others: readonly (readonly [string, () => Promise<ReceiptReading>])[] = [
    ['payer', () => read(signed({ from: OTHER }))],
    ['nonce', () => read(signed({ nonce: `0x${'ab'.repeat(32)}` }))],
    ['payee', () => read(payment, { ...DEMAND, payTo: OTHER })],
    ['amount', () => read(payment, { ...DEMAND, amountMicros: DEMAND.amountMicros + 1n })],
    ['token', () => read(payment, { ...DEMAND, asset: OTHER })],
  ];
  for (const [field, ask] of others) {
    it(`does not show a payment of another ${field}`, async () => {
      expect(await ask()).to.deep.equal({ kind: 'other' });
    });
  }

  it('does not show the payment of another transaction of the same payer', async () => {
    const other = await submit(await authorize(payer));
    expect(await read(payment, DEMAND, other)).to.deep.equal({ kind: 'other' });
  });

  it('is missing where no such transaction is in a block', async () => {
    expect(await read(payment, DEMAND, `0x${'0b'.repeat(32)}`)).to.deep.equal({ kind: 'missing' });
  });

  it('shows no payment where the transaction failed', async () => {
    const lying = await endpointThat((answer) => ({
      ...answer,
      result: { ...(answer.result as object), status: '0x0' },
    }));
    expect(await readerOf(lying.url).receipt(transaction, payment, DEMAND)).to.deep.equal({ kind: 'other' });
    await lying.close();
  });

  it('is unknown where an endpoint cannot be asked or talks nonsense, unless another one shows the payment', async () => {
    for (const tamper of [() => '<html>', (answer: object) => ({ ...answer, result: {} })]) {
      const bad = await endpointThat(tamper);
      expect((await readerOf(bad.url).receipt(transaction, payment, DEMAND)).kind).to.equal('unknown');
      expect(await readerOf(bad.url, chain.rpcUrl).receipt(transaction, payment, DEMAND)).to.deep.equal(position);
      expect(
        (await readerOf(bad.url, chain.rpcUrl).receipt(transaction, signed({ from: OTHER }), DEMAND)).kind,
      ).to.equal('unknown');
      await bad.close();
    }
  });

  it('is asked of the second endpoint where the first one is behind', async () => {
    const behind = await endpointThat((answer) => ({ ...answer, result: null }));
    expect(await readerOf(behind.url, chain.rpcUrl).receipt(transaction, payment, DEMAND)).to.deep.equal(position);
    await behind.close();
  });

  it('has to hold the use of the authorization once, and the transfer right behind it', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [transaction] };
    const receipt = parseReceipt((await ask(JSON.stringify(request))).result);
    const logs = receipt?.kind === 'succeeded' ? receipt.logs : [];
    const question = { payment, demand: DEMAND };
    const [used, transfer] = [logs[0]!, logs[1]!];
    expect(findPayment([used, transfer], question)).to.equal(used);
    const later = { ...transfer, logIndex: used.logIndex + 2 };
    const twice = [used, transfer, { ...used, logIndex: 8 }, { ...transfer, logIndex: 9 }];
    for (const bad of [[used], [transfer], [used, later], twice, [used, { ...transfer, address: OTHER }]]) {
      expect(findPayment(bad, question)).to.equal(null);
    }
  });

  async function ask(body: string): Promise<{ result?: unknown }> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json() as object;
  }

  /** Passes questions on to the real endpoint and changes what it says of receipts. */
  async function endpointThat(tamper: (answer: { result?: unknown }) => unknown) {
    const server = await startLoopbackServer();
    server.answer(async ({ body }, response) => {
      const answer = await ask(body);
      sendJson(response, body.includes('eth_getTransactionReceipt') ? tamper(answer) : answer);
    });
    return { url: server.baseUrl, close: server.close };
  }
});
