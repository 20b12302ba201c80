import type { Server } from 'node:http';
import { sendJson, startLoopbackServer } from '#test/support/loopback-server';

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
}

/** A server on loopback that answers with JSON. */
export interface Loopback {
  readonly server: Server;
  readonly host: string;
  close(): Promise<void>;
}

export async function startLoopback(
  answer: (url: URL, body: string) => Answered | Promise<Answered>,
): Promise<Loopback> {
  const { server, baseUrl, answer: respondWith, close } = await startLoopbackServer();
  respondWith(async ({ url, body }, response) => {
    const answered = await answer(new URL(url, baseUrl), body);
    sendJson(response, answered.body, answered.status);
  });
  return { server, host: new URL(baseUrl).host, close };
}
