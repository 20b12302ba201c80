import { get, request } from '../exchange.js';
import { shapeOf } from '../normalise.js';
import type { Recording } from '../recording.js';

const DOCUMENTS = [
  '/',
  '/llms.txt',
  '/llms-full.txt',
  '/openapi.json',
  '/agent.json',
  '/auth.md',
  '/pricing.md',
  '/robots.txt',
  '/favicon.ico',
  '/healthz',
  '/.well-known/mcp/server-card.json',
  '/.well-known/agent.json',
  '/.well-known/agent-card.json',
  '/.well-known/x402',
  '/.well-known/x402.json',
  '/.well-known/mcp.json',
  '/.well-known/api-catalog',
  '/.well-known/ai-plugin.json',
  '/sitemap.xml',
  '/nowhere',
];
const PATHS = [
  '/api/preflight_trade',
  '/api/leaderboard',
  '/api/red_list',
  '/api/preflight_copy',
  '/api/credits',
  '/api/redeem',
  '/mcp',
  '/status.json',
  '/healthz',
  '/llms.txt',
];
const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** The documents that describe the service, and every method on every path. */
export async function askDocuments(recording: Recording): Promise<void> {
  for (const path of DOCUMENTS) await recording.ask(`document ${path}`, get(path));
  await recording.ask('document /status.json', get('/status.json'), ({ status, headers, body }) => ({
    status,
    headers: headers.filter(([name]) => !/^content-length$/i.test(name)),
    // The facilitator's name is its host.
    shape: shapeOf(JSON.parse(body.replace(/127\.0\.0\.1:\d+/, '<facilitator>'))),
  }));
  for (const path of PATHS) {
    for (const method of METHODS) {
      const look = path === '/status.json' ? withoutLength : undefined;
      await recording.ask(`method ${method} ${path}`, request(method, path), look);
    }
    await recording.ask(`method POST ${path}, empty`, request('POST', path));
  }
  const preflight = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' };
  await recording.ask('cors preflight', request('OPTIONS', '/api/preflight_trade', preflight));
  await recording.ask('cors of mcp', request('OPTIONS', '/mcp', preflight));
  await recording.ask('cors of a get', get('/api/credits', { Origin: 'https://page.example' }));
  await recording.ask('document, if none match', get('/llms.txt', { 'If-None-Match': '"x"' }));
  await recording.ask('document, gzip', get('/openapi.json', { 'Accept-Encoding': 'gzip' }));
}

function withoutLength({
  status,
  headers,
  body,
}: {
  status: string;
  headers: readonly (readonly [string, string])[];
  body: string;
}) {
  return { status, headers: headers.filter(([name]) => !/^content-length$/i.test(name)), body: body.length > 0 };
}
