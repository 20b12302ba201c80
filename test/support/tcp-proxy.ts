import { connect, createServer, type Socket } from 'node:net';
import { resetConnection } from '#local/venue/faults/reset-connection';
import { listen } from './listen.js';

/**
 * How a line is cut: connections break and no new one is made, or what is sent arrives nowhere and
 * nothing answers.
 */
export type Cut = 'reset' | 'black hole';

/** A line to a TCP server on loopback that can be cut and healed. */
export interface TcpProxy {
  readonly port: number;
  cut(how: Cut): void;
  /**
   * Ends the cut. What was sent into a black hole arrives now, as TCP sends it again, also from
   * those who have given up meanwhile; connections that were asked for are not made any more.
   */
  heal(): void;
  close(): Promise<void>;
}

/** Starts a line to a port. */
export async function startTcpProxy(toPort: number): Promise<TcpProxy> {
  const lines = new Set<Line>();
  const unanswered = new Set<Socket>();
  let state: Cut | 'whole' = 'whole';

  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => near.destroy());
    if (state === 'reset') resetConnection(near);
    else if (state === 'black hole') unanswered.add(near.pause());
    else {
      const line = lineBetween(near, connect({ port: toPort, host: '127.0.0.1', allowHalfOpen: true }));
      lines.add(line);
      line.far.once('close', () => lines.delete(line));
    }
  });
  const port = await listen(server);

  const breakAll = () => {
    for (const { near, far } of lines) for (const end of [near, far]) resetConnection(end);
    for (const near of unanswered) resetConnection(near);
    unanswered.clear();
  };
  return {
    port,
    cut(how) {
      state = how;
      if (how === 'reset') breakAll();
      else for (const line of lines) line.hold();
    },
    heal() {
      state = 'whole';
      for (const near of unanswered) resetConnection(near);
      unanswered.clear();
      for (const line of lines) line.release();
    },
    async close() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A connection through the proxy, both ends of it. */
interface Line {
  readonly near: Socket;
  readonly far: Socket;
  hold(): void;
  release(): void;
}

function lineBetween(near: Socket, far: Socket): Line {
  const ends = [near, far] as const;
  let isHeld = false;
  const waiting: (() => void)[] = [];
  const whenReleased = (act: () => void) => (isHeld ? waiting.push(act) : act());
  for (const [from, to] of [ends, [far, near] as const]) {
    from.setNoDelay(true);
    from.on('data', (chunk) => whenReleased(() => to.writable && to.write(chunk)));
    from.on('end', () => whenReleased(() => to.end()));
    from.on('error', () => whenReleased(() => to.destroy()));
    from.on('close', () => whenReleased(() => to.destroySoon()));
  }
  return {
    near,
    far,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const act of waiting.splice(0)) act();
    },
  };
}
