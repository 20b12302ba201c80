import type { IncomingMessage, Server } from 'node:http';

/** Requests whose body nobody reads, because they say that it is too long. */
const leftUnread = new WeakSet<IncomingMessage>();

/** Whether a request says that its body is longer. If so, the body is not to be read. */
export function leaveIfLonger(req: IncomingMessage, bytesMax: number): boolean {
  const isLonger = Number(req.headers['content-length'] ?? 0) > bytesMax;
  if (isLonger) leftUnread.add(req);
  return isLonger;
}

/** Whether nobody reads what is left of a request that is not complete. */
export function isLeftUnread(req: IncomingMessage): boolean {
  return leftUnread.has(req);
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
