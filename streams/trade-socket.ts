import { asyncScheduler, interval, Observable, type SchedulerLike } from 'rxjs';
import type { Fill } from '#domain/rating/fill';
import { parseRtdsFrame, RTDS_PING, RTDS_SUBSCRIBE } from '#wire/polymarket/rtds';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';

/** What one connection to the live trade feed tells. `closed` is the last signal; then the stream completes. */
export type TradeSignal =
  | { readonly kind: 'opened' }
  | { readonly kind: 'trade'; readonly fill: Fill }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'closed'; readonly reason: string };

/**
 * The venue drops a connection that does not say PING every five seconds (docs/venue.md, "Live
 * feed").
 */
export const TRADE_PING_EVERY_MS = 5_000;
/** The global feed is never silent for this long: PONG still comes on a frozen socket, so that only trades count as life. */
export const TRADE_SILENCE_MS = 30_000;

/**
 * One connection to the live feed of everybody's trades, from subscribe to unsubscribe: opens it, asks for the feed, keeps it alive,
 * and ends with `closed` where either side closed it or no trade came for half a minute. It does not reconnect and never throws.
 */
export function tradeSocket$(
  connect: ConnectTextSocket,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<TradeSignal> {
  return new Observable((subscriber) => {
    let heardAtMs = scheduler.now();
    const close = (reason: string) => {
      subscriber.next({ kind: 'closed', reason });
      subscriber.complete();
    };
    const socket = connect({
      onOpen: () => {
        socket.send(RTDS_SUBSCRIBE);
        subscriber.next({ kind: 'opened' });
      },
      onText: (text) => {
        const message = parseRtdsFrame(text);
        if (message.kind === 'other') return;
        if (message.kind === 'trade') heardAtMs = scheduler.now();
        subscriber.next(message);
      },
      onClose: close,
    });
    subscriber.add(() => socket.close());
    subscriber.add(
      interval(TRADE_PING_EVERY_MS, scheduler).subscribe(() => {
        const silentMs = scheduler.now() - heardAtMs;
        if (silentMs >= TRADE_SILENCE_MS) close(`no trade for ${silentMs} ms`);
        else socket.send(RTDS_PING);
      }),
    );
  });
}
