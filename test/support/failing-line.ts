import type { ServerResponse } from 'node:http';
import { sendJson, startLoopbackServer } from './loopback-server.js';

/**
 * How an upstream fails: it takes a question and never answers, sends a byte of an answer now and
 * then, answers like this, or resets every other request.
 */
export const LINE_FAULTS = ['black hole', 'drip', 'reset', '429 with HTML', '500', 'wrong JSON', 'flapping'] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

const DRIP_INTERVAL_MS = 200;

/** An HTTP upstream behind a line that fails on command. */
export interface FailingLine {
  readonly url: string;
  /** What was asked: the method of JSON-RPC, or method and path. */
  readonly questions: readonly string[];
  /** null: it is well. */
  fail(fault: LineFault | null): void;
  close(): Promise<void>;
}

/** Starts a line to an upstream, which is well until it is told otherwise. */
export async function startFailingLine(toUrl: string): Promise<FailingLine> {
  const server = await startLoopbackServer();
  let fault: LineFault | null = null;
  let flaps = 0;
  const drips = new Set<NodeJS.Timeout>();
  server.answer(async ({ method, url, headers, body }, response) => {
    switch (fault === 'flapping' && flaps++ % 2 === 0 ? 'reset' : fault) {
      case 'black hole':
        return;
      case 'drip':
        return drip(response);
      case 'reset':
        return void response.destroy();
      case '429 with HTML':
        return void response.writeHead(429, { 'content-type': 'text/html' }).end('<html>slow down</html>');
      case '500':
        return void response.writeHead(500, { 'content-type': 'text/html' }).end('<html>oops</html>');
      case 'wrong JSON':
        return sendJson(response, { hello: 'world' });
      default: {
        const sent = method === 'GET' ? { method } : { method, body };
        const type = { 'content-type': headers['content-type'] ?? 'application/json' };
        const answer = await fetch(toUrl + url, { ...sent, headers: type }).catch(() => null);
        if (answer === null) return void response.destroy();
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      }
    }
  });

  /** The beginning of an answer that never ends. */
  function drip(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), DRIP_INTERVAL_MS);
    drips.add(timer);
    response.on('close', () => {
      clearInterval(timer);
      drips.delete(timer);
    });
  }

  return {
    url: server.baseUrl,
    get questions() {
      return server.seen.map(({ method, url, body }) => rpcMethodOf(body) ?? `${method} ${url}`);
    },
    fail: (next) => {
      fault = next;
    },
    close() {
      for (const timer of drips) clearInterval(timer);
      return server.close();
    },
  };
}

function rpcMethodOf(body: string): string | null {
  return /"method":\s*"(eth_\w+)"/.exec(body)?.[1] ?? null;
}
