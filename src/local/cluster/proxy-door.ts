import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests on the way have as long as a replica gives them itself. */
const STOP_MS_MAX = 10_000;
const LOOK_AGAIN_MS = 50;

/** Rejects if the port is taken or not allowed. */
export function listenOn(server: Server, { port, host }: { readonly port: number; readonly host: string }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no more connections, and waits for the answers that are on the way. */
export async function closeWhenIdle(server: Server): Promise<void> {
  let closed = false;
  server.close(() => {
    closed = true;
  });
  for (let waitedMs = 0; !closed && waitedMs < STOP_MS_MAX; waitedMs += LOOK_AGAIN_MS) {
    server.closeIdleConnections();
    await sleep(LOOK_AGAIN_MS);
  }
  server.closeAllConnections();
}
