import type { ServedTool } from '#api/operations';
import type { Answer, CallOptions, Lane } from '../answers.js';
import type { Deadline } from '../http/deadline.js';
import { askDoor, NO_CREDENTIALS } from '../http/door.js';
import { readAnswer, refuseGhostPaywall } from '../http/read-answer.js';
import { mcpRequest, type Parameters, toolRequest } from '../http/requests.js';
import type { Buyer } from '../purchase/buyer.js';
import type { ClientContext } from '../purchase/context.js';
import type { PaidDelivery } from '../purchase/send-until-known.js';
import type { Spender } from '../purchase/spender.js';
import { untilRated } from '../purchase/until-rated.js';
import type { OutgoingRequest } from '../state/purchase.js';
import { NotPaid } from '../terms/errors.js';
import { PACK } from '../terms/published-terms.js';
import type { Intent } from '../terms/terms.js';
import type { Bounded } from './bounded-call.js';
import { exampleParameters } from './example-input.js';

/** Whoever pays: a token goes before an account, and without both nobody does. */
export interface Purses {
  readonly buyer: Buyer | null;
  readonly spender: Spender | null;
}

/** Calls of tools, each paid as the client can pay. */
export class PaidCalls {
  readonly #context: ClientContext;
  readonly #purses: Purses;
  readonly #door: 'rest' | 'mcp';
  readonly #bounded: Bounded;
  /** How calls are made. */
  readonly lane: Lane;

  constructor(context: ClientContext, purses: Purses, door: 'rest' | 'mcp', bounded: Bounded) {
    this.#context = context;
    this.#purses = purses;
    this.#door = door;
    this.#bounded = bounded;
    this.lane = purses.spender !== null ? 'credits' : purses.buyer !== null ? 'x402' : 'sandbox';
  }

  /** Calls a tool; with `wait` until a queued wallet is rated. */
  call<Body>(tool: ServedTool, args: Parameters, options: CallOptions, wait = false): Promise<Answer<Body>> {
    const { baseUrl, system } = this.#context;
    const parameters = this.lane === 'sandbox' ? exampleParameters(args) : args;
    // The terms are those of the REST endpoint, also by MCP.
    const { url } = toolRequest(baseUrl, tool, parameters);
    const request = (this.#door === 'mcp' ? mcpRequest : toolRequest)(baseUrl, tool, parameters);
    return this.#bounded(options, async (deadline) => {
      const deliver = () => this.#deliver({ operation: tool, url }, request, options, deadline);
      const { exchange } = wait ? await untilRated(deliver, this.#context, deadline) : await deliver();
      return readAnswer<Body>(exchange, this.lane, system.clock.nowMs());
    });
  }

  /** Buys a credit pack. Rejects with NotPaid when there is no account. */
  async buyPack<Body>({ fresh, ...options }: CallOptions): Promise<Answer<Body>> {
    const { buyer } = this.#purses;
    if (buyer === null) {
      throw new NotPaid('a credit pack is paid by an account', { charged: 'nothing', next: 'Give an account' });
    }
    const url = `${this.#context.baseUrl}/api/credits`;
    const intent: Intent = { operation: PACK, url, packConsent: true };
    const request: OutgoingRequest = { method: 'POST', url, body: null };
    return this.#bounded(options, async (deadline) => {
      const { exchange } = await buyer.buy({ intent, request, fresh }, deadline);
      return readAnswer<Body>(exchange, 'x402', this.#context.system.clock.nowMs());
    });
  }

  async #deliver(
    intent: Intent,
    request: OutgoingRequest,
    { fresh = false }: CallOptions,
    deadline: Deadline,
  ): Promise<PaidDelivery> {
    const { buyer, spender } = this.#purses;
    if (spender !== null) return spender.spend(request, fresh, deadline);
    if (buyer !== null) return buyer.buy({ intent, request, fresh }, deadline);
    const exchange = await askDoor(this.#context.fetch, request, NO_CREDENTIALS, deadline.signal);
    refuseGhostPaywall(exchange);
    return { kind: 'answered', exchange };
  }
}
