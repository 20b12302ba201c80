import { asyncScheduler, interval, Observable, type SchedulerLike } from 'rxjs';
import type { TokenId } from '#domain/ids';
import { PING, PONG, subscribeMessage, unsubscribeMessage } from '#wire/polymarket/market-channel';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';

export type { ConnectTextSocket } from '#wire/polymarket/text-socket';

/** What can be asked of an open connection. After it closed, asking does nothing. */
export interface MarketSocket {
  subscribe(tokenIds: readonly TokenId[]): void;
  unsubscribe(tokenIds: readonly TokenId[]): void;
}

/** What one connection tells. `closed` is the last signal; then the stream completes. */
export type SocketSignal =
  | { readonly kind: 'opened'; readonly socket: MarketSocket }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'closed'; readonly reason: string };

/** The venue drops a connection that is silent for about 10 s (docs/venue.md, "Market channel"). */
export const PING_EVERY_MS = 9_000;
/** A PING that got neither PONG nor any frame by now means that the connection is dead without having said so. */
export const PONG_TIMEOUT_MS = 8_000;

/**
 * One connection to the market channel, from subscribe to unsubscribe: opens it, keeps it alive with PING, passes frames
 * on (PONG is not one), and ends with `closed` where either side closed it or it stopped answering. It does not
 * reconnect: when to try again is the feed machine's business. A connection is fed in order and never throws.
 */
export function marketSocket$(
  connect: ConnectTextSocket,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<SocketSignal> {
  return new Observable((subscriber) => {
    let heardAtMs = scheduler.now();
    const close = (reason: string) => {
      subscriber.next({ kind: 'closed', reason });
      subscriber.complete();
    };
    const socket = connect({
      onOpen: () => subscriber.next({ kind: 'opened', socket: speak((text) => socket.send(text)) }),
      onText: (text) => {
        heardAtMs = scheduler.now();
        if (text !== PONG) subscriber.next({ kind: 'frame', text });
      },
      onClose: close,
    });
    subscriber.add(() => socket.close());
    subscriber.add(
      interval(PING_EVERY_MS, scheduler).subscribe(() => {
        const silentMs = scheduler.now() - heardAtMs;
        if (silentMs >= PING_EVERY_MS + PONG_TIMEOUT_MS) close(`no PONG for ${silentMs} ms`);
        else socket.send(PING);
      }),
    );
  });
}

/** The venue wants the first message of a connection in another form than the later ones. */
function speak(send: (text: string) => void): MarketSocket {
  let first = true;
  return {
    subscribe: (tokenIds) => {
      send(subscribeMessage(tokenIds, first));
      first = false;
    },
    unsubscribe: (tokenIds) => send(unsubscribeMessage(tokenIds)),
  };
}
