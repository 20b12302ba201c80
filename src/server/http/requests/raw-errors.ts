import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '#domain/errors';
import type { DoorRequest } from '#doors/request';
import type { HeaderPairs } from '#doors/route';
import type { Log } from '#ports/log';
import type { Timers } from '#system/timers';
import { problemAnswer } from '../answers/answer.js';
import { COMMON_HEADERS, JSON_TYPE, NO_STORE } from '../answers/headers.js';
import { LINGER_MS } from '../limits/limits.js';
import { HEAD_TOO_LARGE } from './request-head.js';

/** What Node adds to an error of its HTTP parser. */
type ParserError = Error & { readonly code?: string };

export interface RawErrorDeps {
  readonly newRequestId: () => string;
  /** Writes a debug line of what anybody can cause. */
  readonly log: Log['debug'];
  readonly timers: Timers;
}

export interface RawErrors {
  /** Called with every answer that is given before the whole request has come. */
  answeredEarly(req: DoorRequest): void;
}

/**
 * Answers in JSON what never becomes a request: bytes that are not HTTP, headers that are too
 * large, a body cut into bad chunks, a client that is too slow, CONNECT. Node's own answers have no
 * body, and statuses that the interface does not. An `Upgrade` header needs no care: without a
 * listener Node ignores it, as HTTP asks, and the request is answered.
 */
export function answerRawErrors(server: Server, { newRequestId, log, timers }: RawErrorDeps): RawErrors {
  const refused = new WeakSet<Duplex>();
  const early = new WeakMap<Duplex, DoorRequest>();

  function refuse(socket: Duplex, problem: Problem, headers: HeaderPairs, cause: string): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    const requestId = newRequestId();
    const { status, text } = toText(problem, [...headers, 'X-Request-Id', requestId]);
    log({ requestId, status, cause }, 'refused');
    endAfter(socket, text, timers);
  }

  server.on('clientError', (error: ParserError, socket) => {
    // The parser reports again every chunk that still comes.
    if (refused.has(socket)) return;
    if (!socket.writable || isSilent(error, socket as Socket) || early.get(socket)?.complete === false) {
      return void socket.destroy();
    }
    const cause = error.code ?? 'unknown';
    afterAnswers(socket, () => refuse(socket, toProblem(cause), [], cause));
  });
  server.on('connect', (_req, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const problem = new Problem('method_not_allowed', 'this is not a proxy: CONNECT is not accepted');
    refuse(socket, problem, ['Allow', 'GET, POST, OPTIONS'], 'CONNECT');
  });
  return { answeredEarly: (req) => void early.set(req.socket, req) };
}

/** The client is gone, or never sent a byte (browsers open connections ahead). */
function isSilent(error: ParserError, socket: Socket): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE' || socket.bytesRead === 0;
}

function toProblem(code: string): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return HEAD_TOO_LARGE;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('malformed_request', 'the request did not arrive in time: send it again in one piece');
    // curl sends what is not ASCII as it is typed, and some clients a blank.
    case 'HPE_INVALID_URL':
    case 'HPE_INVALID_CONSTANT':
      return new Problem(
        'malformed_request',
        `this is no request line of HTTP/1.1 (${code}): percent-encode blanks and what is not ASCII in the URL, as in S%C3%A3o%20Paulo`,
      );
    default:
      return new Problem(
        'malformed_request',
        `this is not a well-formed HTTP/1.1 request (${code}): correct it, or leave it to an HTTP library`,
      );
  }
}

function toText(problem: Problem, extra: HeaderPairs): { status: number; text: string } {
  const { status, body } = problemAnswer(problem);
  const length = String(Buffer.byteLength(body));
  const pairs = [...COMMON_HEADERS, 'Cache-Control', NO_STORE, ...extra, 'Connection', 'close'];
  pairs.push('Content-Type', JSON_TYPE, 'Content-Length', length);
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let i = 0; i < pairs.length; i += 2) text += `${pairs[i]}: ${pairs[i + 1]}\r\n`;
  return { status, text: `${text}\r\n${body}` };
}

/**
 * Runs `then` when the answers to earlier requests on this connection are out, so that it does not
 * end up inside or before one of them. A request that is itself broken (its body cannot be
 * completed) is not waited for.
 */
function afterAnswers(socket: Duplex, then: () => void): void {
  // Node keeps the response that has the connection under this name, and itself looks there before
  // it answers an error.
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (current?.req.complete) current.once('close', () => setImmediate(afterAnswers, socket, then));
  else then();
}

/**
 * Writes the last answer and keeps reading for a while: a connection cut with unread bytes loses
 * what was written.
 */
function endAfter(socket: Duplex, text: string, timers: Timers): void {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  void timers.sleep(LINGER_MS, closed.signal).then(() => socket.destroy());
  socket.once('end', () => socket.destroy());
  socket.end(text);
  socket.resume();
}
