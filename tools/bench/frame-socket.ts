import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import type { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { applyFrames, framesOnly, type LifeSignal, marketSocket$ } from '#streams/market-socket';
import { startChild } from './support/children.js';
import { type Cost, costOf } from './support/rounds.js';

/** A process that sends the walked frames as fast as they are taken, and two ways to take them. */
export interface FrameServer {
  /** Every frame parsed and thrown away: what the socket costs without us. */
  parseAll(): Promise<Cost>;
  /** Every frame through the service's own stream into the books of the table. */
  applyAll(table: BookTable): Promise<Cost>;
  stop(): Promise<void>;
}

/** Starts the sender. The same arguments give the same frames as walkBooks. */
export async function startFrameServer(marketCount: number, frameCount: number): Promise<FrameServer> {
  const sender = await startChild<{ url: string }>(new URL('./frame-sender.js', import.meta.url), {
    marketCount,
    frameCount,
  });
  const connect = connectMarketChannel(sender.ready.url);

  return {
    async parseAll() {
      let seen = 0;
      const opened = deferred<void>();
      const done = deferred<void>();
      const socket = connect({
        onOpen: opened.resolve,
        onText: (bytes) => {
          JSON.parse(bytes.toString('utf8'));
          if (++seen === frameCount) done.resolve();
        },
        onClose: (reason) => done.reject(new Error(reason)),
      });
      await opened.promise;
      const cost = await costOf(() => {
        socket.send('go');
        return done.promise;
      });
      socket.close();
      return cost;
    },

    async applyAll(table) {
      const applier = new FrameApplier(table);
      const go = deferred<() => void>();
      const done = deferred<void>();
      const onSignal = (signal: LifeSignal) => {
        if (signal.kind === 'opened') go.resolve(() => signal.socket.subscribe([]));
      };
      const subscription = marketSocket$(connect)
        .pipe(framesOnly(onSignal), applyFrames(applier))
        .subscribe({
          next: () => {
            if (applier.counters.frames === frameCount) done.resolve();
          },
          complete: () => done.reject(new Error('the socket closed early')),
        });
      const subscribe = await go.promise;
      const cost = await costOf(() => {
        subscribe();
        return done.promise;
      });
      subscription.unsubscribe();
      const { applied, bad } = applier.counters;
      if (applied !== frameCount * 2 || bad > 0) throw new Error(`${applied} changes applied, ${bad} bad`);
      return cost;
    },

    stop: () => sender.stop(),
  };
}

/** A promise and the two ways to end it. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((ok, failed) => {
    resolve = ok;
    reject = failed;
  });
  return { promise, resolve, reject };
}
