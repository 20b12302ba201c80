import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { x402Client } from '@x402/core/client';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { Context } from 'mocha';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { WalletAddress } from '#domain/ids';
import type { SignedPayment } from '#domain/payment/payment';
import { openChainKeys } from '#local/chain/chain-keys';
import type { Call } from '#local/chain/chain-sends';
import { findAnvil } from '#local/chain/find-anvil';
import { LocalChain, type LocalChainOptions, startLocalChain } from '#local/chain/local-chain';
import { MULTICALL3_ADDRESS, USDC_ADDRESS, usdcAbi, usdcDomain } from '#local/chain/usdc';
import { TRANSFER_TYPES, USDC } from '#test/support/signed-payments';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { WAIT_MS } from '#test/support/time-limits';
import { type PaymentOffer, toPaymentRequired, toPaymentRequiredV1 } from '#wire/x402/x402';

/** Who is paid in these tests. */
export const PAYEE: Address = '0x00000000000000000000000000000000000Fee01';

/** What is asked of a facilitator. */
export interface Payment {
  readonly x402Version: number;
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

/** Skips the test, loudly, where no anvil runs. */
export function needAnvil(test: Context): void {
  const why = whyNoAnvil();
  if (why !== null) skipLoudly(test, why);
}

function whyNoAnvil(): string | null {
  const found = findAnvil(process.env.ANVIL_BIN ?? null);
  if (found.kind === 'unavailable') return found.why;
  const { status, stderr } = spawnSync(found.path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? null : `${found.path} does not run: ${stderr}`;
}

/** A new directory, gone with the test process. */
export function newChainDir(): string {
  return tempFolder('chain');
}

/** Starts a chain, by default in a new directory. */
export async function startChain(options: Partial<LocalChainOptions> = {}): Promise<LocalChain> {
  const dataDir = options.dataDir ?? newChainDir();
  const keys = openChainKeys(join(dataDir, 'chain-keys.json'));
  const anvilBin = process.env.ANVIL_BIN ?? null;
  const chain = await startLocalChain({ keys, anvilBin, heartbeatMs: 0, ...options, dataDir });
  if (!(chain instanceof LocalChain)) throw new Error(chain.unavailable);
  return chain;
}

export interface Payer {
  readonly key: Hex;
  readonly account: PrivateKeyAccount;
  readonly address: Address;
}

/** A new wallet with so much test money. */
export async function newPayer(chain: LocalChain, micros = 1_000_000n): Promise<Payer> {
  const payer = payerOf(generatePrivateKey());
  await chain.mint(payer.address, micros);
  return payer;
}

export function payerOf(key: Hex): Payer {
  const account = privateKeyToAccount(key);
  return { key, account, address: account.address };
}

/** A payment signed as the official client signs on seeing the service's own terms. */
export async function sign({ account }: Payer, amountMicros = 10_000n, version: 1 | 2 = 2): Promise<Payment> {
  const offer: PaymentOffer = {
    resourceUrl: 'http://127.0.0.1/api/preflight_trade',
    description: 'an order verdict',
    amountMicros,
    asset: USDC_ADDRESS,
    payTo: PAYEE,
  };
  const terms = version === 2 ? toPaymentRequired(offer, 'pay') : toPaymentRequiredV1(offer, 'pay');
  const client = registerExactEvmScheme(new x402Client(), { signer: account });
  const paymentPayload = await client.createPaymentPayload(terms as Parameters<typeof client.createPaymentPayload>[0]);
  const paymentRequirements = terms.accepts[0] as unknown as PaymentRequirements;
  return { x402Version: version, paymentPayload, paymentRequirements };
}

export function nonceOf({ paymentPayload }: Payment): Hex {
  return (paymentPayload.payload as { authorization: { nonce: Hex } }).authorization.nonce;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON that others wrote.
type Json = any;

/** What a caller saw: an answer, or that none came. */
export interface Seen {
  readonly status: number | 'dropped' | 'hung';
  readonly headers: Headers;
  readonly body: Json;
}

/**
 * Asks a facilitator; a service would have less patience, and tell what is slow from what hangs.
 */
export async function ask(url: string, operation: string, payment?: Payment, patienceMs = WAIT_MS): Promise<Seen> {
  const headers = { 'content-type': 'application/json' };
  const post = payment === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(payment) };
  try {
    const answer = await fetch(`${url}/${operation}`, { ...post, signal: AbortSignal.timeout(patienceMs) });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  } catch (error) {
    const status = (error as Error).name === 'TimeoutError' ? 'hung' : 'dropped';
    return { status, headers: new Headers(), body: null };
  }
}

/** Waits until it is so; what fails in between counts as not yet. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS;
  while (Date.now() < deadlineMs) {
    if (await isSo().catch(() => false)) return;
    await sleep(20);
  }
  throw new Error(`not so after ${WAIT_MS} ms: ${isSo}`);
}

/** A transfer authorization, signed by hand where the official client would not sign so. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
  readonly signature: Hex;
}

export async function authorize({ account }: Payer, given: Partial<Authorization> = {}): Promise<Authorization> {
  const message = {
    from: account.address,
    to: PAYEE,
    value: 10_000n,
    validAfter: 0n,
    validBefore: 2n ** 64n,
    nonce: generatePrivateKey(),
    ...given,
  };
  const types = TRANSFER_TYPES;
  const primaryType = 'TransferWithAuthorization';
  const signature = await account.signTypedData({ domain: usdcDomain, types, primaryType, message });
  return { signature, ...message };
}

/** A payment with an authorization, as the service reads it. */
export function toPayment({
  from,
  to,
  value,
  validAfter,
  validBefore,
  nonce,
  signature,
}: Authorization): SignedPayment {
  return {
    version: 2,
    asset: USDC,
    authorization: {
      from: from.toLowerCase() as WalletAddress,
      to: to.toLowerCase() as WalletAddress,
      value: String(value),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      nonce: nonce.toLowerCase(),
    },
    signature,
    paymentIdentifier: null,
    resourceUrl: null,
  };
}

/** The call that uses an authorization, in the form that takes the signature as bytes. */
export function transferCall({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization): Call {
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return {
    to: USDC_ADDRESS,
    data: encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args }),
  };
}

const multicallAbi = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

/** The call that uses several authorizations in one transaction, in this order. */
export function transfersCall(authorizations: readonly Authorization[]): Call {
  const calls = authorizations.map(transferCall);
  const inner = calls.map(({ to, data }) => ({ target: to as Address, callData: data as Hex }));
  const data = encodeFunctionData({ abi: multicallAbi, functionName: 'tryAggregate', args: [true, inner] });
  return { to: MULTICALL3_ADDRESS, data };
}
