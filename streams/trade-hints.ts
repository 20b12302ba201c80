import {
  asyncScheduler,
  connect,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  pipe,
  type SchedulerLike,
  scan,
} from 'rxjs';
import type { Backoff } from '#domain/backoff';
import type { Fill } from '#domain/rating/fill';
import { type TradedHint, TradeSum } from '#domain/rating/traded-hint';
import { parseRtdsFrame, RTDS_PING, RTDS_SUBSCRIBE } from '#wire/polymarket/rtds';
import { collect, resubscribe } from './operators.js';
import { type Closed, type ConnectTextSocket, type TextProtocol, textSocket$ } from './text-socket.js';

/**
 * What one connection to the live trade feed reports. `closed` is the last signal; then the stream
 * completes.
 */
export type TradeSignal =
  | { readonly kind: 'opened' }
  | { readonly kind: 'trade'; readonly fill: Fill }
  | { readonly kind: 'unreadable' }
  | Closed;

/** The feed is away, and why. It comes with every connection that ends, and the last one counts. */
interface FeedLost {
  readonly kind: 'lost';
  readonly reason: string;
}

/** The feed was away for so long: trades of that time were not reported. */
interface FeedGap {
  readonly kind: 'gap';
  readonly awayMs: number;
  readonly reason: string;
}

export type TradeHint = TradedHint | FeedLost | FeedGap;

export interface TradeHintOptions {
  /** How often trades are reported, collected. */
  readonly intervalMs?: number;
  /** Conditions, and wallets, that one hint names at most. */
  readonly namedMax?: number;
  /**
   * Returns the wait before the next connection; `failures` counts those before the last that
   * brought no trade, in a row.
   */
  readonly backoffMs: (failures: number) => number;
  readonly scheduler?: SchedulerLike;
}

/**
 * The venue drops a connection that does not send PING every five seconds (docs/venue.md, "Live
 * feed").
 */
export const TRADE_PING_INTERVAL_MS = 5_000;
/**
 * The global feed is never silent for this long. A frozen socket still answers PONG, so that only
 * trades count as life.
 */
export const TRADE_SILENCE_MS = 30_000;
/** Between two connections, doubled with each in a row that brought no trade. */
export const TRADE_BACKOFF: Backoff = { minMs: 250, maxMs: 15_000 };
const INTERVAL_MS = 2_000;
const NAMED_MAX = 1_000;

const isTrade = (signal: TradeSignal | null) => signal?.kind === 'trade';

const TRADE_FEED: TextProtocol<TradeSignal> = {
  ping: RTDS_PING,
  intervalMs: TRADE_PING_INTERVAL_MS,
  silentMs: TRADE_SILENCE_MS,
  lifeSign: 'trade',
  isAlive: isTrade,
  open: (send) => {
    send(RTDS_SUBSCRIBE);
    return { kind: 'opened' };
  },
  read: (bytes) => {
    const message = parseRtdsFrame(bytes.toString('utf8'));
    return message.kind === 'other' ? null : message;
  },
};

/**
 * One connection to the live feed of all trades, from subscribe to unsubscribe: requests the feed
 * when it is open, and ends with `closed`, also if no trade came for half a minute. It does not
 * reconnect and never fails.
 */
export function tradeSocket$(
  connectText: ConnectTextSocket,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<TradeSignal> {
  return textSocket$(connectText, TRADE_FEED, scheduler);
}

/**
 * The live trade feed as hints: which conditions and wallets traded, at most once per period, that
 * the connection is lost, and the gap once trades come again. Reconnects for as long as it is
 * subscribed to; never fails and never completes.
 */
export function tradeHints$(connectText: ConnectTextSocket, options: TradeHintOptions): Observable<TradeHint> {
  const { intervalMs = INTERVAL_MS, namedMax = NAMED_MAX, scheduler = asyncScheduler } = options;
  return tradeSocket$(connectText, scheduler).pipe(
    resubscribe<TradeSignal>(isTrade, options.backoffMs, scheduler),
    connect((signals$) =>
      merge(
        signals$.pipe(presence(scheduler)),
        signals$.pipe(
          fills(),
          collect(intervalMs, () => new TradeSum(namedMax), scheduler),
        ),
      ),
    ),
  );
}

function fills(): OperatorFunction<TradeSignal, Fill> {
  return pipe(
    filter((signal) => signal.kind === 'trade'),
    map(({ fill }) => fill),
  );
}

/** Where the feed stands: since when it is away, and what the last signal says of it. */
interface Presence {
  readonly awaySinceMs: number | null;
  readonly reason: string;
  readonly hint: FeedLost | FeedGap | null;
}

const PRESENT: Presence = { awaySinceMs: null, reason: '', hint: null };

/**
 * Emits a loss with every connection that ends, and a gap when the first trade after it comes: a
 * frozen socket opens, subscribes and answers PING as well.
 */
function presence(scheduler: SchedulerLike): OperatorFunction<TradeSignal, FeedLost | FeedGap> {
  return pipe(
    scan((before: Presence, signal: TradeSignal) => next(before, signal, scheduler.now()), PRESENT),
    map(({ hint }) => hint),
    filter((hint) => hint !== null),
  );
}

function next({ awaySinceMs, reason }: Presence, signal: TradeSignal, nowMs: number): Presence {
  if (signal.kind === 'closed') {
    const lost: FeedLost = { kind: 'lost', reason: signal.reason };
    return { awaySinceMs: awaySinceMs ?? nowMs, reason: signal.reason, hint: lost };
  }
  if (signal.kind !== 'trade' || awaySinceMs === null) return { awaySinceMs, reason, hint: null };
  return { ...PRESENT, hint: { kind: 'gap', awayMs: nowMs - awaySinceMs, reason } };
}
