import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type Address, encodeFunctionData, type Hex, hashTypedData, keccak256, parseAbi } from 'viem';
import type { Reading } from '#adapters/chain/authorization-reading';
import { combine, createBaseChain } from '#adapters/chain/base-chain';
import { systemTimers } from '#adapters/process/system-timers';
import type { WalletAddress } from '#domain/ids';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { LocalChain } from '#local/chain/local-chain';
import type { ChainReader } from '#ports/settlement';
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
  transfersCall,
} from '#test/local/support/chain-harness';
import { newPayment } from '#test/server/services/support/payments-rig';
import { whileCollecting } from '#test/support/collected-garbage';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { DEMAND as ANY_DEMAND, toTypedData, USDC } from '#test/support/signed-payments';

const AMOUNT = 10_000n;
const DEMAND: PaymentDemand = { ...ANY_DEMAND, amountMicros: AMOUNT, payTo: PAYEE.toLowerCase() as WalletAddress };
const OTHER_PAYEE: Address = '0x00000000000000000000000000000000000Fee02';
const DEEP = 5;

const erc1271Abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
type Rpc = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
type Tamper = (request: Rpc, answer: { result?: unknown }) => unknown;

/**
 * A stand-in for a bad endpoint: passes all questions on to the real one and changes answers on the
 * way back.
 */
class Endpoint {
  readonly #server: LoopbackServer;
  readonly #rpcUrl: string;
  readonly methods: string[] = [];
  refusalStatus = 200;
  #tamper: Tamper = (_, answer) => answer;

  private constructor(server: LoopbackServer, rpcUrl: string) {
    this.#server = server;
    this.#rpcUrl = rpcUrl;
  }

  static async before(rpcUrl: string): Promise<Endpoint> {
    const endpoint = new Endpoint(await startLoopbackServer(), rpcUrl);
    endpoint.#server.answer(async ({ body }, response) => {
      const answer = await endpoint.#pass(JSON.parse(body));
      const isRefusal = typeof answer === 'object' && answer !== null && 'error' in answer;
      sendJson(response, answer, isRefusal ? endpoint.refusalStatus : 200);
    });
    return endpoint;
  }

  get url(): string {
    return `${this.#server.baseUrl}/secret-key`;
  }

  tamper(tamper: Tamper): void {
    this.#tamper = tamper;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #pass(request: Rpc): Promise<unknown> {
    this.methods.push(request.method);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.#rpcUrl, { method: 'POST', headers, body: JSON.stringify(request) });
    return this.#tamper(request, (await answer.json()) as object);
  }
}

/** Puts another result into the answers of one method. */
const instead =
  (method: string, result: unknown): Tamper =>
  (request, answer) =>
    request.method === method ? { ...answer, result } : answer;

/** Of nobody, and for ever. */
const ANY = newPayment(new ManualClock(32_000_000_000_000));
const newNonce = () => `0x${randomBytes(32).toString('hex')}`;

const TRUE = `0x${'0'.repeat(63)}1`;
const FALSE = `0x${'0'.repeat(64)}`;

describe('Base, read', () => {
  let chain: LocalChain;
  let reader: ChainReader;
  let payer: Payer;
  const clock = new ManualClock();
  const endpoints: Endpoint[] = [];

  before(async function () {
    needAnvil(this);
    chain = await startChain();
    reader = createBaseChain({ rpcUrls: [chain.rpcUrl], clock, timers: systemTimers });
    payer = await newPayer(chain, 1_000_000_000n);
  });
  after(() => chain?.stop());
  afterEach(async () => {
    for (const endpoint of endpoints.splice(0)) await endpoint.close();
  });

  async function endpointBefore(tamper?: Tamper): Promise<Endpoint> {
    const endpoint = await Endpoint.before(chain.rpcUrl);
    if (tamper !== undefined) endpoint.tamper(tamper);
    endpoints.push(endpoint);
    return endpoint;
  }
  const readerOf = (...rpcUrls: string[]) =>
    createBaseChain({ rpcUrls, clock, timers: systemTimers, limits: { timeoutMs: 500 } });
  const height = async () => Number(await chain.client.getBlockNumber());
  const submit = (authorization: Authorization) => chain.send(chain.keys.relayer, transferCall(authorization));

  it('knows the newest block', async () => {
    const { number, timestamp } = await chain.client.getBlock();
    expect(await reader.head()).to.deep.equal({ blockNumber: Number(number), timestampS: Number(timestamp) });
  });

  it('sees an authorization unused, and paid from the block on in which it was', async () => {
    const authorization = await authorize(payer);
    const payment = toPayment(authorization);
    const { number: intent, timestamp } = await chain.client.getBlock();
    const unused = await reader.resolve(payment, DEMAND, Number(intent));
    expect(unused).to.deep.equal({ kind: 'unused', chainTimeS: Number(timestamp) });

    const transaction = await submit(authorization);
    const { blockNumber, logs } = await chain.client.getTransactionReceipt({ hash: transaction });
    const paid = { kind: 'paid', transaction, blockNumber: Number(blockNumber), logIndex: logs[0]!.logIndex };
    for (const from of [0, Number(intent), Number(blockNumber)]) {
      expect(await reader.resolve(payment, DEMAND, from), `from ${from}`).to.deep.equal(paid);
    }
    await chain.mine(DEEP);
    expect(await reader.resolve(payment, DEMAND, 0)).to.deep.equal(paid);
  });

  it('does not honour a payment from before the block asked from, and says so only deep enough', async () => {
    const authorization = await authorize(payer);
    await submit(authorization);
    await chain.mine(1);
    const from = await height();
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.include({ kind: 'unknown' });
    await chain.mine(DEEP - 2);
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.include({ kind: 'unknown' });
    await chain.mine(1);
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.deep.equal({ kind: 'consumed_elsewhere' });
  });

  it('tells a cancelled authorization from a used one', async () => {
    const authorization = await authorize(payer);
    const from = await height();
    await chain.cancelAuthorization(payer.key, authorization.nonce);
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.include({ kind: 'unknown' });
    await chain.mine(DEEP);
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.deep.equal({ kind: 'cancelled' });
  });

  it('takes neither a payment to somebody else nor one of another amount for ours', async () => {
    const from = await height();
    const elsewhere = [await authorize(payer, { to: OTHER_PAYEE }), await authorize(payer, { value: AMOUNT - 1n })];
    for (const authorization of elsewhere) await submit(authorization);
    await chain.mine(DEEP);
    for (const authorization of elsewhere) {
      expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.deep.equal({
        kind: 'consumed_elsewhere',
      });
    }
  });

  it('tells apart the payments that one transaction makes at once', async () => {
    const other = await newPayer(chain);
    const ours = [await authorize(payer), await authorize(other), await authorize(payer)];
    const theirs = await authorize(payer, { to: OTHER_PAYEE });
    const from = await height();
    // The payment to somebody else stands right before one of the same payer to us.
    const calls = transfersCall([ours[0]!, theirs, ours[2]!, ours[1]!]);
    const transaction = await chain.send(chain.keys.relayer, calls);
    await chain.mine(DEEP);
    const positions = [];
    for (const authorization of ours) {
      const resolution = await reader.resolve(toPayment(authorization), DEMAND, from);
      expect(resolution).to.include({ kind: 'paid', transaction });
      positions.push(resolution.kind === 'paid' && resolution.logIndex);
    }
    expect(positions).to.deep.equal([0, 6, 4]);
    expect(await reader.resolve(toPayment(theirs), DEMAND, from)).to.deep.equal({ kind: 'consumed_elsewhere' });
  });

  it('calls an authorization expired by the time of the chain alone, deep enough', async () => {
    const { timestamp, number } = await chain.client.getBlock();
    const validBefore = Number(timestamp) + 600;
    const payment = toPayment(await authorize(payer, { validBefore: BigInt(validBefore) }));
    const resolve = () => reader.resolve(payment, DEMAND, Number(number));
    await chain.mine(DEEP);
    expect(await resolve()).to.include({ kind: 'unused' });
    await chain.increaseTime(600);
    for (let depth = 0; depth < DEEP; depth++) {
      const resolution = await resolve();
      expect(resolution.kind === 'unused' && resolution.chainTimeS).to.be.at.least(validBefore);
      await chain.mine(1);
    }
    expect(await resolve()).to.deep.equal({ kind: 'expired' });
  });

  it('searches many blocks in pieces, and no further than the authorization can have lived', async () => {
    const authorization = await authorize(payer);
    const from = await height();
    await chain.mine(1_050);
    const transaction = await submit(authorization);
    const endpoint = await endpointBefore();
    const resolution = await readerOf(endpoint.url).resolve(toPayment(authorization), DEMAND, from);
    expect(resolution).to.include({ kind: 'paid', transaction });
    expect(endpoint.methods.filter((method) => method === 'eth_getLogs')).to.have.length(2);

    await chain.mine(DEEP);
    const { timestamp } = await chain.client.getBlock({ blockNumber: BigInt(from + 999) });
    const shortLived = toPayment({ ...authorization, validBefore: timestamp });
    endpoint.methods.length = 0;
    // A use that is not listed is no proof; the second search is of the blocks before.
    expect(await readerOf(endpoint.url).resolve(shortLived, DEMAND, from)).to.include({ kind: 'unknown' });
    expect(endpoint.methods.filter((method) => method === 'eth_getLogs')).to.have.length(2);
  });

  it('searches no more blocks at once than an endpoint takes', async () => {
    const authorization = await authorize(payer);
    const from = await height();
    await chain.mine(30);
    const transaction = await submit(authorization);
    await chain.mine(30);
    const tooLong = { error: { code: -32_600, message: 'up to a 10 block range' } };
    const asked: number[] = [];
    const limited = await endpointBefore(({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer;
      const { fromBlock, toBlock } = params[0] as { readonly fromBlock: Hex; readonly toBlock: Hex };
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      asked.push(blocks);
      return blocks > 10 ? tooLong : answer;
    });
    for (const status of [200, 400]) {
      limited.refusalStatus = status;
      asked.length = 0;
      const one = readerOf(limited.url);
      expect(await one.resolve(toPayment(authorization), DEMAND, from)).to.include({ kind: 'paid', transaction });
      const first = asked.length;
      expect(await one.resolve(toPayment(authorization), DEMAND, from)).to.include({ kind: 'paid', transaction });
      expect(asked.length - first, 'its limit is known').to.be.below(first);
    }

    const refusing = await endpointBefore(({ method }, answer) => (method === 'eth_getLogs' ? tooLong : answer));
    const unknown = await readerOf(refusing.url).resolve(toPayment(authorization), DEMAND, from);
    expect(unknown).to.include({ kind: 'unknown', reason: 'endpoint 1 eth_getLogs was refused (-32600)' });
    expect(refusing.methods.filter((method) => method === 'eth_getLogs').length).to.be.below(20);
  });

  it('knows by its state what was spent longer ago than logs are searched', async () => {
    const authorization = await authorize(payer);
    await submit(authorization);
    await chain.mine(1_100);
    const from = await height();
    await chain.mine(DEEP);
    expect(await reader.resolve(toPayment(authorization), DEMAND, from)).to.deep.equal({ kind: 'consumed_elsewhere' });
    const forgetful = await endpointBefore((request, answer) => {
      const isOld = request.method === 'eth_call' && Number(request.params[1]) < from;
      return isOld ? { error: { code: -32_000, message: 'missing trie node' } } : answer;
    });
    const unknown = await readerOf(forgetful.url).resolve(toPayment(authorization), DEMAND, from);
    expect(unknown.kind === 'unknown' && unknown.reason).to.include('does not list by what');
  });

  describe('asked about many authorizations at once', () => {
    it('asks for the newest block once and about a hundred in one call, however many there are', async () => {
      const endpoint = await endpointBefore();
      const one = readerOf(endpoint.url);
      await one.head();
      for (const [count, calls] of [
        [1, 1],
        [100, 1],
        [201, 3],
      ] as const) {
        const payments = Array.from({ length: count }, () => ({
          ...ANY,
          authorization: { ...ANY.authorization, nonce: newNonce() },
        }));
        endpoint.methods.length = 0;
        const from = await height();
        const all = await Promise.all(payments.map((payment) => one.resolve(payment, DEMAND, from)));
        expect(new Set(all.map(({ kind }) => kind))).to.deep.equal(new Set(['unused']));
        const expected = ['eth_getBlockByNumber', ...Array.from({ length: calls }, () => 'eth_call')];
        expect(endpoint.methods).to.deep.equal(expected);
      }
    });

    it('finds among them what was paid and what was cancelled', async () => {
      const [paying, cancelled] = [await authorize(payer), await authorize(payer)];
      const from = await height();
      const transaction = await submit(paying);
      await chain.cancelAuthorization(payer.key, cancelled.nonce);
      await chain.mine(DEEP);
      const others = await Promise.all([1, 2, 3].map(() => authorize(payer)));
      const asked = [others[0]!, paying, others[1]!, cancelled, others[2]!].map(toPayment);
      const all = await Promise.all(asked.map((payment) => reader.resolve(payment, DEMAND, from)));
      expect(all.map(({ kind }) => kind)).to.deep.equal(['unused', 'paid', 'unused', 'cancelled', 'unused']);
      expect(all[1]).to.include({ transaction });
    });

    it('asks for a block that has to be deep once for all of them', async () => {
      const { timestamp, number } = await chain.client.getBlock();
      const validBefore = timestamp + 600n;
      const payments = await Promise.all(Array.from({ length: 5 }, () => authorize(payer, { validBefore })));
      await chain.increaseTime(600);
      await chain.mine(1);
      const endpoint = await endpointBefore();
      const one = readerOf(endpoint.url);
      await one.head();
      endpoint.methods.length = 0;
      const resolve = (payment: SignedPayment) => one.resolve(payment, DEMAND, Number(number));
      const kinds = (await Promise.all(payments.map(toPayment).map(resolve))).map(({ kind }) => kind);
      expect(new Set(kinds)).to.deep.equal(new Set(['unused']));
      expect(endpoint.methods).to.deep.equal(['eth_getBlockByNumber', 'eth_call', 'eth_getBlockByNumber']);
    });

    it('is unknown for all where the answer for one is none', async () => {
      const endpoint = await endpointBefore(instead('eth_call', '0x'));
      const one = readerOf(endpoint.url);
      const payments = await Promise.all([1, 2].map(() => authorize(payer)));
      for (const resolution of await Promise.all(payments.map((each) => one.resolve(toPayment(each), DEMAND, 0)))) {
        expect(resolution).to.include({ kind: 'unknown' });
      }
    });
  });

  describe('asked whether an address has code', () => {
    const NOBODY = `0x${'ab'.repeat(20)}` as WalletAddress;
    const USDC_CONTRACT = USDC as WalletAddress;

    it('tells a contract from an address without code, and asks once for both answers', async () => {
      const endpoint = await endpointBefore();
      const one = readerOf(endpoint.url);
      for (let round = 0; round < 3; round++) {
        expect(await Promise.all([one.hasCode(USDC_CONTRACT), one.hasCode(USDC_CONTRACT)])).to.deep.equal([
          'code',
          'code',
        ]);
        expect(await one.hasCode(NOBODY)).to.equal('no_code');
      }
      expect(endpoint.methods.filter((method) => method === 'eth_getCode')).to.have.length(2);
    });

    it('sees a wallet that was deployed since, and keeps what has code for longer', async () => {
      const time = new ManualClock();
      const endpoint = await endpointBefore();
      const limits = { codeTtlMs: 60_000, noCodeTtlMs: 10_000 };
      const one = createBaseChain({ rpcUrls: [endpoint.url], clock: time, timers: systemTimers, limits });
      const wallet = `0x${'cd'.repeat(20)}` as WalletAddress;
      expect(await one.hasCode(wallet)).to.equal('no_code');
      await chain.client.setCode({ address: wallet as Address, bytecode: '0x00' });
      time.advance(9_999);
      expect(await one.hasCode(wallet)).to.equal('no_code');
      time.advance(2);
      expect(await one.hasCode(wallet)).to.equal('code');
      endpoint.methods.length = 0;
      time.advance(59_999);
      expect(await one.hasCode(wallet)).to.equal('code');
      expect(endpoint.methods).to.deep.equal([]);
      time.advance(2);
      expect(await one.hasCode(wallet)).to.equal('code');
      expect(endpoint.methods).to.deep.equal(['eth_getCode']);
    });

    it('is unknown where no endpoint can tell, which is not kept, and asks the second where the first is away', async () => {
      const dead = await endpointBefore();
      await dead.close();
      expect(await readerOf(dead.url, chain.rpcUrl).hasCode(USDC_CONTRACT)).to.equal('code');
      expect(await readerOf().hasCode(USDC_CONTRACT)).to.equal('unknown');
      const endpoint = await endpointBefore(instead('eth_getCode', null));
      const one = readerOf(endpoint.url);
      expect(await one.hasCode(USDC_CONTRACT)).to.equal('unknown');
      endpoint.tamper((_, answer) => answer);
      expect(await one.hasCode(USDC_CONTRACT)).to.equal('code');
    });

    it('asks about no more addresses in a second, and keeps no more, than its limits', async () => {
      const time = new ManualClock();
      const endpoint = await endpointBefore();
      const limits = { codeCallsPerSecondMax: 3, codeAddressesMax: 2 };
      const one = createBaseChain({ rpcUrls: [endpoint.url], clock: time, timers: systemTimers, limits });
      const addressOf = (n: number) => `0x${String(n).padStart(40, '0')}` as WalletAddress;
      const answers: string[] = [];
      for (let n = 1; n <= 5; n++) answers.push(await one.hasCode(addressOf(10 + n)));
      expect(answers).to.deep.equal(['no_code', 'no_code', 'no_code', 'unknown', 'unknown']);
      time.advance(1_000);
      expect(await one.hasCode(addressOf(14))).to.equal('no_code');
      const requested = () => endpoint.methods.filter((method) => method === 'eth_getCode').length;
      const before = requested();
      expect(await one.hasCode(addressOf(13)), 'kept').to.equal('no_code');
      expect(requested()).to.equal(before);
      expect(await one.hasCode(addressOf(11)), 'dropped').to.equal('no_code');
      expect(requested()).to.equal(before + 1);
    });

    it('asks about no more addresses at once than its limit', async () => {
      const held = await startLoopbackServer();
      let calls = 0;
      held.answer(() => void calls++);
      try {
        const limits = { timeoutMs: 300, attemptsMax: 1, codeCallsInFlightMax: 1 };
        const one = createBaseChain({ rpcUrls: [held.baseUrl], clock, timers: systemTimers, limits });
        const first = one.hasCode(NOBODY);
        expect(await one.hasCode(USDC_CONTRACT)).to.equal('unknown');
        expect(await first).to.equal('unknown');
        expect(calls, 'only the first was asked about').to.equal(1);
      } finally {
        await held.close();
      }
    });
  });

  describe('asked whether a smart wallet has signed', () => {
    const wallets = () => readerOf(chain.rpcUrl);

    /** Takes one signature of one payment for its own, where the token asks. */
    async function walletFor({ authorization, signature }: SignedPayment): Promise<void> {
      const digest = hashTypedData(toTypedData(authorization));
      const question = keccak256(encodeFunctionData({ abi: erc1271Abi, args: [digest, signature as Hex] }));
      const hashed = `366000600037366000207f${question.slice(2)}`;
      const byToken = `143373${USDC.slice(2)}1416`;
      const bytecode: Hex = `0x${hashed}${byToken}631626ba7e0260e01b60005260206000f3`;
      await chain.client.setCode({ address: authorization.from as Address, bytecode });
    }
    const walletPayment = async (bytes: number): Promise<SignedPayment> => {
      const { authorization } = toPayment(await authorize(payer));
      const from = `0x${randomBytes(20).toString('hex')}` as WalletAddress;
      return {
        ...toPayment(await authorize(payer)),
        authorization: { ...authorization, from },
        signature: `0x${'a7'.repeat(bytes)}`,
      };
    };

    it('asks the wallet as the token does, whatever the length of the signature', async () => {
      for (const bytes of [1, 31, 32, 65, 97, 1_024]) {
        const payment = await walletPayment(bytes);
        await walletFor(payment);
        expect(await wallets().isSignedByWallet(payment), `${bytes} bytes`).to.equal('signed');
        const bent = `${payment.signature.slice(0, -2)}a8`;
        expect(await wallets().isSignedByWallet({ ...payment, signature: bent })).to.equal('not_signed');
        const { authorization } = payment;
        const other = { ...payment, authorization: { ...authorization, value: '1' } };
        expect(await wallets().isSignedByWallet(other)).to.equal('not_signed');
      }
    });

    it('is none of a contract that is no wallet, that fails, that says something else or never ends', async () => {
      const payment = await walletPayment(65);
      const token = { ...payment, authorization: { ...payment.authorization, from: USDC as WalletAddress } };
      expect(await wallets().isSignedByWallet(token), 'the token').to.equal('not_signed');
      for (const [what, bytecode] of [
        ['no code', '0x'],
        ['stops', '0x00'],
        ['reverts', '0x60006000fd'],
        ['is no code', '0xfe'],
        ['another word', '0x600160005260206000f3'],
        ['the selector at the right of the word', '0x631626ba7e60005260206000f3'],
        ['too short', '0x631626ba7e60e01b60005260046000f3'],
        ['for ever', '0x5b600056'],
      ] as const) {
        await chain.client.setCode({ address: payment.authorization.from as Address, bytecode: bytecode as Hex });
        expect(await wallets().isSignedByWallet(payment), what).to.equal('not_signed');
      }
    });

    it('is unknown where no endpoint can tell, or where too many were asked about in a second', async () => {
      const payment = await walletPayment(65);
      await walletFor(payment);
      const dead = await endpointBefore();
      await dead.close();
      expect(await readerOf(dead.url).isSignedByWallet(payment)).to.equal('unknown');
      expect(await readerOf(dead.url, chain.rpcUrl).isSignedByWallet(payment)).to.equal('signed');
      const busy = await endpointBefore(({ method }, answer) =>
        method === 'eth_call'
          ? { ...answer, result: undefined, error: { code: -32005, message: 'limit exceeded' } }
          : answer,
      );
      expect(await readerOf(busy.url).isSignedByWallet(payment)).to.equal('unknown');

      const time = new ManualClock();
      const limits = { walletCallsPerSecondMax: 2 };
      const one = createBaseChain({ rpcUrls: [chain.rpcUrl], clock: time, timers: systemTimers, limits });
      const words = [1, 2, 3].map(() => one.isSignedByWallet(payment));
      expect(await Promise.all(words)).to.deep.equal(['signed', 'signed', 'unknown']);
      time.advance(1_000);
      expect(await one.isSignedByWallet(payment)).to.equal('signed');
    });
  });

  describe('by an endpoint that cannot be relied on', () => {
    let unused: SignedPayment;
    let paid: SignedPayment;
    let from: number;

    before(async () => {
      from = await height();
      unused = toPayment(await authorize(payer));
      const authorization = await authorize(payer);
      await submit(authorization);
      await chain.mine(DEEP);
      paid = toPayment(authorization);
    });

    it('says of one that sends us elsewhere that redirects are not followed', async () => {
      const server = await startLoopbackServer();
      server.answer((_, response) => response.writeHead(308, { location: chain.rpcUrl }).end());
      const one = readerOf(server.baseUrl);
      await one.probe();
      expect(one.health().lastError).to.equal('endpoint 1 answered 308; redirects are not followed');
      await server.close();
    });

    it('is unknown where the endpoint is behind, away, of another chain or talks nonsense', async () => {
      const head = await height();
      expect(await reader.resolve(unused, DEMAND, head + 1)).to.include({ kind: 'unknown' });
      const tampers: Tamper[] = [
        () => ({ error: { code: -32_005, message: 'slow down' } }),
        () => '<html>',
        instead('eth_chainId', '0x1'),
        instead('eth_getBlockByNumber', null),
        instead('eth_getBlockByNumber', { number: '0x1', timestamp: '-1' }),
        instead('eth_call', '0x'),
        instead('eth_call', `0x${'0'.repeat(63)}2`),
      ];
      for (const tamper of tampers) {
        const endpoint = await endpointBefore(tamper);
        for (const payment of [unused, paid]) {
          expect(await readerOf(endpoint.url).resolve(payment, DEMAND, from)).to.include({ kind: 'unknown' });
        }
      }
      for (const tamper of [
        instead('eth_getTransactionReceipt', null),
        instead('eth_getLogs', {}),
        instead('eth_getTransactionReceipt', { logs: [] }),
      ]) {
        const endpoint = await endpointBefore(tamper);
        expect(await readerOf(endpoint.url).resolve(paid, DEMAND, from)).to.include({ kind: 'unknown' });
      }
      expect(await readerOf().resolve(paid, DEMAND, from)).to.include({ kind: 'unknown' });
      expect(await readerOf().head()).to.equal(null);
    });

    it('asks the second endpoint where the first is away', async () => {
      const dead = await endpointBefore();
      await dead.close();
      const both = readerOf(dead.url, chain.rpcUrl);
      expect(await both.head()).to.not.equal(null);
      expect(await both.resolve(paid, DEMAND, from)).to.include({ kind: 'paid' });
      expect(await both.resolve(unused, DEMAND, from)).to.include({ kind: 'unused' });
      expect(await readerOf(dead.url).head()).to.equal(null);
    });

    it('says no for good only where both endpoints do', async () => {
      const cancelled = await authorize(payer);
      await chain.cancelAuthorization(payer.key, cancelled.nonce);
      await chain.mine(DEEP);
      const payment = toPayment(cancelled);
      const dead = await endpointBefore();
      await dead.close();
      expect(await readerOf(chain.rpcUrl, chain.rpcUrl).resolve(payment, DEMAND, from)).to.include({
        kind: 'cancelled',
      });
      expect(await readerOf(chain.rpcUrl, dead.url).resolve(payment, DEMAND, from)).to.include({ kind: 'unknown' });
      const blind = await endpointBefore(instead('eth_call', FALSE));
      expect(await readerOf(chain.rpcUrl, blind.url).resolve(payment, DEMAND, from)).to.include({ kind: 'unknown' });
    });

    it('is not fooled by one that has lost the events of a payment', async () => {
      const blind = await endpointBefore(instead('eth_getLogs', []));
      expect(await readerOf(blind.url, chain.rpcUrl).resolve(paid, DEMAND, from)).to.include({ kind: 'paid' });
      for (const urls of [[blind.url], [blind.url, blind.url]]) {
        const resolution = await readerOf(...urls).resolve(paid, DEMAND, from);
        expect(resolution.kind === 'unknown' && resolution.reason).to.include('does not list by what');
      }
      const early = await endpointBefore(instead('eth_call', TRUE));
      expect(await readerOf(early.url, chain.rpcUrl).resolve(unused, DEMAND, from)).to.include({ kind: 'unknown' });
    });

    it('gives up an endpoint that does not end its answer, whatever is collected meanwhile', async () => {
      const slow = await startLoopbackServer();
      slow.answer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'));
      try {
        const reader = readerOf(slow.baseUrl, chain.rpcUrl);
        // Collecting takes turns from the other endpoint too, which may be late the first time.
        const head = await whileCollecting(async () => (await reader.head()) ?? (await reader.head()) ?? reader.head());
        expect(head).to.not.equal(null);
      } finally {
        await slow.close();
      }
    });

    it('tells whether a wallet holds what it signs for, and no where it cannot', async () => {
      const from = (await newPayer(chain, 7n)).address.toLowerCase() as WalletAddress;
      const over = (value: string) => ({ asset: USDC.toLowerCase(), authorization: { from, value } }) as SignedPayment;
      expect(await reader.holds(over('7'))).to.equal(true);
      expect(await reader.holds(over('8'))).to.equal(false);
      const dead = await endpointBefore();
      await dead.close();
      expect(await readerOf(dead.url).holds(over('7'))).to.equal(false);
    });

    it('lists the transfers of the last hour to one address, by whichever endpoint is there', async () => {
      const dead = await endpointBefore();
      await dead.close();
      const one = await newPayer(chain, 7n);
      const to = one.address.toLowerCase() as WalletAddress;
      const transfers = await readerOf(dead.url, chain.rpcUrl).transfersTo(to, USDC);
      expect(transfers).to.have.length(1);
      expect(transfers![0]).to.have.keys('transaction', 'blockNumber', 'logIndex');
      expect(await readerOf(dead.url).transfersTo(to, USDC)).to.equal(null);
    });

    it('tells how the endpoints stand, without their keys', async () => {
      const dead = await endpointBefore();
      await dead.close();
      const both = readerOf(dead.url, chain.rpcUrl);
      expect(both.health()).to.include({ ok: null, lastOkAtMs: null });
      await both.head();
      expect(both.health()).to.include({ name: 'base-rpc', ok: true, lastOkAtMs: clock.nowMs() });
      expect(both.health().lastError).to.contain('endpoint 1 eth_chainId failed');
      const away = readerOf(dead.url);
      const resolution = await away.resolve(paid, DEMAND, from);
      expect(away.health()).to.include({ ok: false, lastOkAtMs: null });
      await both.probe();
      expect(both.health().ok, 'by a probe').to.equal(true);
      await away.probe();
      expect(away.health().ok, 'by a probe').to.equal(false);
      expect(JSON.stringify([resolution, away.health(), both.health()])).to.not.contain('secret-key');
    });
  });
});

describe('two endpoints of Base', () => {
  const paid: Reading = { kind: 'paid', transaction: `0x${'ab'.repeat(32)}`, blockNumber: 7, logIndex: 3 };
  const unused: Reading = { kind: 'unused', chainTimeS: 100 };
  const readings: Record<string, Reading> = {
    paid,
    unused,
    expired: { kind: 'expired' },
    cancelled: { kind: 'cancelled' },
    elsewhere: { kind: 'consumed_elsewhere' },
    spent: { kind: 'spent', reason: 'spent in one of the newest blocks' },
    away: { kind: 'unavailable', reason: 'endpoint 1 is away' },
  };
  /** What they say together; everything else is unknown. */
  const together: Record<string, string> = {
    'paid paid': 'paid',
    'paid unused': 'paid',
    'paid spent': 'paid',
    'paid away': 'paid',
    'unused unused': 'unused',
    'unused expired': 'unused',
    'unused away': 'unused',
    'expired expired': 'expired',
    'cancelled cancelled': 'cancelled',
    'elsewhere elsewhere': 'consumed_elsewhere',
  };

  it('agree only as the table says, whichever speaks first', () => {
    for (const [a, first] of Object.entries(readings)) {
      for (const [b, second] of Object.entries(readings)) {
        const expected = together[`${a} ${b}`] ?? together[`${b} ${a}`] ?? 'unknown';
        expect(combine(first, second).kind, `${a} and ${b}`).to.equal(expected);
      }
    }
  });

  it('are not needed where there is one', () => {
    for (const reading of Object.values(readings)) {
      const kind = reading.kind === 'spent' || reading.kind === 'unavailable' ? 'unknown' : reading.kind;
      expect(combine(reading, null).kind).to.equal(kind);
    }
  });

  it('tell the later time of two', () => {
    expect(combine(unused, { kind: 'unused', chainTimeS: 102 })).to.deep.equal({ kind: 'unused', chainTimeS: 102 });
  });
});
