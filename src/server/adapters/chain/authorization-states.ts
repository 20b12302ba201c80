import DataLoader from 'dataloader';
import { decodeFunctionResult, encodeFunctionData, toFunctionSelector } from 'viem/utils';
import type { Timers } from '#system/timers';
import { parseBool, type RpcBlock } from '#wire/chain/base-rpc';
import { type BaseRpc, RpcFailure } from './base-rpc.js';
import { type PaymentQuestion, toWord } from './payment-logs.js';

/** An authorization at the newest block of an endpoint. */
export interface StateAtHead {
  readonly head: RpcBlock;
  readonly isSpent: boolean;
  /** Asks for another block, once for all who ask about the same head. */
  readonly block: (number: number) => Promise<RpcBlock>;
}

/** Asks whether an authorization is spent. Rejects with an RpcFailure. */
export type AuthorizationStates = (question: PaymentQuestion) => Promise<StateAtHead>;

/** What is asked within this time is asked together. */
const GATHER_MS = 10;
/** Authorizations in one call: some 20 kB, and a million of gas. */
const CALL_AUTHORIZATIONS_MAX = 100;

const AUTHORIZATION_STATE = toFunctionSelector('authorizationState(address,bytes32)');

/** Multicall3 is at this address on every chain, and asks others in one call. */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
const GAS = `0x${(10_000_000).toString(16)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const CALL = [
  { name: 'target', type: 'address' },
  { name: 'allowFailure', type: 'bool' },
  { name: 'callData', type: 'bytes' },
] as const;
const RESULT = [
  { name: 'success', type: 'bool' },
  { name: 'returnData', type: 'bytes' },
] as const;
const AGGREGATE = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
    inputs: [{ name: 'calls', type: 'tuple[]', components: CALL }],
    outputs: [{ name: 'results', type: 'tuple[]', components: RESULT }],
  },
] as const;

/**
 * Returns the way to ask one endpoint about many authorizations: the newest block is asked for once
 * for all of them, and their states in calls of a hundred.
 */
export function createAuthorizationStates(rpc: BaseRpc, timers: Timers): AuthorizationStates {
  const loader = new DataLoader((questions: readonly PaymentQuestion[]) => readStates(rpc, questions), {
    cache: false,
    batchScheduleFn: (load) => void timers.after(GATHER_MS, load),
  });
  return (question) => loader.load(question);
}

async function readStates(rpc: BaseRpc, questions: readonly PaymentQuestion[]): Promise<readonly StateAtHead[]> {
  const head = await rpc.block(null);
  const blocks = new Map<number, Promise<RpcBlock>>();
  function block(number: number): Promise<RpcBlock> {
    const found = blocks.get(number) ?? rpc.block(number);
    blocks.set(number, found);
    return found;
  }
  const groups: Promise<readonly boolean[]>[] = [];
  for (let at = 0; at < questions.length; at += CALL_AUTHORIZATIONS_MAX) {
    groups.push(areSpentAt(rpc, questions.slice(at, at + CALL_AUTHORIZATIONS_MAX), head.number));
  }
  return (await Promise.all(groups)).flat().map((isSpent) => ({ head, isSpent, block }));
}

async function areSpentAt(
  rpc: BaseRpc,
  questions: readonly PaymentQuestion[],
  blockNumber: number,
): Promise<readonly boolean[]> {
  if (questions.length === 1) return [await isSpentAt(rpc, questions[0]!, blockNumber)];
  const calls = questions.map(toCall).map(({ to, data }) => ({ target: to, allowFailure: false, callData: data }));
  const data = encodeFunctionData({ abi: AGGREGATE, args: [calls] });
  const answer = await rpc.call({ from: ZERO, to: MULTICALL3, gas: GAS, data }, blockNumber);
  const states = answer.kind === 'returned' ? readResults(answer.data as Hex) : [];
  if (states.length !== questions.length) throw new RpcFailure('answers many questions with something else');
  return states;
}

/** Returns nothing where one of them is no answer. */
function readResults(data: Hex): readonly boolean[] {
  try {
    const results = decodeFunctionResult({ abi: AGGREGATE, data });
    const states = results.map(({ success, returnData }) => (success ? parseBool(returnData) : null));
    return states.every((state) => state !== null) ? states : [];
  } catch {
    return [];
  }
}

/** `authorizationState` is true after a use and after a cancellation alike. */
export function isSpentAt(rpc: BaseRpc, question: PaymentQuestion, blockNumber: number): Promise<boolean> {
  return rpc.callBool(toCall(question), blockNumber);
}

type Hex = `0x${string}`;

function toCall({ payment, demand }: PaymentQuestion): { readonly to: Hex; readonly data: Hex } {
  const { from, nonce } = payment.authorization;
  const data: Hex = `${AUTHORIZATION_STATE}${toWord(from).slice(2)}${nonce.slice(2)}`;
  return { to: demand.asset as Hex, data };
}
