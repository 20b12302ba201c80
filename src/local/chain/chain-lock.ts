import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/** Lets another process have the directory. */
export type Release = () => void;

/**
 * Takes the directory for this process, or throws if another one has it: two would overwrite each
 * other's blocks. The lock is a Linux abstract socket, which the kernel takes back when its owner
 * dies, so that no stale one is left behind. Elsewhere there is no lock.
 */
export async function lockChainDir(dir: string): Promise<Release> {
  if (process.platform !== 'linux') return () => {};
  const name = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error(`another process runs the chain in ${dir}: stop it first`)));
    server.listen(`\0preflight-chain-${name}`, resolve);
  });
  server.unref();
  return () => server.close();
}
