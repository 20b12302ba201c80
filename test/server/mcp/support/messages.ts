import { request } from 'node:http';
import type { ToolAnswer, ToolCall } from './mcp-clients.js';

/** An answer of POST /mcp as it came. */
export interface Seen {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** What every client says of the body it sends and of the answer it can read. */
export const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The members of `_meta` that make a request one of the 2026-07-28 revision. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'preflight-tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export type Headers = Readonly<Record<string, string>>;

/** A message in the form of each era, with the headers that go with it. */
export const ERAS = {
  '2025-11-25': (method: string, params: object) => ({
    message: { jsonrpc: '2.0', id: 1, method, params },
    headers: { 'mcp-protocol-version': '2025-11-25' } as Headers,
  }),
  '2026-07-28': (method: string, params: { readonly name?: string }) => ({
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    } as Headers,
  }),
};

/** Sends bytes to /mcp. Not by fetch, which keeps the Host header to itself. */
export function sendBytes(url: string, body: string, headers: Headers, method = 'POST'): Promise<Seen> {
  return sendWith(url, body, { ...JSON_RPC, ...headers }, method);
}

/** Calls a tool with one message, outside of any session. Returns its result. */
export async function callTool(url: string, params: ToolCall, headers: Headers = {}): Promise<ToolAnswer> {
  const { message } = ERAS['2025-11-25']('tools/call', params);
  return JSON.parse((await sendBytes(url, JSON.stringify(message), headers)).text).result;
}

/** Sends a message of a client that says so of what it can read; null: that does not say. */
export function sendAccepting(url: string, body: string, headers: Headers, accept: string | null): Promise<Seen> {
  const accepted = accept === null ? {} : { accept };
  return sendWith(url, body, { 'content-type': JSON_RPC['content-type'], ...accepted, ...headers }, 'POST');
}

function sendWith(url: string, body: string, headers: Headers, method: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode!, type: answer.headers['content-type'], text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
