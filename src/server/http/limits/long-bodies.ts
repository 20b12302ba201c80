import type { IncomingMessage, Server } from 'node:http';
import { BOOK_BODY_BYTES_MAX } from './limits.js';

/** Requests of which no more is read, because their body is too long. */
const leftUnread = new WeakSet<IncomingMessage>();

/** Whether a request says that its body is longer. If so, the body is not to be read. */
export function leaveIfLonger(req: IncomingMessage, bytesMax: number): boolean {
  const isLonger = saysLonger(req, bytesMax);
  if (isLonger) leftUnread.add(req);
  return isLonger;
}

/**
 * Calls back once more than so many bytes of a body in chunks have come, which does not say how
 * long it is: no more of it is to be read. To be called before it is read.
 */
export function leaveOnceLonger(req: IncomingMessage, bytesMax: number, onLonger: () => void): void {
  if (!isInChunks(req)) return;
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) return;
    req.off('data', count);
    leftUnread.add(req);
    onLonger();
  };
  req.on('data', count);
}

/**
 * Whether what is left of a request that is not complete is not waited for: it is too long, or does
 * not say how long it is and may have no end.
 */
export function isLeftUnread(req: IncomingMessage): boolean {
  return leftUnread.has(req) || isInChunks(req) || saysLonger(req, BOOK_BODY_BYTES_MAX);
}

/** Whether the body of a request has no length but its end. */
export function isInChunks({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

function saysLonger({ headers }: IncomingMessage, bytesMax: number): boolean {
  return Number(headers['content-length'] ?? 0) > bytesMax;
}

/**
 * Lets clients that ask first (`Expect: 100-continue`) send bodies of at most so many bytes, where
 * Node would let them send all. Either way the request is served.
 */
export function continueWithin(server: Server, bytesMax: number): void {
  server.on('checkContinue', (req, res) => {
    if (!leaveIfLonger(req, bytesMax)) res.writeContinue();
    server.emit('request', req, res);
  });
}
