import type { Meter } from '#ports/meter';
import type { Facilitator } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';

/** Returns the same facilitator, with each of its answers told to the meter. */
export function measuredFacilitator(
  facilitator: Facilitator,
  meter: Pick<Meter, 'facilitatorAnswered'>,
  stopwatch: Stopwatch,
): Facilitator {
  const { name } = facilitator;
  async function timed<Outcome extends { readonly kind: string }>(
    operation: 'verify' | 'settle',
    ask: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const startedMs = stopwatch.elapsedMs();
    const outcome = await ask();
    const ms = stopwatch.elapsedMs() - startedMs;
    meter.facilitatorAnswered({ facilitator: name, operation, outcome: outcome.kind, ms });
    return outcome;
  }
  return {
    name,
    isResting: (signer) => facilitator.isResting(signer),
    verify: (payment, demand, signer) => timed('verify', () => facilitator.verify(payment, demand, signer)),
    settle: (payment, demand, signer) => timed('settle', () => facilitator.settle(payment, demand, signer)),
    health: () => facilitator.health(),
  };
}
