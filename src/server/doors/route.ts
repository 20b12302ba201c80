import type { ServerResponse } from 'node:http';
import type { DoorRequest } from './request.js';

/** Header names and values in turn, as `writeHead` takes them fastest. */
export type HeaderPairs = readonly string[];

/**
 * What a handler answers: JSON text unless it says otherwise, and headers beside those that every
 * answer has.
 */
export interface Answer {
  readonly status: number;
  /** Text, or bytes that were made before. */
  readonly body: string | Uint8Array;
  readonly headers?: HeaderPairs;
  /** Media type of the body; JSON if it is absent. */
  readonly contentType?: string;
  /** Value of Cache-Control; if it is absent nobody may keep the answer. */
  readonly cacheControl?: string;
  /**
   * Whether the answer was paid for on the chain: from its first byte to its last it may be lost,
   * and must be had again.
   */
  readonly paid?: true;
  /** Whether it is a document for people, which a browser may run: its headers say so. */
  readonly page?: true;
  /** Whether it is one of very many alike, of which the log needs no line each. */
  readonly routine?: true;
  /** Whether anybody without money can bring it about: then it says nothing of how the service is. */
  readonly isUnproven?: true;
}

/**
 * An answer that goes on: once its head is written, `begin` has the response, and sees to its end.
 */
export interface StreamAnswer {
  readonly contentType: string;
  readonly headers: HeaderPairs;
  readonly begin: (res: ServerResponse) => void;
}

/** Answers a request. May throw a Problem. */
export type Handler = (req: DoorRequest, res: ServerResponse) => Answer | StreamAnswer | Promise<Answer | StreamAnswer>;

/**
 * One path and what it does. OPTIONS and all other methods are answered by the table of the HTTP
 * door.
 */
export interface Route {
  readonly path: string;
  /** A HEAD is answered by GET, without the body, unless the path has its own answer to it. */
  readonly methods: { readonly GET?: Handler; readonly HEAD?: Handler; readonly POST?: Handler };
}
