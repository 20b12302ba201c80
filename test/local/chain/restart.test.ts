import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createPublicClient, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { localBase } from '#local/chain/chain-client';
import type { LocalChain } from '#local/chain/local-chain';
import { startLocalFacilitator } from '#local/chain/local-facilitator';
import { USDC_ADDRESS, usdcAbi } from '#local/chain/usdc';
import { SHORT_LIVED } from '#test/support/short-lived';
import { KILL_ROUNDS } from '#test/support/size';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import {
  ask,
  authorize,
  needAnvil,
  newChainDir,
  newPayer,
  nonceOf,
  PAYEE,
  type Payment,
  payerOf,
  sign,
  startChain,
  transferCall,
  until,
} from '../support/chain-harness.js';

describe('the local chain, ended and started again', function () {
  this.timeout(PROCESS_TEST_MS);
  const running: { stop(): Promise<void> }[] = [];
  before(function () {
    needAnvil(this);
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });

  async function chainIn(dataDir: string): Promise<LocalChain> {
    const chain = await startChain({ dataDir });
    running.push(chain);
    return chain;
  }

  async function settleOn(chain: LocalChain, payment: Payment) {
    const facilitator = await startLocalFacilitator({ chain });
    const { body } = await ask(facilitator.url, 'settle', payment);
    await facilitator.stop();
    return body;
  }

  it('goes on where it was: blocks, receipts, logs, balances, spent authorizations', async () => {
    const dataDir = newChainDir();
    const chain = await chainIn(dataDir);
    const payer = await newPayer(chain);
    const payment = await sign(payer);
    const { transaction } = await settleOn(chain, payment);
    const receipt = await chain.client.getTransactionReceipt({ hash: transaction });
    const head = await chain.client.getBlockNumber();
    await chain.stop();

    const again = await chainIn(dataDir);
    expect(await again.client.getTransactionReceipt({ hash: transaction })).to.deep.equal(receipt);
    expect(await transfersOn(again.client)).to.deep.equal([10_000n]);
    expect(Number(await again.client.getBlockNumber())).to.be.at.least(Number(head));
    expect(await again.balanceOf(PAYEE)).to.equal(10_000n);
    expect(await again.balanceOf(payer.address)).to.equal(990_000n);
    expect(await settleOn(again, payment)).to.include({ success: false, transaction: '' });
    expect(await settleOn(again, await sign(payer))).to.include({ success: true });
  });

  it('answers for the state some blocks back, as a node of Base does', async () => {
    const dataDir = newChainDir();
    await (await chainIn(dataDir)).stop();
    const chain = await chainIn(dataDir);
    const blockNumber = (await chain.client.getBlockNumber()) - 12n;
    const call = {
      address: USDC_ADDRESS,
      abi: usdcAbi,
      functionName: 'balanceOf',
      args: [PAYEE],
      blockNumber,
    } as const;
    expect(await chain.client.readContract(call)).to.equal(0n);
  });

  it('keeps the time it was told to run ahead by', async () => {
    const dataDir = newChainDir();
    const chain = await chainIn(dataDir);
    await chain.increaseTime(5_000);
    const { timestamp } = await chain.client.getBlock();
    await chain.stop();
    const again = await chainIn(dataDir);
    await again.mine();
    expect(Number((await again.client.getBlock()).timestamp - timestamp)).to.be.within(0, 60);
  });

  it('refuses a second owner of the same directory', async () => {
    const dataDir = newChainDir();
    await chainIn(dataDir);
    const refusal = await startChain({ dataDir }).catch((error: Error) => error.message);
    expect(refusal).to.match(/^another process runs the chain in .*: stop it first$/);
  });

  it('takes no notice of a journal line that a killed process left half written', async () => {
    const dataDir = newChainDir();
    const chain = await chainIn(dataDir);
    const payer = await newPayer(chain);
    await chain.stop();
    appendFileSync(join(dataDir, 'chain/journal.jsonl'), '{"kind":"send","raw":"0x02f8');
    expect(await (await chainIn(dataDir)).balanceOf(payer.address)).to.equal(1_000_000n);
  });

  it('comes back by itself at the same address when anvil alone is killed', async () => {
    const chain = await chainIn(newChainDir());
    const payer = await newPayer(chain);
    const body = await settleOn(chain, await sign(payer));
    const { rpcUrl, anvilPid } = chain;
    const before = await chain.client.getTransactionReceipt({ hash: body.transaction });
    process.kill(anvilPid, 'SIGKILL');
    const next = await sign(payer);
    await until(async () => (await settleOn(chain, next)).success === true);
    expect(chain.rpcUrl).to.equal(rpcUrl);
    expect(chain.anvilPid).to.not.equal(anvilPid);
    const after = await chain.client.getTransactionReceipt({ hash: body.transaction });
    expect(after.blockNumber).to.equal(before.blockNumber);
    expect(await transfersOn(chain.client)).to.deep.equal([10_000n, 10_000n]);
  });

  it('does again an authorization that has expired meanwhile, at the time it was used', async () => {
    const chain = await chainIn(newChainDir());
    const payer = await newPayer(chain);
    const { timestamp } = await chain.client.getBlock({ blockTag: 'pending' });
    const authorization = await authorize(payer, { validBefore: timestamp + 2n });
    await chain.send(chain.keys.relayer, transferCall(authorization));
    await sleep(2_500);
    process.kill(chain.anvilPid, 'SIGKILL');
    await until(() => chain.isAuthorizationSpent(payer.address, authorization.nonce));
    expect(await chain.balanceOf(PAYEE)).to.equal(authorization.value);
  });

  it('keeps within a second what was sent to anvil past it', async () => {
    const dataDir = newChainDir();
    const child = await startChild(dataDir);
    const client = createPublicClient({ chain: localBase, transport: http(child.rpcUrl) });
    const rpc = (method: string, ...params: unknown[]) => client.request({ method, params } as never);
    const stranger = payerOf(generatePrivateKey());
    await rpc('anvil_setBalance', stranger.address, `0x${parseEther('1').toString(16)}`);
    const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    const to = { to: PAYEE, value: 7n, nonce: 0, chainId: 8453, type: 'eip1559' } as const;
    await rpc('eth_sendRawTransaction', await stranger.account.signTransaction({ ...to, ...fees }));
    const state = join(dataDir, 'chain/state.gz');
    const savedMs = statSync(state).mtimeMs;
    await until(async () => statSync(state).mtimeMs > savedMs);
    await child.kill('SIGKILL');
    expect(await (await chainIn(dataDir)).client.getBalance({ address: PAYEE })).to.equal(7n);
  });

  for (const victims of ['the process alone', 'the process and anvil'] as const) {
    it(`has after kill -9 of ${victims} whatever anybody was told or saw`, async () => {
      for (let round = 0; round < KILL_ROUNDS / 4; round += 1) await killRound(victims === 'the process and anvil');
    });
  }

  async function killRound(alsoAnvil: boolean): Promise<void> {
    const dataDir = newChainDir();
    const payer = payerOf(generatePrivateKey());
    const child = await startChild(dataDir, payer.address);
    running.push({ stop: () => child.kill('SIGKILL') });
    const payments = await Promise.all(Array.from({ length: PAYMENTS }, () => sign(payer, 100n)));
    const answers = Promise.all(payments.map((payment) => ask(child.url, 'settle', payment)));
    const killAt = 1 + Math.floor(Math.random() * (PAYMENTS - 8));
    const seen = await watchSpent(child.rpcUrl, killAt);
    if (alsoAnvil) process.kill(child.anvilPid, 'SIGKILL');
    await child.kill('SIGKILL');
    await until(async () => !isAlive(child.anvilPid));
    const received = (await answers).flatMap(({ body }, index) =>
      body?.success === true ? [nonceOf(payments[index]!)] : [],
    );

    const chain = await chainIn(dataDir);
    const isSpent = (nonce: Hex) => chain.isAuthorizationSpent(payer.address, nonce);
    for (const nonce of new Set([...received, ...seen])) {
      expect(await isSpent(nonce), `killed after ${killAt} transfers, ${received.length} told`).to.equal(true);
    }
    const all = (await Promise.all(payments.map(nonceOf).map(isSpent))).filter(Boolean).length;
    expect(all).to.be.at.least(killAt);
    expect(await chain.balanceOf(PAYEE)).to.equal(BigInt(all) * 100n);
  }
});

const PAYMENTS = 30;

interface Child {
  readonly anvilPid: number;
  readonly rpcUrl: string;
  readonly url: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

async function startChild(dataDir: string, payer = ''): Promise<Child> {
  const script = join(ROOT, 'dist/test/local/support/chain-child.js');
  const child: ChildProcess = spawn(process.execPath, [...SHORT_LIVED, script, dataDir, payer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return {
    ...JSON.parse(line),
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

/** Looks at the chain until so many authorizations were used; returns their nonces. */
async function watchSpent(rpcUrl: string, count: number): Promise<readonly Hex[]> {
  const client = createPublicClient({ chain: localBase, transport: http(rpcUrl, { retryCount: 0 }) });
  const filter = { address: USDC_ADDRESS, abi: usdcAbi, eventName: 'AuthorizationUsed', fromBlock: 0n } as const;
  let logs = await client.getContractEvents(filter);
  for (let looks = 0; logs.length < count && looks < 5_000; looks += 1) {
    await sleep(2);
    logs = await client.getContractEvents(filter);
  }
  return logs.map(({ args }) => args.nonce!);
}

async function transfersOn(client: LocalChain['client']): Promise<readonly bigint[]> {
  const filter = {
    address: USDC_ADDRESS,
    abi: usdcAbi,
    eventName: 'Transfer',
    args: { to: PAYEE },
    fromBlock: 0n,
  } as const;
  return (await client.getContractEvents(filter)).map(({ args }) => args.value!);
}

/** A zombie that nobody has collected yet is gone, too. */
function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}
