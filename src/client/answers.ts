import type { OrderExit } from '#api/order-exit';
import type { OrderLimit } from '#api/order-limit';
import type { OrderNumbers, Verdict } from '#api/order-numbers';
import type { OrderPlan, Remedy } from '#api/order-plan';
import type { OrderVerdict } from '#api/order-verdict';
import type { Leaderboard, RedList } from '#api/wallets/wallet-lists';
import type { NoCoverage, Queued, WalletProfile } from '#api/wallets/wallet-profile';
import type { Demand } from './terms/demand.js';
import type { Fault } from './terms/rules.js';

/** What the SDK answers. Stable: the service's own bodies, and what the client knows about each. */

export type {
  Leaderboard,
  NoCoverage,
  OrderExit,
  OrderLimit,
  OrderNumbers,
  OrderPlan,
  OrderVerdict,
  Queued,
  RedList,
  Remedy,
  Verdict,
  WalletProfile,
};

/** How a call was made: with a token, paid by an account, or as a free example. */
export type Lane = 'credits' | 'x402' | 'sandbox';

/** A service's answer with what has to be known before it is acted upon. */
export interface Answer<Body> {
  readonly body: Body;
  /** The bytes as they came, for `verify` and for `--json`. */
  readonly text: string;
  readonly lane: Lane;
  /**
   * True of a replay that another call would not give again, of a verdict past its `valid_until`,
   * and of an example: never to be acted upon as a fresh OK.
   */
  readonly stale: boolean;
  /**
   * So many seconds the clock of this machine is ahead of the service's, if that alone puts the
   * answer past its `valid_until`. Until it is set right, every verdict is paid for and stale.
   */
  readonly clockAheadS?: number;
  /**
   * True if it was kept from an earlier call and cost nothing: it stands until its
   * `next_refresh_at`.
   */
  readonly cached: boolean;
}

/** The order as asked. Names are those of the interface. */
export interface OrderInput {
  readonly slug?: string;
  readonly outcome?: string;
  readonly token_id?: string;
  readonly side?: 'BUY' | 'SELL';
  readonly usd?: number;
  readonly max_slippage_c?: number;
  readonly veto_slippage_c?: number;
  readonly max_book_age_s?: number;
  /** 1 asks for the order in amounts that the venue accepts. */
  readonly plan?: 1;
  /** 1 asks for what it costs to get out of the order again. */
  readonly exit?: 1;
  /** Asks for the order that rests at this price, beside the verdict. */
  readonly limit_price?: number;
  /** 1: it must not take. */
  readonly post_only?: 1;
  /** 1 asks for what the verdict was computed from, signed. */
  readonly evidence?: 1;
}

/** What every call takes. */
export interface CallOptions<Body = unknown> {
  /** Ends the call; a payment that was sent meanwhile is resumed by the next call. */
  readonly signal?: AbortSignal;
  /** Longest that the call may take, in milliseconds (60,000; a verdict 10,000). */
  readonly deadlineMs?: number;
  /** Starts another purchase although an earlier one of the same request is unfinished. */
  readonly fresh?: boolean;
  /**
   * Gets the answer of a call that may cost something before its purchase ends: whoever dies or
   * throws here gets the same answer by the same call, for the same payment.
   */
  onAnswer?(answer: Answer<Body>): Promise<void> | void;
}

/** What calls take whose answers stand until `next_refresh_at`. */
export interface RefreshOptions<Body = unknown> extends CallOptions<Body> {
  /** Asks, and pays, although a kept answer still stands. */
  readonly refresh?: boolean;
}

/** What a call for the rating of a wallet takes. */
export interface CopyOptions extends RefreshOptions<CopyAnswer> {
  /** Polls a QUEUED wallet until it is rated or the deadline has passed. */
  readonly wait?: boolean;
  /** Asks for what the rating was computed from, signed. Same price. */
  readonly evidence?: boolean;
}

export type CopyAnswer = WalletProfile | NoCoverage | Queued;

/** What a probe found: the demand, and the rule that would refuse it. */
export interface Probe {
  readonly demands: readonly Demand[];
  /** The fault of the first demand; null if it would be signed. */
  readonly fault: Fault | null;
}
