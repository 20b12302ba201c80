import type { DocsSample } from '#api/docs-page';
import { MCP_PATH } from '#api/mcp-facts';
import { EVALUATED_BOOK } from '../openapi/examples.js';
import { curlLines, RPC } from './examples.js';

/** A value of the caller's own, out of the environment. */
interface FromEnv {
  readonly env: string;
}

/** A value, or JSON that reads the same in each language. */
type Value = string | number | FromEnv | { readonly json: unknown };
type Values = Readonly<Record<string, Value>>;

/** A request as it is written in each language. */
interface SampleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Values;
  readonly body?: Values;
  readonly hasToken?: true;
}

const mine = (env: string): FromEnv => ({ env });

const REQUESTS: Readonly<Record<string, SampleRequest>> = {
  checkOrder: {
    ...{ method: 'GET', path: '/api/preflight_trade', hasToken: true },
    query: { slug: mine('SLUG'), usd: 250 },
  },
  checkOrderByBody: {
    ...{ method: 'POST', path: '/api/preflight_trade', hasToken: true },
    body: { slug: mine('SLUG'), usd: 250 },
  },
  evaluateOrder: {
    ...{ method: 'POST', path: '/api/evaluate' },
    body: { book: { json: EVALUATED_BOOK }, side: 'BUY', usd: 100 },
  },
  getLeaderboard: { method: 'GET', path: '/api/leaderboard', hasToken: true },
  getRedList: { method: 'GET', path: '/api/red_list', hasToken: true },
  checkWallet: { method: 'GET', path: '/api/preflight_copy', hasToken: true, query: { wallet: mine('WALLET') } },
  getCredits: { method: 'GET', path: '/api/credits', hasToken: true },
  buyCredits: { method: 'POST', path: '/api/credits', query: { x402_probe: 1 } },
  renewToken: {
    ...{ method: 'POST', path: '/api/credits/token' },
    body: {
      wallet: mine('WALLET'),
      nonce: mine('NONCE'),
      issued_at: mine('ISSUED_AT'),
      signature: mine('SIGNATURE'),
    },
  },
  redeemPromoCode: { method: 'POST', path: '/api/redeem', body: { code: mine('CODE'), wallet: mine('WALLET') } },
  listDemoMarkets: { method: 'GET', path: '/demo/markets' },
  getHealth: { method: 'GET', path: '/healthz' },
  getStatus: { method: 'GET', path: '/status.json' },
  getStatusHistory: { method: 'GET', path: '/status/history.json' },
};

/** What a tool is called with over MCP, free. */
const TOOL_CALLS: Readonly<Record<string, string>> = {
  checkOrder: 'preflight_trade',
  getLeaderboard: 'leaderboard',
  getRedList: 'red_list',
  checkWallet: 'preflight_copy',
};

/** Returns the same request in each language. `program`: what the SDK has for it. */
export function samplesOf(operationId: string, baseUrl: string, program: string | undefined): readonly DocsSample[] {
  const request = REQUESTS[operationId];
  const [curl, tool] = [curlLines(operationId, baseUrl), TOOL_CALLS[operationId]];
  return [
    ...(curl.length === 0 ? [] : [{ language: 'curl', text: curl.join('\n') } as const]),
    ...(request === undefined
      ? []
      : ([
          { language: 'TypeScript', text: program ?? typeScript(request, baseUrl) },
          { language: 'Python', text: python(request, baseUrl) },
        ] as const)),
    ...(tool === undefined ? [] : [{ language: 'MCP', text: mcp(tool, baseUrl) } as const]),
  ];
}

function written(value: Value, fromEnv: (name: string) => string): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return 'env' in value ? fromEnv(value.env) : JSON.stringify(value.json);
}

function typeScript({ method, path, query, body, hasToken }: SampleRequest, baseUrl: string): string {
  const value = (one: Value) => written(one, (name) => `env.${name}`);
  const record = (values: Values, indent: string) =>
    Object.entries(values)
      .map(([name, one]) => `${indent}${name}: ${value(one)},`)
      .join('\n');
  const headers = [
    ...(hasToken === undefined ? [] : ["Authorization: 'Bearer ' + env.TOKEN"]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify({\n${record(body, '    ')}\n  }),`]),
  ];
  const usesEnv = hasToken === true || JSON.stringify({ query, body }).includes('"env"');
  return [
    `import { ${usesEnv ? 'env, ' : ''}stdout } from 'node:process';`,
    '',
    `const url = new URL('${baseUrl}${path}');`,
    ...(query === undefined ? [] : [`url.search = String(new URLSearchParams({\n${record(query, '  ')}\n}));`]),
    `const response = await fetch(url${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`});`,
    'stdout.write(JSON.stringify(await response.json()));',
  ].join('\n');
}

function python({ method, path, query, body, hasToken }: SampleRequest, baseUrl: string): string {
  const value = (one: Value) => written(one, (name) => `os.environ["${name}"]`);
  const record = (values: Values) =>
    `{${Object.entries(values)
      .map(([name, one]) => `"${name}": ${value(one)}`)
      .join(', ')}}`;
  const usesEnv = hasToken === true || JSON.stringify({ query, body }).includes('"env"');
  return [
    ...(usesEnv ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${baseUrl}${path}",`,
    ...(query === undefined ? [] : [`    params=${record(query)},`]),
    ...(hasToken === undefined ? [] : ['    headers={"Authorization": f"Bearer {os.environ[\'TOKEN\']}"},']),
    ...(body === undefined ? [] : [`    json=${record(body)},`]),
    '    timeout=30,',
    ')',
    'print(response.status_code, response.json())',
  ].join('\n');
}

function mcp(tool: string, baseUrl: string): string {
  const message = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: tool, arguments: { sandbox: true } },
  };
  return `curl -s "${baseUrl}${MCP_PATH}" ${RPC} -d '${JSON.stringify(message)}'`;
}
