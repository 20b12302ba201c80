import { Problem } from '#domain/errors';
import type { AnswerKey } from '#ports/store';
import type { GateCall } from './call.js';
import { requestFingerprint } from './idempotency.js';
import { paymentAnswerKey } from './payment-answer.js';
import type { GateTool, ReadyCall } from './tool.js';

/**
 * A call of a tool on its way through the lanes. Its parameters are parsed when the first of them
 * asks for what they say, and never again.
 */
export class ToolCall {
  #request: ReadyCall | Problem | null = null;
  #fingerprint: string | null = null;
  #paymentAnswer: AnswerKey | null = null;

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

  /**
   * Names the answer to it where credits pay although a payment came with it; null: none did, or
   * its parameters are refused.
   */
  get paymentAnswer(): AnswerKey | null {
    const { payment } = this.call;
    if (payment.kind !== 'payment' || this.request instanceof Problem) return null;
    this.#paymentAnswer ??= paymentAnswerKey(payment.payment, this.fingerprint);
    return this.#paymentAnswer;
  }

  #parse(): ReadyCall | Problem {
    const { args } = this.call;
    if (args instanceof Problem) return args;
    const prepared = this.tool.prepare(args);
    return prepared.kind === 'ready' ? prepared : new Problem('invalid_parameter', prepared.message);
  }
}
