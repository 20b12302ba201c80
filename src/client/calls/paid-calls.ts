import type { ServedTool } from '#api/operations';
import type { Answer, CallOptions, Lane } from '../answers.js';
import type { Deadline } from '../http/deadline.js';
import { askDoor, NO_CREDENTIALS } from '../http/door.js';
import { readAnswer, refuseGhostPaywall } from '../http/read-answer.js';
import { mcpRequest, type Parameters, toolRequest } from '../http/requests.js';
import type { Buyer } from '../purchase/buyer.js';
import type { ClientContext } from '../purchase/context.js';
import { finishAnswered, type PaidDelivery } from '../purchase/send-until-known.js';
import type { Spender } from '../purchase/spender.js';
import { untilRated } from '../purchase/until-rated.js';
import type { OutgoingRequest, Purchase } from '../state/purchase.js';
import { NotPaid, OutcomeUnknown, ServiceProblem } from '../terms/errors.js';
import { PACK } from '../terms/published-terms.js';
import type { Intent } from '../terms/terms.js';
import { answerFault } from './answer-fault.js';
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
  call<Body>(tool: ServedTool, given: Parameters, options: CallOptions<Body>, wait = false): Promise<Answer<Body>> {
    const { baseUrl } = this.#context;
    // Models and bots name null what they leave out; in a query it would be the text "null".
    const args: Parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const parameters = this.lane === 'sandbox' ? exampleParameters(args) : args;
    // The terms are those of the REST endpoint, also by MCP.
    const { url } = toolRequest(baseUrl, tool, parameters);
    const request = (this.#door === 'mcp' ? mcpRequest : toolRequest)(baseUrl, tool, parameters);
    return this.#bounded(options, async (deadline) => {
      let { fresh = false } = options;
      const deliver = () => {
        const isFresh = fresh;
        // What it began is what it goes on with, however often it asks.
        fresh = false;
        return this.#deliver({ operation: tool, url }, request, isFresh, deadline);
      };
      const delivery = wait ? await untilRated(deliver, this.#context, deadline) : await deliver();
      return this.#receive<Body>(delivery, { operation: tool, args: parameters, lane: this.lane }, options);
    });
  }

  /** Buys a credit pack. Rejects with NotPaid when there is no account. */
  async buyPack<Body>(options: CallOptions<Body>): Promise<Answer<Body>> {
    const { buyer } = this.#purses;
    if (buyer === null) {
      throw new NotPaid('a credit pack is paid by an account', { charged: 'nothing', next: 'Give an account' });
    }
    const url = `${this.#context.baseUrl}/api/credits`;
    const intent: Intent = { operation: PACK, url, packConsent: true };
    const request: OutgoingRequest = { method: 'POST', url, body: null };
    return this.#bounded(options, async (deadline) => {
      const delivery = await buyer.buy({ intent, request, fresh: options.fresh }, deadline);
      return this.#receive<Body>(delivery, { operation: PACK, args: {}, lane: 'x402' }, options);
    });
  }

  async #deliver(intent: Intent, request: OutgoingRequest, fresh: boolean, deadline: Deadline): Promise<PaidDelivery> {
    const { buyer, spender } = this.#purses;
    if (spender !== null) return spender.spend(request, fresh, deadline);
    if (buyer !== null) return buyer.buy({ intent, request, fresh }, deadline);
    const exchange = await askDoor(this.#context.fetch, request, NO_CREDENTIALS, deadline.signal);
    refuseGhostPaywall(exchange);
    return { kind: 'answered', exchange, purchase: null };
  }

  /**
   * Reads what came and hands it over; only then the purchase ends. What is not the answer that was
   * paid for leaves it open.
   */
  async #receive<Body>(
    { kind, exchange, purchase }: PaidDelivery,
    {
      operation,
      args,
      lane,
    }: { readonly operation: ServedTool | typeof PACK; readonly args: Parameters; readonly lane: Lane },
    { onAnswer }: CallOptions<Body>,
  ): Promise<Answer<Body>> {
    const answer = readAnswer<Body>(exchange, lane, this.#context.system.clock.nowMs());
    if (kind === 'queued') return answer;
    const fault = answerFault(operation, args, answer.body as Readonly<Record<string, unknown>>);
    if (fault !== null) throw notTheAnswer(purchase, `the service answered 200 with ${fault}`);
    await onAnswer?.(answer);
    if (purchase !== null) await finishAnswered(this.#context, purchase);
    return answer;
  }
}

function notTheAnswer(purchase: Purchase | null, message: string): Error {
  if (purchase !== null) return new OutcomeUnknown(purchase.id, message);
  const next = 'Nothing was paid: look what answers at the address of the service';
  return new ServiceProblem(message, { code: 'unreadable_answer', status: 200, charged: 'nothing', next });
}
