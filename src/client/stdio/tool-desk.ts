import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpTool } from '#api/tools/tool-schemas';
import type { Answer, Lane } from '../answers.js';
import { toBaseUrl } from '../http/base-url.js';
import { clockAheadText } from '../http/clock-ahead.js';
import type { PreflightOptions } from '../options.js';
import { orUnavailable } from '../state/or-unavailable.js';
import type { ClientSystem } from '../system.js';
import { shown } from '../text.js';
import { LIMITS_TOOL, limitsAnswer } from './limits-tool.js';
import { refusalOf, refusalResult } from './refusal.js';
import { rewordedTools } from './service-tools.js';
import { type ToolArguments, ToolCalls } from './tool-calls.js';
import { type ListedTool, offeredTool, TOOL_NAMES } from './tools.js';

/** Calls at once: a host waits for each, so this many are a fault of the host. */
const CALLS_MAX = 16;
const DEADLINE_MS = 45_000;

export interface ToolDeskOptions extends PreflightOptions {
  readonly system: ClientSystem;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  readonly log: (line: string) => void;
}

/**
 * Where calls of tools come in and results go out. A call never rejects: what went wrong is a
 * result.
 */
export class ToolDesk {
  readonly #options: ToolDeskOptions;
  readonly #calls: ToolCalls;
  readonly #reworded: ReturnType<typeof rewordedTools>;
  readonly #baseUrl: string;
  readonly #running = new Set<Promise<CallToolResult>>();

  constructor(options: ToolDeskOptions) {
    const { system, signal } = options;
    this.#options = options;
    this.#calls = new ToolCalls(options);
    this.#baseUrl = toBaseUrl(options.baseUrl);
    const fetch = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
    this.#reworded = rewordedTools({ baseUrl: this.#baseUrl, fetch, system, signal });
  }

  get lane(): Lane {
    return this.#calls.lane;
  }

  /**
   * Resolves with what is listed, when the service was asked for its tools once. Of what it said,
   * no word is listed.
   */
  async offered(): Promise<readonly ListedTool[]> {
    const reworded = await this.#reworded().catch((error) => {
      // A host that has left ended the question, and the service is not at fault.
      if (!this.#options.signal.aborted) this.#options.log(shown(error.message));
      return new Set<string>(TOOL_NAMES);
    });
    const tools = TOOL_NAMES.map((name) => offeredTool(name, this.lane, reworded.has(name)));
    return [...tools, LIMITS_TOOL];
  }

  /** Runs a tool. */
  run(name: string, args: ToolArguments, signal: AbortSignal): Promise<CallToolResult> {
    if (this.#running.size >= CALLS_MAX) {
      const [error, next] = [`${CALLS_MAX} calls are running`, 'Wait until one of them is answered'];
      return Promise.resolve(
        refusalResult({ error: `${error}. ${next}`, code: 'overloaded', charged: 'nothing', next }),
      );
    }
    const call = this.#answered(name, args, signal).catch((error) => this.#refused(name, error, signal));
    this.#running.add(call);
    return call.finally(() => this.#running.delete(call));
  }

  /** Resolves when no call is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #answered(name: string, args: ToolArguments, signal: AbortSignal): Promise<CallToolResult> {
    if (name === LIMITS_TOOL.name) return this.#limits();
    await this.#reworded();
    signal.throwIfAborted();
    const { deadlineMs = DEADLINE_MS } = this.#options;
    if (name === 'evaluate') return textResult(this.#calls.evaluation(args));
    return answerResult(await this.#calls.call(name as Exclude<McpTool, 'evaluate'>, args, { signal, deadlineMs }));
  }

  async #limits(): Promise<CallToolResult> {
    const tools = await this.#reworded().then(
      (reworded) =>
        reworded.size === 0 ? 'those of this release' : `described otherwise: ${[...reworded].join(', ')}`,
      (error) => shown(error.message),
    );
    const spending = await orUnavailable(this.#calls.spending());
    const answer = limitsAnswer(spending, { service: this.#baseUrl, lane: this.lane, tools });
    return textResult(JSON.stringify(answer));
  }

  #refused(name: string, error: unknown, { aborted }: AbortSignal): CallToolResult {
    const refusal = refusalOf(error);
    if (refusal !== null) return refusalResult(refusal);
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    // A call that its host cancelled has not failed, and its result is read by no one.
    if (!aborted) this.#options.log(`${name} failed: ${shown(said)}`);
    const next = 'Make the same call again: an open purchase is resumed, and charged at most once';
    return refusalResult({ error: `this server failed. ${next}`, code: 'internal_error', charged: 'unknown', next });
  }
}

/** Returns JSON text that was computed here as the result of a tool. */
function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

const NOTES = {
  stale: 'This is an old answer: send no order on it, and make the call again.',
  cached: 'This answer was kept from an earlier call and cost nothing; it is valid until its next_refresh_at.',
  sandbox: 'This is a fixed example and no live answer.',
} as const;

/**
 * Returns an answer as the result of a tool: the service's bytes as text, the same as structure,
 * and what has to be known before it is acted upon, in words for the model and in `_meta` for the
 * host.
 */
function answerResult({ body, text, lane, stale, clockAheadS, cached }: Answer<unknown>): CallToolResult {
  const notes = [
    ...(stale && lane !== 'sandbox' ? [NOTES.stale] : []),
    ...(cached ? [NOTES.cached] : []),
    ...(lane === 'sandbox' ? [NOTES.sandbox] : []),
    ...(clockAheadS === undefined ? [] : [clockAheadText(clockAheadS)]),
  ];
  return {
    content: [text, ...notes].map((said) => ({ type: 'text', text: said })),
    structuredContent: body as Record<string, unknown>,
    _meta: { lane, stale, cached, ...(clockAheadS === undefined ? {} : { clock_ahead_s: clockAheadS }) },
  };
}
