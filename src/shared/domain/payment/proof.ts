import type { WalletAddress } from '../ids.js';
import type { PaymentDemand, SignedPayment } from './payment.js';

/**
 * The most that is given out on a facilitator's word, micro-USDC: whatever costs more waits for its
 * receipt.
 */
const WORD_AMOUNT_MICROS_MAX = 100_000n;
/**
 * What one facilitator's word is good for, micro-USDC, as long as the chain has not confirmed it.
 */
export const UNPROVEN_FACILITATOR_MICROS_MAX = 1_000_000n;
/**
 * What one wallet gets on the word of facilitators, micro-USDC, as long as the chain has not
 * confirmed it.
 */
const UNPROVEN_WALLET_MICROS_MAX = 1_000_000n;

/** Who is named where a settlement is refuted that no facilitator reported. */
export const CHAIN_ITSELF = 'chain';

/** Where on the chain a payment is: the log `AuthorizationUsed` that its transfer follows. */
export interface TransferPosition {
  /** Hash. */
  readonly transaction: string;
  readonly blockNumber: number;
  /** Place in the block. */
  readonly logIndex: number;
}

/**
 * Why a payment is taken as settled: because a facilitator reported it, or because the chain shows
 * it.
 */
export type SettlementEvidence =
  | { readonly kind: 'word'; readonly facilitator: string; readonly transaction: string }
  | ({ readonly kind: 'chain' } & TransferPosition);

/** What the chain says of a settled payment. */
export type SettlementProof =
  /** It was not asked yet, or could not tell: a facilitator reported the settlement. */
  | { readonly kind: 'unproven'; readonly facilitator: string; readonly sinceMs: number }
  /** The transfer is there. Until it `isFinal` a reorganization could still take it back. */
  | ({ readonly kind: 'proven'; readonly isFinal: boolean } & TransferPosition)
  /** This authorization did not and cannot pay. `facilitator` is who reported that it did. */
  | {
      readonly kind: 'refuted';
      readonly facilitator: string;
      readonly reason: string;
      readonly atMs: number;
    };

/** What was given out on somebody's word, micro-USDC, and not paid as far as is known. */
export interface Exposure {
  /** The chain may yet show it paid. */
  readonly unprovenMicros: bigint;
  /** The chain showed that it was not paid. It counts for good. */
  readonly refutedMicros: bigint;
  readonly lastRefutedAtMs: number | null;
}

/** The exposure to somebody whose payments are all proven. */
export const NO_EXPOSURE: Exposure = { unprovenMicros: 0n, refutedMicros: 0n, lastRefutedAtMs: null };

/** Exposure to one facilitator and to one wallet. */
export interface Exposures {
  readonly facilitator: Exposure;
  readonly wallet: Exposure;
}

/** A payment's row, as far as it says what is proven. */
interface OfProof {
  readonly proof: SettlementProof | null;
}

interface OfExposure extends OfProof {
  readonly demand: PaymentDemand;
  readonly payment: SignedPayment;
}

/**
 * Whether a payment of this amount is only settled when the chain shows it, with a block on top.
 */
export function waitsForProof(amountMicros: bigint): boolean {
  return amountMicros > WORD_AMOUNT_MICROS_MAX;
}

/** Whether an answer of this price may go out on a facilitator's word. */
export function mayTrust({ facilitator, wallet }: Exposures, amountMicros: bigint): boolean {
  return (
    !waitsForProof(amountMicros) &&
    sumOf(facilitator) + amountMicros <= UNPROVEN_FACILITATOR_MICROS_MAX &&
    sumOf(wallet) + amountMicros <= UNPROVEN_WALLET_MICROS_MAX
  );
}

/** Returns the proof that a row begins with when it is settled on this evidence. */
export function firstProof(evidence: SettlementEvidence, amountMicros: bigint, nowMs: number): SettlementProof {
  if (evidence.kind === 'word') return { kind: 'unproven', facilitator: evidence.facilitator, sinceMs: nowMs };
  const { transaction, blockNumber, logIndex } = evidence;
  return { kind: 'proven', isFinal: !waitsForProof(amountMicros), transaction, blockNumber, logIndex };
}

/** Whether a proof says that the transfer is at this place, in whatever block. */
export function isAt(
  proof: SettlementProof | null,
  { transaction, logIndex }: Pick<TransferPosition, 'transaction' | 'logIndex'>,
): proof is Extract<SettlementProof, { kind: 'proven' }> {
  return proof?.kind === 'proven' && proof.transaction === transaction && proof.logIndex === logIndex;
}

/** Whether the chain has still to be asked about a settled payment. */
export function isToBeChecked({ proof }: OfProof): boolean {
  return proof !== null && (proof.kind === 'unproven' || (proof.kind === 'proven' && !proof.isFinal));
}

/**
 * Returns what a row adds to the exposure to its facilitator and its wallet, or null if the chain
 * answers for it.
 */
export function exposureOf({ proof, demand, payment }: OfExposure): ExposureShare | null {
  if (proof === null || proof.kind === 'proven') return null;
  const micros = demand.amountMicros;
  const sums: Exposure =
    proof.kind === 'unproven'
      ? { unprovenMicros: micros, refutedMicros: 0n, lastRefutedAtMs: null }
      : { unprovenMicros: 0n, refutedMicros: micros, lastRefutedAtMs: proof.atMs };
  return { facilitator: proof.facilitator, wallet: payment.authorization.from, sums };
}

/** What one row adds, and to whose sums. */
export interface ExposureShare {
  readonly facilitator: string;
  readonly wallet: WalletAddress;
  readonly sums: Exposure;
}

/** Returns the sums with a share more. */
export function plus(sums: Exposure, share: Exposure): Exposure {
  const refutedAtMs = Math.max(sums.lastRefutedAtMs ?? 0, share.lastRefutedAtMs ?? 0);
  return {
    unprovenMicros: sums.unprovenMicros + share.unprovenMicros,
    refutedMicros: sums.refutedMicros + share.refutedMicros,
    lastRefutedAtMs: refutedAtMs === 0 ? null : refutedAtMs,
  };
}

/** Returns the sums with a share less; when something was last refuted stays. */
export function minus(sums: Exposure, share: Exposure): Exposure {
  return {
    ...sums,
    unprovenMicros: sums.unprovenMicros - share.unprovenMicros,
    refutedMicros: sums.refutedMicros - share.refutedMicros,
  };
}

function sumOf({ unprovenMicros, refutedMicros }: Exposure): bigint {
  return unprovenMicros + refutedMicros;
}
