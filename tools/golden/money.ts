import { createHash } from 'node:crypto';
import { keccak256, toBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { FROZEN_MS } from './frozen-clock.js';
import { type Answered, startLoopback } from './loopback.js';

export const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const NOW_S = Math.floor(FROZEN_MS / 1_000);

const account = (n: number): PrivateKeyAccount => privateKeyToAccount(`0x${String(n).padStart(64, '0')}`);

/** Payers by what becomes of their payments. */
export const PAYERS = {
  good: account(1),
  /** Verification fails. */
  poor: account(2),
  /** Settlement is rejected. */
  rejected: account(3),
  /** Settlement gives no answer, and the chain says that we were paid. */
  lost: account(4),
  /** As `lost`, and the chain says that the authorization is unused. */
  stuck: account(5),
  /** The facilitator is in trouble when it verifies. */
  unverified: account(6),
};

const is = (payer: PrivateKeyAccount, address: string) => payer.address.toLowerCase() === address.toLowerCase();
const sha256 = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

/** A facilitator and an endpoint of Base that answer by who pays. */
export interface GoldenMoney {
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

interface Requested {
  readonly paymentPayload: { readonly payload: { readonly authorization: Readonly<Record<string, string>> } };
}

export async function startGoldenMoney(): Promise<GoldenMoney> {
  const settled = new Map<string, Settled>();
  const loopback = await startLoopback(({ pathname }, body) => {
    if (pathname === '/rpc') return { body: rpc(JSON.parse(body), settled) };
    // Asked while it is idle; 404 is what a facilitator says that has no such list.
    if (pathname === '/facilitator/supported') return { status: 404, body: {} };
    const { paymentPayload } = JSON.parse(body) as Partial<Requested>;
    // Without that list it is asked whether it refuses what is no payment.
    if (paymentPayload === undefined) return { status: 400, body: { error: 'paymentPayload is missing' } };
    const { authorization } = paymentPayload.payload;
    return pathname === '/facilitator/verify' ? verify(authorization) : settle(authorization, settled);
  });
  const url = `http://${loopback.host}`;
  return {
    env: { FACILITATOR_URLS: `${url}/facilitator`, BASE_RPC_URLS: `${url}/rpc`, PAYEE_ADDRESS: PAYEE },
    close: loopback.close,
  };
}

type Authorization = Readonly<Record<string, string>>;

/** An authorization that is used, and in which block. */
interface Settled {
  readonly authorization: Authorization;
  readonly block: number;
}

function verify({ from = '' }: Authorization): Answered {
  if (is(PAYERS.unverified, from)) return { status: 503, body: {} };
  if (is(PAYERS.poor, from)) return { body: { isValid: false, invalidReason: 'insufficient_funds', payer: from } };
  return { body: { isValid: true, payer: from } };
}

function settle(authorization: Authorization, settled: Map<string, Settled>): Answered {
  const { from = '', nonce = '' } = authorization;
  if (is(PAYERS.stuck, from)) return { status: 504, body: {} };
  if (is(PAYERS.rejected, from)) {
    return {
      body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453', payer: from },
    };
  }
  settled.set(nonce.toLowerCase(), { authorization, block: FIRST_BLOCK + settled.size + 1 });
  if (is(PAYERS.lost, from)) return { status: 504, body: {} };
  return { body: { success: true, transaction: sha256(nonce), network: 'eip155:8453', payer: from } };
}

/** The block before that of the first settlement; each has its own, and one on top of it. */
const FIRST_BLOCK = 5_000;
const BLOCK_S = 2;
const hex = (n: number) => `0x${n.toString(16)}`;
const word = (text: string) => `0x${text.toLowerCase().slice(2).padStart(64, '0')}`;
const topic = (signature: string) => keccak256(toBytes(signature));

interface Rpc {
  readonly id: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters of several methods.
  readonly params: any[];
}

function rpc({ id, method, params }: Rpc, settled: ReadonlyMap<string, Settled>): object {
  return { jsonrpc: '2.0', id, result: result(method, params, settled) };
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function result(method: string, params: any[], settled: ReadonlyMap<string, Settled>): unknown {
  switch (method) {
    case 'eth_chainId':
      return hex(8453);
    case 'eth_getBlockByNumber': {
      const newest = FIRST_BLOCK + settled.size + 1;
      const number = params[0] === 'latest' ? newest : Number(params[0]);
      return { number: hex(number), timestamp: hex(NOW_S - (newest - number) * BLOCK_S) };
    }
    case 'eth_getCode':
      return '0x';
    case 'eth_call':
      return word(settled.has(`0x${params[0].data.slice(-64)}`) ? '0x1' : '0x0');
    case 'eth_getLogs': {
      const found = settled.get(params[0].topics[2]);
      return found === undefined ? [] : [used(found)];
    }
    case 'eth_getTransactionReceipt': {
      const found = [...settled.values()].find(({ authorization: { nonce = '' } }) => sha256(nonce) === params[0]);
      return found === undefined ? null : { status: '0x1', logs: [used(found), transfer(found)] };
    }
    default:
      throw new Error(`the golden chain has no ${method}`);
  }
}

const logOf = ({ authorization: { nonce = '' }, block }: Settled, logIndex: number) => ({
  address: USDC.toLowerCase(),
  data: '0x',
  blockNumber: hex(block),
  transactionHash: sha256(nonce),
  logIndex: hex(logIndex),
});

function used(settled: Settled): object {
  const { from = '', nonce = '' } = settled.authorization;
  return {
    ...logOf(settled, 0),
    topics: [topic('AuthorizationUsed(address,bytes32)'), word(from), nonce.toLowerCase()],
  };
}

function transfer(settled: Settled): object {
  const { from = '', to = '', value = '0' } = settled.authorization;
  const topics = [topic('Transfer(address,address,uint256)'), word(from), word(to)];
  return { ...logOf(settled, 1), topics, data: word(hex(Number(value))) };
}
