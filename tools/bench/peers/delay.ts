import { connect, createServer, type Socket } from 'node:net';
import { listen } from '#test/support/listen';
import { childOptions, serveParent } from '../support/children.js';

/** A way to a port of this machine on which every byte takes so long, either way. */
export interface DelayOptions {
  readonly toPort: number;
  readonly delayMs: number;
}

const { toPort, delayMs } = childOptions<DelayOptions>();
const sockets = new Set<Socket>();

/** What came first is passed on first: timers of one length end in the order in which they began. */
function pass(from: Socket, to: Socket): void {
  sockets.add(from);
  from.setNoDelay(true);
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs));
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => to.destroy());
  from.on('close', () => sockets.delete(from));
}

const server = createServer({ allowHalfOpen: true }, (caller) => {
  const there = connect({ host: '127.0.0.1', port: toPort, allowHalfOpen: true });
  pass(caller, there);
  pass(there, caller);
});
serveParent({ port: await listen(server) }, {}, async () => {
  for (const socket of sockets) socket.destroy();
});
