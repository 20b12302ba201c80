import type { OrderInput, OrderVerdict } from '../../answers.js';
import { clockAheadText } from '../../http/clock-ahead.js';
import type { ClientSystem } from '../../system.js';
import type { Refusal } from '../errors.js';
import type { VerdictSource } from '../options.js';

/** A fresh verdict about the order that was asked about, or why there is none. */
export type Asked = { readonly kind: 'answered'; readonly body: OrderVerdict } | ({ readonly kind: 'none' } & Refusal);

/** How long the verdicts of one order may take together. */
export class VerdictWait {
  readonly #system: ClientSystem;
  readonly #endMs: number;

  constructor(system: ClientSystem, ms: number) {
    this.#system = system;
    this.#endMs = system.clock.elapsedMs() + ms;
  }

  /** Resolves with what the work does, or with null when the time is over. */
  async bound<T>(work: (leftMs: number) => Promise<T>): Promise<T | null> {
    const leftMs = this.#endMs - this.#system.clock.elapsedMs();
    if (leftMs <= 0) return null;
    const { promise, resolve } = withResolver<null>();
    const cancel = this.#system.timers.after(leftMs, () => resolve(null));
    try {
      return await Promise.race([work(leftMs), promise]);
    } finally {
      cancel();
    }
  }
}

function withResolver<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Asks about an order, and holds the answer against what was asked. Never rejects. */
export async function ask(source: VerdictSource, input: OrderInput, wait: VerdictWait): Promise<Asked> {
  try {
    const answer = await wait.bound((leftMs) => source.verdict(input, { deadlineMs: Math.ceil(leftMs) }));
    if (answer === null) return none('unavailable', 'no verdict came in time');
    const { body, stale, clockAheadS } = answer;
    if (body.sandbox === true)
      return none('example', 'the answer is a free example: give Preflight a token or an account');
    if (stale) {
      return none('stale', clockAheadS === undefined ? 'the answer is an old one' : clockAheadText(clockAheadS), body);
    }
    const { market, order } = body;
    const isAbout =
      market.token_id === input.token_id && order.side === input.side && Math.abs(order.usd - input.usd!) < 1e-6;
    return isAbout ? { kind: 'answered', body } : none('plan_mismatch', 'the answer is about another order', body);
  } catch (error) {
    return none('unavailable', error instanceof Error ? error.message : String(error));
  }
}

function none(rule: Refusal['rule'], why: string, verdict: OrderVerdict | null = null): Asked {
  return { kind: 'none', rule, why, verdict };
}
