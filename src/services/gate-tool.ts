import type { Parsed } from '#api/arguments';

/** Parameters that were understood, bound to the work they ask for. */
export type PreparedCall =
  | { readonly kind: 'ready'; readonly args: unknown; readonly run: () => Promise<object> }
  | { readonly kind: 'invalid'; readonly message: string };

/** A tool as the gate sees it: what it costs, its free example, and the way from raw parameters to its work. */
export interface GateTool {
  readonly credits: number;
  /** JSON text. */
  readonly exampleBody: string;
  prepare(raw: unknown): PreparedCall;
}

/**
 * Returns a tool for the gate. `run` resolves with the answer without `paid` (the gate adds it) and rejects with a
 * Problem where it has to say no.
 *
 * @example
 * const tool = gateTool({ ...OPERATIONS.preflight_trade, run: (order) => verdicts.judge(order) });
 */
export function gateTool<Args>(spec: {
  readonly credits: number;
  readonly exampleBody: string;
  readonly parse: (raw: unknown) => Parsed<Args>;
  readonly run: (args: Args) => Promise<object>;
}): GateTool {
  const { credits, exampleBody, parse, run } = spec;
  return {
    credits,
    exampleBody,
    prepare(raw) {
      const parsed = parse(raw);
      if (parsed.kind === 'invalid') return parsed;
      return { kind: 'ready', args: parsed.args, run: () => run(parsed.args) };
    },
  };
}
