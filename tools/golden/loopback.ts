import type { Server } from 'node:http';
import { sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { FROZEN_MS } from './frozen-clock.js';

const FROZEN_DATE = new Date(FROZEN_MS).toUTCString();

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * A server on loopback that answers with JSON, and at the frozen time: the service believes the
 * clocks of its upstreams if they agree with each other against its own.
 */
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
    response.setHeader('Date', FROZEN_DATE);
    sendJson(response, answered.body, answered.status);
  });
  return { server, host: new URL(baseUrl).host, close };
}
