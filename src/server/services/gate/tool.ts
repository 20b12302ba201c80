import type { Parsed } from '#api/arguments';
import { nextRefreshOf } from '#api/written-answer';
import type { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import type { GateResult } from './call.js';

/**
 * An answer that nobody pays for: a wallet that is QUEUED (202) or has NO_COVERAGE (200). A tool
 * resolves with it instead of its body; then no payment is settled, no credit debited and nothing
 * kept for repeats (docs/interface.md, "Error object").
 */
export class FreeAnswer {
  constructor(
    readonly status: 200 | 202,
    /** Becomes the JSON body as it is, without `paid`. */
    readonly body: object,
    /** For the Retry-After header; null: there is nothing to wait for. */
    readonly retryAfterS: number | null = null,
  ) {}
}

/** Parameters that were understood, bound to the work they ask for. */
export interface ReadyCall {
  readonly kind: 'ready';
  readonly args: unknown;
  /** `caller` is the wallet of a token, or else a network address. */
  readonly run: (caller: string) => MaybePromise<object | FreeAnswer>;
  /**
   * Whether `run`, begun at once, would need nothing from outside of this process: no call to the
   * venue, and no place in a queue.
   */
  readonly isCached: () => boolean;
  /** Why `run` would say no, as far as that is known inside of this process; null: it is not. */
  readonly fault: () => MaybePromise<Problem | null>;
}

type PreparedCall = ReadyCall | { readonly kind: 'invalid'; readonly message: string };

/**
 * A tool as the gate sees it: what it costs, its free example, and the way from raw parameters to
 * its work.
 */
export interface GateTool {
  readonly credits: number;
  /** JSON text. */
  readonly exampleBody: string;
  /** Whether work of it that is not charged is counted: absent: it has a limit of its own, or needs none. */
  readonly countsUnpaid?: true;
  prepare(raw: unknown): PreparedCall;
}

/**
 * Returns a tool for the gate. `run` resolves with the answer without `paid` (the gate adds it), as
 * an object or as text, or with a FreeAnswer, and throws or rejects with a Problem where it has to
 * say no.
 *
 * @example const tool = gateTool({ ...OPERATIONS.preflight_trade, run: (order) =>
 * verdicts.judge(order) });
 */
export function gateTool<Args>(spec: {
  readonly credits: number;
  readonly exampleBody: string;
  readonly parse: (raw: unknown) => Parsed<Args>;
  readonly run: (args: Args, caller: string) => MaybePromise<object | FreeAnswer>;
  /** As of a prepared call. Absent: never. */
  readonly isCached?: (args: Args) => boolean;
  /** As of a prepared call. Absent: it is never known. */
  readonly faultOf?: (args: Args) => MaybePromise<Problem | null>;
  readonly countsUnpaid?: true;
}): GateTool {
  const { credits, exampleBody, parse, run, isCached = () => false, faultOf = () => null, countsUnpaid } = spec;
  return {
    credits,
    exampleBody,
    ...(countsUnpaid && { countsUnpaid }),
    prepare(raw) {
      const parsed = parse(raw);
      if (parsed.kind === 'invalid') return parsed;
      const { args } = parsed;
      return {
        kind: 'ready',
        args,
        run: (caller) => run(args, caller),
        isCached: () => isCached(args),
        fault: () => faultOf(args),
      };
    },
  };
}

/** Returns the gate's result for a free answer. */
export function toFree({ status, body, retryAfterS }: FreeAnswer): GateResult {
  return { kind: 'free', status, body: JSON.stringify(body), nextRefreshS: nextRefreshOf(body), retryAfterS };
}
