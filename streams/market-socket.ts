import { asyncScheduler, filter, map, type Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';
import type { FrameApplier, FrameOutcome } from '#domain/book/frame-applier';
import type { TokenId } from '#domain/ids';
import {
  isAllResolved,
  isPong,
  marketFrameReader,
  PING,
  subscribeMessage,
  unsubscribeMessage,
} from '#wire/polymarket/market-channel';
import { type Closed, type ConnectTextSocket, type TextProtocol, textSocket$ } from './text-socket.js';

/** What can be requested on an open connection. After it closed, requests do nothing. */
export interface MarketSocket {
  subscribe(tokenIds: readonly TokenId[]): void;
  unsubscribe(tokenIds: readonly TokenId[]): void;
}

type Opened = { readonly kind: 'opened'; readonly socket: MarketSocket };

/**
 * What changes the life of a connection. `closed` is the last signal; then the stream completes.
 * `areTokensOver`: the venue closed it because there is nothing more to come of its tokens.
 */
export type LifeSignal = Opened | (Closed & { readonly areTokensOver: boolean });

export interface Frame {
  readonly kind: 'frame';
  /** Theirs only until the frame has gone all the way through. */
  readonly bytes: Buffer;
  /** When it came, by the scheduler's `now`. */
  readonly atMs: number;
}

/** What one connection reports. */
export type SocketSignal = Opened | Closed | Frame;

/** The venue drops a connection that is silent for about 10 s (docs/venue.md, "Market channel"). */
export const PING_INTERVAL_MS = 9_000;
/**
 * A PING that got neither PONG nor any frame by now means that the connection is dead without
 * having said so. On live connections a PONG came up to 12 s late (docs/venue.md, "Market channel").
 */
export const PONG_TIMEOUT_MS = 15_000;

const MARKET_CHANNEL: TextProtocol<SocketSignal> = {
  ping: PING,
  intervalMs: PING_INTERVAL_MS,
  silentMs: PING_INTERVAL_MS + PONG_TIMEOUT_MS,
  lifeSign: 'PONG',
  isAlive: () => true,
  open: (send) => ({ kind: 'opened', socket: speak(send) }),
  read: (bytes, atMs) => (isPong(bytes) ? null : { kind: 'frame', bytes, atMs }),
};

/**
 * One connection to the market channel, from subscribe to unsubscribe: passes its frames on in
 * order (PONG is not one), and ends with `closed`. It does not reconnect: when to try again is
 * decided by the feed machine. It never fails. Silence is measured by the scheduler's `now`: give
 * it one that never steps.
 */
export function marketSocket$(
  connect: ConnectTextSocket,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<SocketSignal> {
  return textSocket$(connect, MARKET_CHANNEL, scheduler);
}

/** Passes frames on; what concerns the life of the connection goes to `hear` instead. */
export function framesOnly(onSignal: (signal: LifeSignal) => void): OperatorFunction<SocketSignal, Frame> {
  return filter((signal): signal is Frame => {
    if (signal.kind === 'frame') return true;
    onSignal(signal.kind === 'opened' ? signal : { ...signal, areTokensOver: isAllResolved(signal.reason) });
    return false;
  });
}

/**
 * Applies frames to the books of an applier, in the order in which they come. `noteData` is told
 * when each came that was about a book of the applier: the venue tells everybody of new markets,
 * which says nothing of whether it still carries what was subscribed.
 */
export function applyFrames(
  applier: FrameApplier,
  noteData: (atMs: number) => void = () => undefined,
): OperatorFunction<Frame, FrameOutcome> {
  const read = marketFrameReader();
  return map(({ bytes, atMs }) => {
    const outcome = applier.apply(read(bytes), atMs);
    if (outcome.touched.length > 0) noteData(atMs);
    return outcome;
  });
}

/** The venue expects the first message of a connection in another form than the later ones. */
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
