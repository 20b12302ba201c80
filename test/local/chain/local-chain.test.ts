import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Address,
  BaseError,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashDomain,
  parseAbi,
  parseSignature,
  toFunctionSelector,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { openChainKeys } from '#local/chain/chain-keys';
import { type LocalChain, startLocalChain } from '#local/chain/local-chain';
import { MULTICALL3_ADDRESS, USDC_ADDRESS, usdcAbi, usdcDomain } from '#local/chain/usdc';
import { TRANSFER_TYPES } from '#test/support/signed-payments';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import {
  type Authorization,
  authorize,
  needAnvil,
  newChainDir,
  newPayer,
  PAYEE,
  type Payer,
  payerOf,
  startChain,
  transferCall,
  until,
} from '../support/chain-harness.js';

const CONTRACTS = join(ROOT, 'src/local/chain/contracts');
const usdc = { address: USDC_ADDRESS, abi: usdcAbi } as const;

describe('the local chain', function () {
  this.timeout(PROCESS_TEST_MS);
  let chain: LocalChain;
  let payer: Payer;
  before(async function () {
    needAnvil(this);
    chain = await startChain();
    payer = await newPayer(chain);
  });
  after(() => chain?.stop());

  const relay = (authorization: Authorization) => chain.send(chain.keys.relayer, transferCall(authorization));
  const refusalOf = (sent: Promise<unknown>) =>
    sent.then(
      () => 'accepted',
      (error: unknown) => (error instanceof BaseError ? error.details : String(error)),
    );

  it('has the chain id of Base and the token at the address of USDC', async () => {
    expect(await chain.client.getChainId()).to.equal(8453);
    expect(chain.usdcAddress).to.equal('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
    const domain = toFunctionSelector('DOMAIN_SEPARATOR()');
    const { data } = await chain.client.call({ to: USDC_ADDRESS, data: domain });
    const types = {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    };
    expect(data).to.equal(hashDomain({ domain: usdcDomain, types } as never));
  });

  it('knows nobody whose key the world knows', async () => {
    expect(await chain.client.request({ method: 'eth_accounts' } as never)).to.deep.equal([]);
    const junk = 'test test test test test test test test test test test junk';
    const existing = Array.from({ length: 10 }, (_, addressIndex) => mnemonicToAccount(junk, { addressIndex }).address);
    for (const address of existing) expect(await chain.client.getBalance({ address })).to.equal(0n);
    const file = join(newChainDir(), 'chain-keys.json');
    const keys = openChainKeys(file);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(openChainKeys(file)).to.deep.equal(keys);
    expect(new Set([...Object.values(keys), ...Object.values(chain.keys)]).size).to.equal(4);
  });

  it('was compiled from the sources beside it and has the functions that are called', () => {
    const artefacts = readdirSync(CONTRACTS).filter((name) => name.endsWith('.json'));
    expect(artefacts).to.have.members(['TestUsdc.json', 'Multicall3.json']);
    for (const name of artefacts) {
      const { sourceSha256 } = JSON.parse(readFileSync(join(CONTRACTS, name), 'utf8'));
      const source = readFileSync(join(CONTRACTS, name.replace('.json', '.sol')));
      expect(createHash('sha256').update(source).digest('hex'), `${name}: compile it anew`).to.equal(sourceSha256);
    }
    const { abi } = JSON.parse(readFileSync(join(CONTRACTS, 'TestUsdc.json'), 'utf8'));
    const signatures = (of: readonly { type: string }[]) =>
      of.filter(({ type }) => type === 'function').map((each) => toFunctionSelector(each as never));
    expect(signatures(abi)).to.include.members(signatures(usdcAbi));
  });

  it('mints for the minter alone', async () => {
    expect(await chain.balanceOf(payer.address)).to.equal(1_000_000n);
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [PAYEE, 1n] });
    const refusal = await refusalOf(chain.send(chain.keys.relayer, { to: USDC_ADDRESS, data }));
    expect(refusal).to.contain('FiatToken: caller is not a minter');
  });

  it('writes a balance as it is told', async () => {
    const { address } = await newPayer(chain);
    await chain.setBalance(address, 5n);
    expect(await chain.balanceOf(address)).to.equal(5n);
  });

  it('moves what was authorized, and logs AuthorizationUsed directly followed by Transfer', async () => {
    const authorization = await authorize(payer);
    const hash = await relay(authorization);
    const { logs } = await chain.client.getTransactionReceipt({ hash });
    const { blockNumber } = logs[0]!;
    const used = await chain.client.getContractEvents({
      ...usdc,
      eventName: 'AuthorizationUsed',
      fromBlock: blockNumber!,
    });
    const moved = await chain.client.getContractEvents({ ...usdc, eventName: 'Transfer', fromBlock: blockNumber! });
    expect(used.map(({ args }) => args)).to.deep.equal([{ authorizer: payer.address, nonce: authorization.nonce }]);
    expect(moved.map(({ args }) => args)).to.deep.equal([
      { from: payer.address, to: getAddress(PAYEE), value: 10_000n },
    ]);
    expect(moved[0]!.logIndex).to.equal(used[0]!.logIndex + 1);
    expect(logs).to.have.length(2);
  });

  it('refuses in the words of USDC, by which facilitators tell failures apart', async () => {
    const spent = await authorize(payer);
    await relay(spent);
    const forged = { ...(await authorize(payer)), value: 20_000n };
    const highS: Hex = `0x${'11'.repeat(32)}${'ff'.repeat(32)}1b`;
    const cases: readonly (readonly [string, Authorization])[] = [
      ['FiatTokenV2: authorization is not yet valid', await authorize(payer, { validAfter: 2n ** 60n })],
      ['FiatTokenV2: authorization is expired', await authorize(payer, { validBefore: 1n })],
      ['FiatTokenV2: authorization is used or canceled', spent],
      ['FiatTokenV2: invalid signature', forged],
      ["ECRecover: invalid signature 's' value", { ...forged, signature: highS }],
      ["ECRecover: invalid signature 'v' value", { ...forged, signature: `0x${'11'.repeat(64)}05` }],
      ['ECRecover: invalid signature length', { ...forged, signature: '0x1234' }],
      ['ERC20: transfer amount exceeds balance', await authorize(payer, { value: 10n ** 12n })],
      ['ERC20: transfer to the zero address', await authorize(payer, { to: `0x${'00'.repeat(20)}` })],
    ];
    for (const [words, authorization] of cases) {
      expect(await refusalOf(relay(authorization))).to.equal(`execution reverted: ${words}`);
    }
  });

  it('takes the signature in parts too', async () => {
    const { from, to, value, validAfter, validBefore, nonce, signature } = await authorize(payer);
    const { r, s, yParity } = parseSignature(signature);
    const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const;
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args });
    await chain.send(chain.keys.relayer, { to: USDC_ADDRESS, data });
    expect(await chain.isAuthorizationSpent(from, nonce)).to.equal(true);
  });

  it('lets a payee take what is authorized for it alone', async () => {
    const payee = payerOf(chain.keys.relayer);
    const types = { ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization };
    const { signature: _, ...message } = await authorize(payer, { to: payee.address });
    const domain = usdcDomain;
    const signature = await payer.account.signTypedData({
      domain,
      types,
      primaryType: 'ReceiveWithAuthorization',
      message,
    });
    const { from, to, value, validAfter, validBefore, nonce } = message;
    const abi = parseAbi(['function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)']);
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    const call = {
      to: USDC_ADDRESS,
      data: encodeFunctionData({ abi, functionName: 'receiveWithAuthorization', args }),
    };
    expect(await refusalOf(chain.send(chain.keys.minter, call))).to.contain('FiatTokenV2: caller must be the payee');
    await chain.send(chain.keys.relayer, call);
    expect(await chain.balanceOf(to)).to.equal(value);
  });

  it('asks a wallet that is a contract whether it signed (ERC-1271)', async () => {
    const magic = '1626ba7e'.padEnd(64, '0');
    for (const [answer, outcome] of [
      [magic, 'accepted'],
      ['ffffffff'.padEnd(64, '0'), 'execution reverted: FiatTokenV2: invalid signature'],
    ] as const) {
      const wallet: Address = `0x${answer.slice(0, 8).padEnd(40, '7')}`;
      await chain.client.setCode({ address: wallet, bytecode: `0x7f${answer}60005260206000f3` });
      await chain.mint(wallet, 10_000n);
      const authorization = { ...(await authorize(payer)), from: wallet, signature: '0xabcdef' as const };
      expect(await refusalOf(relay(authorization))).to.equal(outcome);
    }
  });

  it('cancels an authorization once, which then pays nobody', async () => {
    const authorization = await authorize(payer);
    const hash = await chain.cancelAuthorization(payer.key, authorization.nonce);
    const { logs } = await chain.client.getTransactionReceipt({ hash });
    const events = await chain.client.getContractEvents({
      ...usdc,
      eventName: 'AuthorizationCanceled',
      fromBlock: logs[0]!.blockNumber!,
    });
    expect(events.map(({ args }) => args.nonce)).to.deep.equal([authorization.nonce]);
    expect(await refusalOf(relay(authorization))).to.contain('authorization is used or canceled');
    const again = chain.cancelAuthorization(payer.key, authorization.nonce);
    expect(await refusalOf(again)).to.contain('authorization is used or canceled');
  });

  it('answers several questions at once, whichever of them fail', async () => {
    const abi = parseAbi([
      'struct Call { address target; bytes callData; }',
      'struct Result { bool success; bytes returnData; }',
      'function tryAggregate(bool requireSuccess, Call[] calls) view returns (Result[])',
    ]);
    const calls = [toFunctionSelector('decimals()'), toFunctionSelector('nothing()')].map((callData) => ({
      target: USDC_ADDRESS,
      callData,
    }));
    const ask = (all: boolean) =>
      chain.client.readContract({
        address: MULTICALL3_ADDRESS,
        abi,
        functionName: 'tryAggregate',
        args: [all, calls],
      });
    const answers = await ask(false);
    expect(answers.map(({ success }) => success)).to.deep.equal([true, false]);
    expect(BigInt(answers[0]!.returnData)).to.equal(6n);
    expect(await refusalOf(ask(true))).to.contain('Multicall3: call failed');
  });

  it('lets time pass as it is told, for contracts too', async () => {
    const { timestamp } = await chain.client.getBlock();
    const soon = await authorize(payer, { validBefore: timestamp + 1_000n });
    await chain.increaseTime(2_000);
    expect(Number((await chain.client.getBlock()).timestamp - timestamp)).to.be.at.least(2_000);
    expect(await refusalOf(relay(soon))).to.contain('authorization is expired');
  });

  it('makes blocks while it is in use and on waking, so that time passes for those who only look', async () => {
    const beating = await startChain({ heartbeatMs: 1_000 });
    const head = await beating.client.getBlockNumber();
    await until(async () => (await beating.client.getBlockNumber()) > head);
    await beating.wake();
    const [latest, pending] = await Promise.all(
      (['latest', 'pending'] as const).map((blockTag) => beating.client.getBlock({ blockTag })),
    );
    expect(Number(pending!.timestamp - latest!.timestamp)).to.be.at.most(1);
    await beating.stop();
  });

  it('lets transactions wait for the next block where blocks come by time', async () => {
    const slow = await startChain({ blockTimeMs: 700 });
    const sent = await Promise.all([slow.mint(payer.address, 1n), slow.mint(payer.address, 2n)]);
    expect(await slow.balanceOf(payer.address)).to.equal(0n);
    await until(async () => (await slow.balanceOf(payer.address)) === 3n);
    const receipts = await Promise.all(sent.map((hash) => slow.client.getTransactionReceipt({ hash })));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).to.equal(1);
    await slow.stop();
  });
});

describe('a machine without anvil', () => {
  const start = (anvilBin: string) => {
    const dataDir = newChainDir();
    return startLocalChain({ dataDir, keys: openChainKeys(join(dataDir, 'chain-keys.json')), anvilBin });
  };

  it('is told so in one sentence that says what to do', async () => {
    expect(await start('/nowhere/anvil')).to.deep.equal({
      unavailable:
        'The local chain needs anvil, and there is no file /nowhere/anvil: install Foundry and set ANVIL_BIN to the path of its anvil.',
    });
  });

  it('is told what anvil said where it is there and does not run', async () => {
    const anvil = join(newChainDir(), 'anvil');
    writeFileSync(anvil, '#!/bin/sh\necho "libc.so.6: version \'GLIBC_2.35\' not found" >&2\nexit 1\n');
    chmodSync(anvil, 0o755);
    expect(await start(anvil)).to.deep.equal({
      unavailable: `anvil at ${anvil} does not start: libc.so.6: version 'GLIBC_2.35' not found.`,
    });
    chmodSync(anvil, 0o644);
    expect(await start(anvil)).to.deep.equal({
      unavailable: `anvil at ${anvil} does not start: spawn ${anvil} EACCES.`,
    });
  });
});
