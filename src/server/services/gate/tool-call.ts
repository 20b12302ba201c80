import { Problem } from '#domain/errors';
import type { GateCall } from './call.js';
import { requestFingerprint } from './idempotency.js';
import type { GateTool, ReadyCall } from './tool.js';

/**
 * A call of a tool on its way through the lanes. Its parameters are parsed when the first of them
 * asks for what they say, and never again.
 */
export class ToolCall {
  #request: ReadyCall | Problem | null = null;
  #fingerprint: string | null = null;

  constructor(
    readonly name: string,
    readonly tool: GateTool,
    readonly call: GateCall,
  ) {}

  /** What its parameters ask for, or why they are refused. */
  get request(): ReadyCall | Problem {
    this.#request ??= this.#parse();
    return this.#request;
  }

  /** Names its request. Throws the Problem of parameters that are refused. */
  get fingerprint(): string {
    const { name, request } = this;
    if (request instanceof Problem) throw request;
    this.#fingerprint ??= requestFingerprint(name, request.args);
    return this.#fingerprint;
  }

  #parse(): ReadyCall | Problem {
    const { args } = this.call;
    if (args instanceof Problem) return args;
    const prepared = this.tool.prepare(args);
    return prepared.kind === 'ready' ? prepared : new Problem('invalid_parameter', prepared.message);
  }
}
