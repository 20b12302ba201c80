import { parseEvaluation } from '#api/evaluate/evaluate-request';
import type { OrderVerdict } from '#api/order-verdict';
import { Problem } from '#domain/errors';
import { tooMany } from '#domain/too-many';
import { evaluate } from '#judge/evaluate';
import type { Clock } from '#system/clock';

export interface EvaluationDeps {
  readonly clock: Clock;
  /** Counts the evaluations of each caller, of all doors together. */
  readonly limiter: { take(caller: string): Promise<number | null> };
}

/** Orders on books that callers bring (docs/interface.md, "Evaluate"). Nothing is stored or logged. */
export interface Evaluations {
  /** Rejects with a Problem if the caller has asked too often. */
  admit(caller: string): Promise<void>;
  /** Returns the verdict on a raw request. Throws a Problem that names what is wrong with it. */
  judge(raw: Readonly<Record<string, unknown>>): OrderVerdict;
}

/** Returns the evaluations, free for all doors. */
export function createEvaluations({ clock, limiter }: EvaluationDeps): Evaluations {
  return {
    async admit(caller) {
      const retryAfterS = await limiter.take(caller);
      if (retryAfterS !== null) throw tooMany('evaluations', retryAfterS);
    },
    judge(raw) {
      const parsed = parseEvaluation(raw);
      if (parsed.kind === 'invalid') throw new Problem('invalid_parameter', parsed.message);
      return evaluate(parsed.args, clock.nowMs());
    },
  };
}
