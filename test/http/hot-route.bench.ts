import { execFile } from 'node:child_process';
import http, { type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Result } from 'autocannon';
import express from 'express';
import { systemClock } from '#adapters/system-clock';
import { systemRandom } from '#adapters/system-random';
import { OPERATIONS } from '#api/operations';
import { parseWallet } from '#domain/ids';
import { createHttpServer, type HttpServerDeps } from '#http/server';
import type { ChargeRequest } from '#services/credits';
import type { LaneCredits } from '#services/credits-lane';
import { createGate } from '#services/gate';
import { gateTool } from '#services/gate-tool';
import { createLogger } from '#src/log';

const CANNON = createRequire(import.meta.url).resolve('autocannon');

/** One row of the comparison. */
export interface HotRouteRow {
  readonly name: string;
  readonly connections: number;
  readonly requestsPerS: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerRequest: number;
}

const ANSWER = { ok: true, verdict: 'OK', reasons: ['x'.repeat(900)] };
const WALLET = parseWallet(`0x${'ab'.repeat(20)}`)!;
const PATH = '/api/preflight_trade?slug=will-the-measure-pass&usd=100';

/** Credits that never run out and live in one variable: the door is measured, not the store. */
function memoryCredits(): LaneCredits {
  let balance = Number.MAX_SAFE_INTEGER;
  return {
    authenticate: async () => WALLET,
    balanceOf: async () => ({ balance, expiresAtMs: null }),
    findAnswer: async () => ({ kind: 'none' }),
    async charge({ credits, render }: ChargeRequest) {
      balance -= credits;
      const paid = { creditsUsed: credits, creditsRemaining: balance };
      return { kind: 'charged', body: render(paid), ...paid };
    },
  };
}

export function preflightServer(): Server {
  const credits = memoryCredits();
  const log = createLogger('info', { write: () => undefined });
  const run = async () => ANSWER;
  const tools = { preflight_trade: gateTool({ ...OPERATIONS.preflight_trade, run }) };
  const deps: HttpServerDeps = {
    gate: createGate({ tools, credits, log }),
    credits: { ...credits, redeem: async () => ({ kind: 'unknown_code' }) },
    terms: { baseUrl: 'http://127.0.0.1', payeeAddress: WALLET, usdcAddress: WALLET },
    status: () => ({}) as never,
    ready: () => true,
    log,
    clock: systemClock,
    random: systemRandom,
  };
  return createHttpServer(deps).server;
}

const servers: Readonly<Record<string, () => Server>> = {
  'node:http, bytes ready': () => {
    const body = JSON.stringify(ANSWER);
    return http.createServer((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      res.end(body);
    });
  },
  'Express res.json': () => {
    const app = express();
    app.get('/api/preflight_trade', (_req, res) => void res.json(ANSWER));
    return http.createServer(app);
  },
  preflight_trade: preflightServer,
};

/** Runs autocannon as a process of its own, so that the CPU time counted here is the server's alone. */
async function load(url: string, connections: number, durationS: number): Promise<Result> {
  const args = [
    CANNON,
    '-j',
    '-c',
    String(connections),
    '-d',
    String(durationS),
    '-H',
    'Authorization=Bearer token',
    url,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as Result;
}

async function measure(name: string, url: string, connections: number, durationS: number): Promise<HotRouteRow> {
  const before = process.cpuUsage();
  const { requests, latency, non2xx, errors } = await load(url, connections, durationS);
  const { user, system } = process.cpuUsage(before);
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} answers are not 2xx, ${errors} errors`);
  const cpuMicrosPerRequest = Math.round((user + system) / requests.total);
  return { name, connections, requestsPerS: Math.round(requests.average), p99Ms: latency.p99, cpuMicrosPerRequest };
}

/** Measures the hot route beside plain Express and bare node:http, interleaved in one run. CPU is the server's. */
export async function measureHotRoute(connections: readonly number[], durationS: number): Promise<HotRouteRow[]> {
  const rows: HotRouteRow[] = [];
  for (const count of connections) {
    for (const [name, create] of Object.entries(servers)) {
      const server = create().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
      await measure(name, url, count, 1);
      rows.push(await measure(name, url, count, durationS));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
  return rows;
}
