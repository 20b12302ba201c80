import type { Answer, CallOptions, OrderInput, OrderVerdict } from '../answers.js';
import type { ClientSystem } from '../system.js';
import type { GuardedOrder } from './order.js';

/** Longest that an order waits for its verdicts, in milliseconds. */
export const VERDICT_WAIT_MS = 1_500;

/** Who is asked: a `Preflight`, or anything with its `verdict`. */
export interface VerdictSource {
  verdict(order: OrderInput, options?: CallOptions): Promise<Answer<OrderVerdict>>;
}

/** What a guard is made with. Stable. */
export interface GuardOptions {
  readonly preflight: VerdictSource;
  /**
   * Most that entries may spend in any 24 hours, in USD with their largest fees. All guarded clients
   * of this user share one sum, unless `name` gives them another.
   */
  readonly perDayUsd: number;
  /**
   * What becomes of an entry that is CAUTION: sent at the size that is OK (`resize`), refused, or
   * what this function says of the verdict.
   */
  readonly caution?: 'resize' | 'refuse' | ((verdict: OrderVerdict) => boolean | Promise<boolean>);
  /**
   * Whether an order closes a position: an exit is never stopped. Without it, and where it fails or
   * says neither true nor false, every SELL is one.
   */
  readonly isExit?: (order: GuardedOrder) => boolean | Promise<boolean>;
  /** `shadow`: every order is sent as it was written, and what would have become of it is logged. */
  readonly mode?: 'guard' | 'shadow';
  /** Longest that an order waits for its verdicts, in milliseconds (1,500). */
  readonly timeoutMs?: number;
  /** Whether a refusal is thrown; without it as the client does with the venue's. */
  readonly throwOnError?: boolean;
  /** Limits of the verdict, by their names in the interface. */
  readonly limits?: Pick<OrderInput, 'max_slippage_c' | 'veto_slippage_c' | 'max_book_age_s'>;
  /** Names a sum, a freeze and a log of its own: lower-case letters, digits and hyphens. */
  readonly name?: string;
  /** Folder of the state; without it the one of the SDK. */
  readonly home?: string;
  /** Is told what an owner should look at; without it `process.emitWarning`. */
  readonly onWarning?: (text: string) => void;
  /** Time and chance, which tests own. */
  readonly system?: ClientSystem;
}
