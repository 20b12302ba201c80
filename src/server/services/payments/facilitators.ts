import type { Facilitator, Signer } from '#ports/settlement';

/**
 * Returns whom to ask to verify, in order: those that are not resting after failures or a silence.
 * If all are, all are asked anyway, since the worst that can come of it is what is certain without
 * it.
 */
export function verifiersFor(signer: Signer, facilitators: readonly Facilitator[]): readonly Facilitator[] {
  const well = facilitators.filter((facilitator) => !facilitator.isResting(signer));
  return well.length > 0 ? well : facilitators;
}

/**
 * Returns whose turn it is to settle, by a turn that counts from 0 without end: the next in the
 * round that is not resting, or the next one anyway. undefined: there is none.
 */
export function settlerFor(
  signer: Signer,
  facilitators: readonly Facilitator[],
  turn: number,
): Facilitator | undefined {
  const round = facilitators.map((_, step) => facilitators[(turn + step) % facilitators.length]!);
  return round.find((facilitator) => !facilitator.isResting(signer)) ?? round[0];
}
