import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** What a proxy does with bytes that hold a pattern. */
interface Cut {
  /** As it stands in the bytes. */
  readonly pattern: string;
  readonly from: 'client' | 'server';
  /** Whether those bytes are still passed on. */
  readonly passes: boolean;
}

/** A connection through loopback that can be cut at any moment. */
export interface CuttingProxy {
  readonly port: number;
  /** Breaks all connections. */
  cut(): void;
  /** Breaks all connections and refuses new ones, until it is told otherwise. */
  refuse(refuses: boolean): void;
  /**
   * Passes nothing on and breaks nothing, as a network does that loses every packet, until it is
   * told otherwise.
   */
  swallow(swallows: boolean): void;
  /** Breaks the first connection on which this is said. Resolves when it has. */
  cutAt(cut: Cut): Promise<void>;
  close(): Promise<void>;
}

interface Plan extends Cut {
  readonly done: () => void;
}

/** Starts a proxy before a port on loopback. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let plan: Plan | null = null;
  let [refuses, swallows] = [false, false];

  const server = createServer((client) => {
    if (refuses) return void client.destroy();
    const upstream = connect(targetPort, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    if (swallows) for (const socket of pair) socket.pause();
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', (bytes) => pass(bytes, { from: 'client', to: upstream, end }));
    upstream.on('data', (bytes) => pass(bytes, { from: 'server', to: client, end }));
  });

  function pass(bytes: Buffer, direction: { from: Cut['from']; to: Socket; end: () => void }): void {
    if (plan === null || plan.from !== direction.from || !bytes.includes(plan.pattern))
      return void direction.to.write(bytes);
    const { passes, done } = plan;
    plan = null;
    if (!passes) direction.end();
    else direction.to.write(bytes, direction.end);
    done();
  }

  function cut(): void {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  }

  return {
    port: await listen(server),
    cut,
    refuse(now) {
      refuses = now;
      if (now) cut();
    },
    swallow(now) {
      swallows = now;
      for (const pair of pairs) for (const socket of pair) now ? socket.pause() : socket.resume();
    },
    cutAt: (how) =>
      new Promise((done) => {
        plan = { ...how, done };
      }),
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}

/** Returns the URL of a server as it is reached through a proxy. */
export function throughProxy(url: string, { port }: Pick<CuttingProxy, 'port'>): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}
