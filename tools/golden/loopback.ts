import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
}

/** A server on loopback that answers with JSON. */
export interface Loopback {
  readonly server: Server;
  readonly port: number;
  close(): void;
}

export async function startLoopback(
  answer: (url: URL, body: string) => Answered | Promise<Answered>,
): Promise<Loopback> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks as unknown as Uint8Array[]).toString('utf8');
    const { status = 200, body: answered } = await answer(new URL(request.url ?? '/', 'http://loopback'), body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { server, port: (server.address() as AddressInfo).port, close };
}
