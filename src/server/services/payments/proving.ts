import type { PaymentRow } from '#domain/payment/payment-row';
import { waitsForProof } from '#domain/payment/proof';
import type { PaymentStepInputs, PaymentSteps } from '#machines/payment-events';
import type { ChainReader, Resolution } from '#ports/settlement';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toChainEvent } from './outcomes.js';

/** Blocks on top of the one with the transfer, before anything dear is given for it. */
const PACK_DEPTH_BLOCKS = 1;

/** What the chain shows of a payment that is said to be settled by a transaction. */
interface Sighting {
  readonly resolution: Resolution;
  /** The transaction is there, and is about something else. */
  readonly isOther: boolean;
}

/**
 * Looks for the payment, first in the receipt of the transaction that is said to have made it.
 * Where it is not there, what became of the authorization is asked: it may be in another
 * transaction, and only the authorization's own end says that it will never be in any.
 */
export async function lookForPayment(
  { payment, demand, intentBlock }: Pick<PaymentRow, 'payment' | 'demand' | 'intentBlock'>,
  transaction: string,
  chain: ChainReader,
): Promise<Sighting> {
  const receipt = await chain.receipt(transaction, payment, demand);
  // What paid before the intent has paid for something else.
  if (receipt.kind === 'paid' && receipt.blockNumber >= intentBlock) return { resolution: receipt, isOther: false };
  const resolution = await chain.resolve(payment, demand, intentBlock);
  return { resolution, isOther: receipt.kind === 'other' };
}

/** Returns how many blocks are on top of a block, or null if the chain cannot be asked. */
export async function depthOf(blockNumber: number, chain: ChainReader): Promise<number | null> {
  const head = await chain.head();
  return head === null ? null : Math.max(0, head.blockNumber - blockNumber);
}

/** The step of a payment that is not settled on a facilitator's word. */
export async function prove(
  inWork: PaymentInWork,
  { transaction, facilitator }: PaymentStepInputs['prove'],
  { chain, log }: PaymentDeps,
): ReturnType<PaymentSteps['prove']> {
  const { resolution, isOther } = await lookForPayment(inWork.recorded, transaction, chain);
  const event = toChainEvent(resolution);
  if (event.type === 'chain.paid') return seen(event, inWork.recorded, chain);
  if (event.type === 'chain.unknown') return { type: 'proof.unknown', reason: event.reason };
  if (event.type === 'chain.unused' && !isOther)
    return { type: 'proof.unknown', reason: 'the transfer is not seen yet' };
  log.error({ ...inWork.ids, facilitator, transaction }, 'what a facilitator reported as a settlement is none');
  return { type: 'proof.refuted', reason: 'settlement_refuted' };
}

async function seen(
  event: Extract<ReturnType<typeof toChainEvent>, { type: 'chain.paid' }>,
  { demand }: PaymentRow,
  chain: ChainReader,
): ReturnType<PaymentSteps['prove']> {
  const { transaction, blockNumber, logIndex } = event;
  if (waitsForProof(demand.amountMicros)) {
    const depth = await depthOf(blockNumber, chain);
    if (depth === null) return { type: 'proof.unknown', reason: 'the chain cannot be asked' };
    if (depth < PACK_DEPTH_BLOCKS) return { type: 'proof.unknown', reason: 'there is no block on top yet' };
  }
  return { type: 'proof.seen', transaction, blockNumber, logIndex };
}
