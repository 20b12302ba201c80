import { toEventSelector } from 'viem/utils';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { Resolution } from '#ports/settlement';
import type { RpcBlock, RpcLog } from '#wire/chain/base-rpc';
import { type AuthorizationStates, isSpentAt, type StateAtHead } from './authorization-states.js';
import { type BaseRpc, RpcFailure } from './base-rpc.js';
import { AUTHORIZATION_USED, findPayment, toWord } from './payment-logs.js';

/** Whose authorization, what it should have paid, and from which block on. */
export interface AuthorizationQuestion {
  readonly payment: SignedPayment;
  readonly demand: PaymentDemand;
  readonly fromBlock: number;
}

/**
 * What one endpoint says. `unavailable`: it cannot tell. `spent`: that it was not us who were paid
 * cannot be said.
 */
export type Reading =
  | Exclude<Resolution, { kind: 'unknown' }>
  | { readonly kind: 'spent'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** A "no" for good needs blocks that no reorganization takes back. */
const DEPTH_BLOCKS = 5;
/** On Base an authorization lives for some 90 blocks. */
const SEARCH_BLOCKS = 1_000;
const SEARCHES_MAX = 20;

const AUTHORIZATION_CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');

/**
 * Returns what one endpoint says of an authorization (docs/payments.md, "Asking the chain"). Never
 * rejects.
 */
export async function readAuthorization(
  rpc: BaseRpc,
  states: AuthorizationStates,
  question: AuthorizationQuestion,
): Promise<Reading> {
  try {
    const state = await states(question);
    const { head, isSpent } = state;
    if (head.number < question.fromBlock) return { kind: 'unavailable', reason: 'is behind the first block to search' };
    return await (isSpent ? readSpent(rpc, question, head) : readUnspent(rpc, question, state));
  } catch (failure) {
    const reason = failure instanceof RpcFailure ? failure.message : 'cannot be read';
    return { kind: 'unavailable', reason };
  }
}

/**
 * The token takes an authorization in blocks before `validBefore`: unspent in a later one, it stays
 * so for ever.
 */
async function readUnspent(
  rpc: BaseRpc,
  question: AuthorizationQuestion,
  { head, block }: StateAtHead,
): Promise<Reading> {
  const unused = { kind: 'unused', chainTimeS: head.timestamp } as const;
  const deepNumber = head.number - DEPTH_BLOCKS;
  if (!isOver(question, head) || deepNumber < 0) return unused;
  const deep = await block(deepNumber);
  return isOver(question, deep) && !(await isSpentAt(rpc, question, deep.number)) ? { kind: 'expired' } : unused;
}

async function readSpent(rpc: BaseRpc, question: AuthorizationQuestion, head: RpcBlock): Promise<Reading> {
  const log = await findEnd(rpc, question, head);
  if (log?.topics[0] === AUTHORIZATION_USED && (await isPaidBy(rpc, question, log))) {
    const { transactionHash: transaction, blockNumber, logIndex } = log;
    return { kind: 'paid', transaction, blockNumber, logIndex };
  }
  const deepNumber = head.number - DEPTH_BLOCKS;
  if (deepNumber < 0 || !(await isSpentAt(rpc, question, deepNumber))) {
    return { kind: 'spent', reason: 'spent in one of the newest blocks' };
  }
  // An empty list is no proof: the index of an endpoint may be behind its own state.
  const end = log ?? (await findEarlierEnd(rpc, question));
  if (end !== null) return { kind: end.topics[0] === AUTHORIZATION_CANCELED ? 'cancelled' : 'consumed_elsewhere' };
  if (await wasSpentBy(rpc, question, Math.min(deepNumber, question.fromBlock - 1)))
    return { kind: 'consumed_elsewhere' };
  return { kind: 'spent', reason: 'spent, and an endpoint does not list by what' };
}

/** Longer ago than logs are searched. Of old blocks most nodes no longer know the state. */
async function wasSpentBy(rpc: BaseRpc, question: AuthorizationQuestion, blockNumber: number): Promise<boolean> {
  if (blockNumber < 0) return false;
  try {
    return await isSpentAt(rpc, question, blockNumber);
  } catch (failure) {
    if (failure instanceof RpcFailure) return false;
    throw failure;
  }
}

/** A facilitator that verified it saw it unspent, so it was not spent long before. */
async function findEarlierEnd(rpc: BaseRpc, question: AuthorizationQuestion): Promise<RpcLog | null> {
  const toBlock = question.fromBlock - 1;
  return toBlock < 0 ? null : findEndIn(rpc, question, Math.max(0, toBlock - SEARCH_BLOCKS + 1), toBlock);
}

/** Returns the event that spent the authorization, or null if it is none since `fromBlock`. */
async function findEnd(rpc: BaseRpc, question: AuthorizationQuestion, head: RpcBlock): Promise<RpcLog | null> {
  let fromBlock = question.fromBlock;
  for (let search = 1; search <= SEARCHES_MAX; search++) {
    const toBlock = Math.min(fromBlock + SEARCH_BLOCKS - 1, head.number);
    const log = await findEndIn(rpc, question, fromBlock, toBlock);
    if (log !== null) return log;
    if (toBlock === head.number || isOver(question, await rpc.block(toBlock))) return null;
    fromBlock = toBlock + 1;
  }
  throw new RpcFailure(`has more than ${SEARCHES_MAX * SEARCH_BLOCKS} blocks to search`);
}

async function findEndIn(
  rpc: BaseRpc,
  { payment: { authorization }, demand }: AuthorizationQuestion,
  fromBlock: number,
  toBlock: number,
): Promise<RpcLog | null> {
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], toWord(authorization.from), authorization.nonce];
  const logs = await rpc.logs({ address: demand.asset, topics, fromBlock, toBlock });
  if (logs.length > 1) throw new RpcFailure('shows an authorization that was spent twice');
  return logs[0] ?? null;
}

/** Whether the use paid us. */
async function isPaidBy(rpc: BaseRpc, question: AuthorizationQuestion, used: RpcLog): Promise<boolean> {
  const receipt = await rpc.receipt(used.transactionHash);
  const logs = receipt.kind === 'succeeded' ? receipt.logs : [];
  const isThere = logs.some((log) => log.logIndex === used.logIndex && log.topics[0] === AUTHORIZATION_USED);
  if (!isThere) throw new RpcFailure('shows a receipt without the event that it listed');
  return findPayment(logs, question)?.logIndex === used.logIndex;
}

/** Whether by the time of a block the authorization can no longer be used. */
function isOver({ payment }: AuthorizationQuestion, block: RpcBlock): boolean {
  return BigInt(block.timestamp) >= BigInt(payment.authorization.validBefore);
}
