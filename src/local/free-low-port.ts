import { createServer } from 'node:net';
import { systemRandom } from '#adapters/process/system-random';

/** Linux gives ports from 32768 on to outgoing connections. */
const LOW = { from: 20_000, to: 32_768 } as const;
const TRIES_MAX = 50;

/**
 * Returns a port on loopback that was free a moment ago and that no outgoing connection can take
 * meanwhile.
 */
export async function freeLowPort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const dice = Buffer.from(systemRandom.bytes(4)).readUInt32LE();
    const port = LOW.from + (dice % (LOW.to - LOW.from));
    if (await isFree(port)) return port;
  }
  throw new Error(`there is no free port between ${LOW.from} and ${LOW.to}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
