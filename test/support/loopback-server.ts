import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from './listen.js';

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real HTTP server on loopback that answers as the test says and remembers what it was asked. */
export interface LoopbackServer {
  readonly server: Server;
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  /** Takes the place of the answer so far; `index` counts the requests from 0. */
  answer(respond: Respond): void;
  close(): Promise<void>;
}

type Respond = (request: SeenRequest, response: ServerResponse, index: number) => void;

export async function startLoopbackServer(): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  let respond: Respond = (_, response) => response.writeHead(404).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks as unknown as Uint8Array[]).toString('utf8');
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    respond(one, response, seen.length - 1);
  });
  return {
    server,
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
    seen,
    answer: (next) => {
      respond = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
