import { parseObject } from '#domain/json';
import type { CallOptions } from '../answers.js';
import type { Deadline } from '../http/deadline.js';
import { exchange } from '../http/http.js';
import { problemOf, refuseGhostPaywall } from '../http/read-answer.js';
import { getRequest } from '../http/requests.js';
import type { ClientContext } from '../purchase/context.js';
import type { OutgoingRequest } from '../state/purchase.js';
import type { Bounded } from './bounded-call.js';

/** What has to be said beside the usual of a call that did not bring its answer. */
export interface FreeHints {
  /** It may have been done, and its answer was lost on the way. */
  readonly lost?: string;
  /** It was done before. */
  readonly conflict?: string;
}

const CONFLICT_STATUS = 409;

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

  post<Body>(path: string, body: object, options: CallOptions, hints: FreeHints = {}): Promise<Body> {
    const url = `${this.#context.baseUrl}${path}`;
    return this.#send({ method: 'POST', url, body: JSON.stringify(body) }, {}, options, hints);
  }

  #send<Body>(
    request: OutgoingRequest,
    headers: Readonly<Record<string, string>>,
    options: CallOptions,
    hints: FreeHints = {},
  ) {
    const work = async ({ signal }: Deadline) => {
      const answer = await exchange(this.#context.fetch, request, headers, signal);
      refuseGhostPaywall(answer);
      const body = parseObject(answer.text);
      if (body !== null && answer.status === 200) return body as Body;
      const isLost = body === null || answer.status >= 500;
      const hint = isLost ? hints.lost : answer.status === CONFLICT_STATUS ? hints.conflict : undefined;
      throw problemOf(answer, hint === undefined ? undefined : { charged: 'nothing', next: hint });
    };
    return this.#bounded(options, work, hints.lost);
  }
}
