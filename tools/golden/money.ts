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
  const lost = new Map<string, Readonly<Record<string, string>>>();
  const loopback = await startLoopback(({ pathname }, body) => {
    if (pathname === '/rpc') return { body: rpc(JSON.parse(body), lost) };
    // Asked while it is idle; 404 is what a facilitator says that has no such list.
    if (pathname === '/facilitator/supported') return { status: 404, body: {} };
    const { authorization } = (JSON.parse(body) as Requested).paymentPayload.payload;
    return pathname === '/facilitator/verify' ? verify(authorization) : settle(authorization, lost);
  });
  const url = `http://${loopback.host}`;
  return {
    env: { FACILITATOR_URLS: `${url}/facilitator`, BASE_RPC_URLS: `${url}/rpc`, PAYEE_ADDRESS: PAYEE },
    close: loopback.close,
  };
}

type Authorization = Readonly<Record<string, string>>;

function verify({ from = '' }: Authorization): Answered {
  if (is(PAYERS.unverified, from)) return { status: 503, body: {} };
  if (is(PAYERS.poor, from)) return { body: { isValid: false, invalidReason: 'insufficient_funds', payer: from } };
  return { body: { isValid: true, payer: from } };
}

function settle(authorization: Authorization, lost: Map<string, Authorization>): Answered {
  const { from = '', nonce = '' } = authorization;
  if (is(PAYERS.stuck, from)) return { status: 504, body: {} };
  if (is(PAYERS.lost, from)) {
    lost.set(nonce.toLowerCase(), authorization);
    return { status: 504, body: {} };
  }
  if (is(PAYERS.rejected, from)) {
    return {
      body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453', payer: from },
    };
  }
  return { body: { success: true, transaction: sha256(nonce), network: 'eip155:8453', payer: from } };
}

const BLOCK = 5_000;
const hex = (n: number) => `0x${n.toString(16)}`;
const word = (text: string) => `0x${text.toLowerCase().slice(2).padStart(64, '0')}`;
const topic = (signature: string) => keccak256(toBytes(signature));

interface Rpc {
  readonly id: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters of several methods.
  readonly params: any[];
}

function rpc({ id, method, params }: Rpc, lost: ReadonlyMap<string, Authorization>): object {
  return { jsonrpc: '2.0', id, result: result(method, params, lost) };
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function result(method: string, params: any[], lost: ReadonlyMap<string, Authorization>): unknown {
  switch (method) {
    case 'eth_chainId':
      return hex(8453);
    case 'eth_getBlockByNumber': {
      const number = params[0] === 'latest' ? BLOCK : Number(params[0]);
      return { number: hex(number), timestamp: hex(NOW_S - (BLOCK - number) * 2) };
    }
    case 'eth_call':
      return word(lost.has(`0x${params[0].data.slice(-64)}`) ? '0x1' : '0x0');
    case 'eth_getLogs':
      return lost.has(params[0].topics[2]) ? [used(lost.get(params[0].topics[2])!)] : [];
    default: {
      const authorization = [...lost.values()].find(({ nonce = '' }) => sha256(nonce) === params[0]);
      // What the facilitator settled is not on this chain yet.
      return authorization === undefined ? null : { logs: [used(authorization), transfer(authorization)] };
    }
  }
}

const logOf = ({ nonce = '' }: Authorization, logIndex: number) => ({
  address: USDC.toLowerCase(),
  data: '0x',
  blockNumber: hex(BLOCK),
  transactionHash: sha256(nonce),
  logIndex: hex(logIndex),
});

function used(authorization: Authorization): object {
  const { from = '', nonce = '' } = authorization;
  return {
    ...logOf(authorization, 0),
    topics: [topic('AuthorizationUsed(address,bytes32)'), word(from), nonce.toLowerCase()],
  };
}

function transfer(authorization: Authorization): object {
  const { from = '', to = '', value = '0' } = authorization;
  const topics = [topic('Transfer(address,address,uint256)'), word(from), word(to)];
  return { ...logOf(authorization, 1), topics, data: word(hex(Number(value))) };
}
