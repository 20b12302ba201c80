import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import type { LocalFacilitator } from '#local/chain/local-facilitator';
import type { Authorization } from '#test/local/support/chain-harness';
import type { PaymentWorld } from '#test/support/payment-world';
import type { Client } from './client.js';
import type { Lives } from './seller.js';

/** From outside a process is killed when this has happened, or so many ms after it was asked. */
export type KillMoment = 'never' | 'verify asked' | 'settle asked' | 'money moved' | number;

export interface Watched {
  readonly world: PaymentWorld;
  readonly lives: Lives;
  readonly client: Client;
  readonly facilitator: LocalFacilitator;
  readonly payer: Address;
}

const POLL_INTERVAL_MS = 10;

/**
 * Kills the service at that moment, unless its client is done before. Resolves when it has, or when
 * there is no more need.
 */
export async function killWhen(
  moment: KillMoment,
  { world, lives, client, facilitator, payer }: Watched,
): Promise<void> {
  if (moment === 'never') return;
  const wasRequested = (operation: 'verify' | 'settle') => facilitator.faults.calls({ operation }).length > 0;
  const hasCome = async () => {
    if (moment === 'verify asked') return wasRequested('verify');
    if (moment === 'settle asked') return wasRequested('settle');
    return (await world.transfersFrom(payer)).length > 0;
  };
  if (typeof moment === 'number') await sleep(moment);
  else while (!client.isDone && !lives.isOver && !(await hasCome())) await sleep(POLL_INTERVAL_MS);
  if (!client.isDone) await lives.kill();
}

/**
 * Submits the authorization in the facilitator's place as soon as that was asked to settle it,
 * unless the client is done before.
 */
export async function submitOnceSent(
  authorization: Authorization,
  { world, lives, client, facilitator }: Watched,
): Promise<void> {
  while (facilitator.faults.calls({ operation: 'settle' }).length === 0) {
    if (client.isDone || lives.isOver) return;
    await sleep(POLL_INTERVAL_MS);
  }
  // Where the facilitator was faster, it is spent already.
  await world.submit(authorization).catch(() => undefined);
}
