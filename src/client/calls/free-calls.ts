import { parseObject } from '#domain/json';
import type { CallOptions } from '../answers.js';
import { exchange } from '../http/http.js';
import { problemOf, refuseGhostPaywall } from '../http/read-answer.js';
import { getRequest } from '../http/requests.js';
import type { ClientContext } from '../purchase/context.js';
import type { OutgoingRequest } from '../state/purchase.js';
import type { Bounded } from './bounded-call.js';

/** Calls that cost nothing, and are not paid whatever they are answered. */
export class FreeCalls {
  readonly #context: ClientContext;
  readonly #bounded: Bounded;

  constructor(context: ClientContext, bounded: Bounded) {
    this.#context = context;
    this.#bounded = bounded;
  }

  /**
   * Resolves with the body of a path. `authorization` is for what only the holder of a token may
   * see.
   */
  get<Body>(path: string, options: CallOptions, authorization?: string): Promise<Body> {
    const headers = authorization === undefined ? {} : { authorization };
    return this.#send(getRequest(this.#context.baseUrl, path), headers, options);
  }

  post<Body>(path: string, body: object, options: CallOptions): Promise<Body> {
    const url = `${this.#context.baseUrl}${path}`;
    return this.#send({ method: 'POST', url, body: JSON.stringify(body) }, {}, options);
  }

  #send<Body>(request: OutgoingRequest, headers: Readonly<Record<string, string>>, options: CallOptions) {
    return this.#bounded(options, async ({ signal }) => {
      const answer = await exchange(this.#context.fetch, request, headers, signal);
      refuseGhostPaywall(answer);
      const body = parseObject(answer.text);
      if (body === null || answer.status !== 200) throw problemOf(answer);
      return body as Body;
    });
  }
}
