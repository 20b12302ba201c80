import { STOP_WAIT_MS } from '#http/limits/limits';
import type { HttpServer } from '#http/server';
import type { Payments } from '#services/payments/payments';
import type { Timers } from '#system/timers';

/** How long requests have to be answered before their connections are cut. */
const ANSWER_MS = 1_000;

interface Serving {
  readonly server: Pick<HttpServer, 'stop'>;
  readonly payments: Pick<Payments, 'stop'>;
  readonly timers: Timers;
}

/**
 * Takes no more requests, and resolves when those under way are answered. A payment may take longer
 * than that is waited for: its client is then told that the outcome is not known, which is more
 * than a connection that is cut, and whoever takes the payment over finds it out.
 */
export async function stopServing({ server, payments, timers }: Serving): Promise<void> {
  const cancel = timers.after(STOP_WAIT_MS - ANSWER_MS, () => payments.stop());
  await server.stop();
  cancel();
  payments.stop();
}
