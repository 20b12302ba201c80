import { withoutNulls } from '#api/arguments';
import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { parseEvaluation } from '#api/evaluate/evaluate-request';
import { readSandbox } from '#api/mcp-params';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { PRICES, TOOLS } from '#api/prices';
import type { McpTool } from '#api/tools/tool-schemas';
import { evaluate } from '#judge/evaluate';
import type { Answer, Lane, OrderInput } from '../answers.js';
import type { PreflightOptions } from '../options.js';
import { Preflight } from '../preflight.js';
import type { ClientSystem } from '../system.js';
import { ServiceProblem } from '../terms/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../terms/limits.js';

/** Raw arguments of a tool, as the host sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What every call takes; the SDK is that of Node. */
export interface CallBounds {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

export type Spending = Awaited<ReturnType<Preflight['spending']>>;

/**
 * The tools of the service, called through the SDK: its guardrails, its budget and its journal. Every tool
 * has an SDK object of its own, whose limit per call is the built-in price if that is lower: what a
 * text of ours says that a call costs is what it costs at most, whatever the service publishes
 * meanwhile.
 */
export class ToolCalls {
  readonly #paying: ReadonlyMap<ServedTool, Preflight>;
  readonly #examples: Preflight;
  readonly #hasToken: boolean;
  readonly #limits: Limits;
  readonly #nowMs: () => number;

  constructor(options: PreflightOptions & { readonly system: ClientSystem }) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#limits = limits;
    this.#nowMs = () => options.system.clock.nowMs();
    const priced = (tool: ServedTool) => {
      const price = PRICES[tool].amountMicros;
      const perCallMicros = price < limits.perCallMicros ? price : limits.perCallMicros;
      return new Preflight({ ...options, limits: { ...limits, perCallMicros } });
    };
    this.#paying = new Map(TOOLS.map((tool) => [tool, priced(tool)]));
    const { account: _account, token, ...others } = options;
    this.#examples = new Preflight(others);
    this.#hasToken = token !== undefined;
  }

  /** How calls are paid. */
  get lane(): Lane {
    return this.#paying.get('preflight_trade')!.lane;
  }

  /** The operator's limits, what was spent and what is under way. Rejects if it cannot be read. */
  async spending(): Promise<Spending> {
    return { ...(await this.#paying.get('preflight_trade')!.spending()), limits: this.#limits };
  }

  /**
   * Resolves with the answer of a tool. Rejects with the errors of the client, or as the signal
   * says.
   */
  async call(tool: Exclude<McpTool, 'evaluate'>, given: ToolArguments, bounds: CallBounds): Promise<Answer<unknown>> {
    const { sandbox, ...args } = withoutNulls(given) as ToolArguments;
    const isExample = wantsExample(sandbox);
    if (tool === 'credits') return this.#credits(args, isExample, bounds);
    if (isExample) return callTool(this.#examples, tool, args, bounds);
    // A request that the service would refuse is not paid for: the budget is not touched for it.
    const parsed = OPERATIONS[tool].parse(args);
    if (parsed.kind === 'invalid') throw invalid(parsed.message);
    return callTool(this.#paying.get(tool)!, tool, args, bounds);
  }

  /**
   * Returns the text of the verdict on a book that the host brings, computed here as the service
   * does it. Throws a ServiceProblem that names what is wrong.
   */
  evaluation(given: ToolArguments): string {
    const { sandbox, ...args } = withoutNulls(given) as ToolArguments;
    if (wantsExample(sandbox)) return OPERATIONS.preflight_trade.exampleBody;
    const parsed = parseEvaluation(args);
    if (parsed.kind === 'invalid') throw invalid(parsed.message);
    return JSON.stringify(evaluate(parsed.args, this.#nowMs()));
  }

  async #credits(args: ToolArguments, isExample: boolean, bounds: CallBounds): Promise<Answer<unknown>> {
    if (isExample) return toAnswer(PACK_TERMS, 'sandbox');
    if (Object.keys(args).length > 0) throw invalid('this tool takes no parameters: the token is that of the server');
    const { credits } = this.#paying.get('preflight_trade')!;
    return toAnswer(await (this.#hasToken ? credits.balance(bounds) : credits.terms(bounds)), this.lane);
  }
}

function callTool(preflight: Preflight, tool: ServedTool, args: ToolArguments, bounds: CallBounds) {
  switch (tool) {
    case 'preflight_trade':
      return preflight.verdict(args as OrderInput, bounds);
    case 'preflight_copy':
      return preflight.copy(walletIn(args), { ...bounds, evidence: isAskedFor(args.evidence) });
    case 'leaderboard':
      return preflight.leaderboard(bounds);
    case 'red_list':
      return preflight.redList(bounds);
  }
}

/** One spelling of an address, so that the same wallet is the same purchase. */
function walletIn({ wallet, user }: ToolArguments): string {
  return String(wallet ?? user).toLowerCase();
}

/** Whether an addition is asked for, in any of the ways in which the service is asked for one. */
function isAskedFor(raw: unknown): boolean {
  return raw !== undefined && raw !== false && raw !== 'false';
}

function toAnswer(body: CreditsResponse, lane: Lane): Answer<unknown> {
  return { body, text: JSON.stringify(body), lane, stale: false, cached: false };
}

/** Throws a ServiceProblem where `sandbox` is neither true nor left out. */
function wantsExample(sandbox: unknown): boolean {
  const flag = readSandbox(sandbox);
  if (flag === 'malformed') throw invalid('sandbox must be true, or left out');
  return flag === 'set';
}

function invalid(message: string): ServiceProblem {
  const next = 'Correct the call as the message says';
  return new ServiceProblem(message, { code: 'invalid_parameter', status: 400, charged: 'nothing', next });
}
