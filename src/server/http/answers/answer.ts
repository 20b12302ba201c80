import type { ServerResponse } from 'node:http';
import { type ErrorBody, STATUS_OF, toErrorBody } from '#api/errors';
import type { Problem } from '#domain/errors';
import type { DoorRequest } from '#doors/request';
import type { Answer, HeaderPairs, StreamAnswer } from '#doors/route';
import type { Log } from '#ports/log';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { LINGER_MS, UNREAD_WAIT_MS } from '../limits/limits.js';
import { isLeftUnread } from '../limits/long-bodies.js';
import type { EventMetrics } from '../observe/event-metrics.js';
import { sampledDebug } from '../observe/sampled-log.js';
import { COMMON_HEADERS, JSON_TYPE, NO_STORE, PAGE_HEADERS } from './headers.js';

export interface SendDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Whether the server is stopping, so that connections are not kept. */
  readonly draining: () => boolean;
  /** Told of an answer that is given before the whole request has come. */
  readonly answeredEarly: (req: DoorRequest) => void;
  /** Gives up the place of a request among those at work. */
  readonly leaveWork?: (req: DoorRequest) => void;
  /** Called with every answer; null: they are not counted. */
  readonly metrics: Pick<EventMetrics, 'answered'> | null;
  /** How the body of a paid answer goes out; absent: as every other. */
  readonly endPaid?: EndBody;
}

/** Sends the body, whose headers are written, and ends the answer. */
export type EndBody = (res: ServerResponse, body: Answer['body']) => void;

export const endWhole: EndBody = (res, body) => void res.end(body);

export type Send = (req: DoorRequest, res: ServerResponse, answer: Answer | StreamAnswer) => void;

/** What is logged of a stream. */
const STREAM: Pick<Answer, 'status' | 'routine' | 'paid' | 'isUnproven'> = { status: 200 };

/** Returns a 200 with the value as JSON. */
export function ok(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}

/** Returns the answer to a problem. `more` stands in its body, too. */
export function problemAnswer(
  problem: Problem,
  headers: HeaderPairs = [],
  more: Pick<ErrorBody, 'retry'> = {},
): Answer {
  const retry = problem.retryAfterS === undefined ? [] : ['Retry-After', String(problem.retryAfterS)];
  const body = JSON.stringify({ ...toErrorBody(problem), ...more });
  return { status: STATUS_OF[problem.code], body, headers: [...headers, ...retry] };
}

/**
 * Returns the function that writes an answer: headers and body in one go, then one line in the
 * access log.
 */
export function createSend({
  log,
  clock,
  timers,
  draining,
  answeredEarly,
  leaveWork,
  metrics,
  endPaid = endWhole,
}: SendDeps): Send {
  const unpaid = sampledDebug(log, clock);

  function sendWhole(
    req: DoorRequest,
    res: ServerResponse,
    { status, body, headers = [], contentType, cacheControl = NO_STORE, page, paid }: Answer,
  ): void {
    const common = page ? PAGE_HEADERS : COMMON_HEADERS;
    const pairs = [...common, 'Cache-Control', cacheControl, 'X-Request-Id', req.requestId, ...headers];
    if (status !== 304) pairs.push('Content-Length', String(Buffer.byteLength(body)));
    // What is empty is of no type, unless it is a HEAD that says so.
    const type = contentType ?? (body.length > 0 ? JSON_TYPE : null);
    if (type !== null && status !== 304) pairs.push('Content-Type', type);
    const isUnread = !req.complete && isLeftUnread(req);
    if (isUnread || draining()) pairs.push('Connection', 'close');
    res.writeHead(status, pairs);
    if (isUnread) endUnread(req, res, body);
    else if (paid) endPaid(res, body);
    else endWhole(res, body);
    // What is left of it is the client's to read, and no work of this process.
    if (closeUnread(res, timers)) leaveWork?.(req);
  }

  /**
   * Sends an answer whole, and ends it when all has come that the client still sends, or after a
   * while: the end closes the connection, and one that is cut with unread bytes loses what was
   * written.
   */
  function endUnread(req: DoorRequest, res: ServerResponse, body: Answer['body']): void {
    res.write(body);
    leaveWork?.(req);
    const over = new AbortController();
    req.once('end', () => over.abort());
    res.once('close', () => over.abort());
    req.resume();
    void timers.sleep(LINGER_MS, over.signal).then(() => res.end());
  }

  /** What goes on for minutes holds no place among the requests at work. */
  function beginStream(req: DoorRequest, res: ServerResponse, { contentType, headers, begin }: StreamAnswer): void {
    const own = ['Cache-Control', NO_STORE, 'X-Request-Id', req.requestId, 'Content-Type', contentType];
    // Its end is that of its connection. Chunks would be three writes of each event for each of
    // hundreds of readers.
    res.removeHeader('Transfer-Encoding');
    res.writeHead(200, [...COMMON_HEADERS, ...own, ...headers]);
    leaveWork?.(req);
    begin(res);
  }

  return (req, res, answer) => {
    if (!req.complete) answeredEarly(req);
    if ('begin' in answer) beginStream(req, res, answer);
    else sendWhole(req, res, answer);
    const { status, routine = false, paid = false, isUnproven = false } = 'begin' in answer ? STREAM : answer;
    const level = status >= 500 && !routine ? 'warn' : paid ? 'info' : 'debug';
    if (metrics === null && level === 'debug' && !log.isLevelEnabled?.(level)) return;
    // The route, never the URL: a query or an unknown path may hold anything.
    const route: string = req.route?.path ?? 'none';
    const ms = clock.elapsedMs() - req.startedAtMs;
    const facts = { method: req.method, route, status, ms: Math.round(ms) };
    metrics?.answered({ ...facts, ms, isFault: status >= 500 && !isUnproven });
    // Anybody can cause a 4xx, as often as they like and for free.
    if (routine || (status >= 300 && status < 500)) unpaid({ requestId: req.requestId, ...facts }, 'answered');
    else log[level]({ requestId: req.requestId, ...facts }, 'answered');
  };
}

/**
 * Closes the connection of an answer that has been written, if its client does not read it. To be
 * called when the answer has been ended. Returns whether something is left to be read; an answer
 * that went out whole costs nothing here.
 */
export function closeUnread(res: ServerResponse, timers: Timers): boolean {
  const { socket } = res;
  if (socket === null || socket.writableLength === 0) return false;
  const over = new AbortController();
  res.once('close', () => over.abort());
  void timers.sleep(UNREAD_WAIT_MS, over.signal).then(() => {
    if (!over.signal.aborted) socket.destroy();
  });
  return true;
}
