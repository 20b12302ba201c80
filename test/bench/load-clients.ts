import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import autocannon from 'autocannon';
import { percentile } from './support/rounds.js';

/** What became of requests that came faster than they could be answered; counts are per second. */
export interface Overload {
  readonly capacity: number;
  readonly asked: number;
  readonly accepted: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  /** In all. */
  readonly others: number;
}

export interface OverloadOptions {
  readonly paths: readonly string[];
  readonly token: string;
  readonly capacity: number;
  readonly times: number;
  readonly seconds: number;
}

/** Each waits for its answer, so there have to be more of them than requests may wait. */
const OVERLOAD_CONNECTIONS = 400;
const CALLERS = 32;

/** Asks `times` as much as can be done, in the name of many callers behind one proxy. */
export async function overload(url: string, options: OverloadOptions): Promise<Overload> {
  const { paths, token, capacity, times, seconds } = options;
  const acceptedMs: number[] = [];
  const refusedMs: number[] = [];
  let others = 0;
  const requests = Array.from({ length: CALLERS }, (_, n) => ({
    path: paths[n % paths.length]!,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${n}` },
  }));
  const overallRate = Math.ceil(times * capacity);
  const run = { url, requests, connections: OVERLOAD_CONNECTIONS, overallRate, duration: seconds };
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(run, (error, { errors }) => {
      others += errors;
      error ? reject(error) : resolve();
    });
    instance.on('response', (_client, status, _bytes, responseMs) => {
      if (status === 200) acceptedMs.push(responseMs);
      else if (status === 500) refusedMs.push(responseMs);
      else others++;
    });
  });
  const accepted = Float64Array.from(acceptedMs).sort();
  const refused = Float64Array.from(refusedMs).sort();
  return {
    capacity,
    asked: (accepted.length + refused.length) / seconds,
    accepted: accepted.length / seconds,
    acceptedP50Ms: percentile(accepted, 0.5),
    acceptedP99Ms: percentile(accepted, 0.99),
    refusedP50Ms: percentile(refused, 0.5),
    refusedP99Ms: percentile(refused, 0.99),
    others,
  };
}

/** How new clients fared beside sockets of another address. */
export interface Served {
  readonly sockets: number;
  readonly p50Ms: number;
  readonly maxMs: number;
  readonly failed: number;
}

const CROWD = 10_000;
/** Files that the process needs for itself. */
const OWN_FILES = 500;
const OPENERS = 200;
const NEW_CLIENTS = 200;

/** Opens as many sockets from one address as the machine lets us, and asks from another meanwhile, each time anew. */
export async function serveBesideCrowd(url: string): Promise<Served> {
  const sockets = Math.min(CROWD, openFilesMax() - OWN_FILES);
  const { hostname: host, port } = new URL(url);
  const crowd: Socket[] = [];
  const open = async () => {
    while (crowd.length < sockets) {
      const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' });
      crowd.push(socket);
      await new Promise<void>((resolve) => socket.on('error', () => resolve()).once('connect', resolve));
    }
  };
  const opened = Promise.all(Array.from({ length: OPENERS }, open));
  const tookMs: number[] = [];
  let failed = 0;
  for (let n = 0; n < NEW_CLIENTS; n++) {
    const startedMs = performance.now();
    const status = await send(`${url}/api/preflight_trade?sandbox=1`, { agent: false }).catch(() => 0);
    if (status !== 200) failed++;
    tookMs.push(performance.now() - startedMs);
  }
  await opened;
  for (const socket of crowd) socket.destroy();
  const sorted = Float64Array.from(tookMs).sort();
  return { sockets, p50Ms: percentile(sorted, 0.5), maxMs: sorted.at(-1)!, failed };
}

/** Sends codes that do not exist, all at once over a hundred connections; returns how many were looked up. */
export async function guessCodes(
  url: string,
  codes: number,
): Promise<{ readonly judged: number; readonly refused: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const statuses = await Promise.all(
    Array.from({ length: codes }, (_, n) => {
      const body = JSON.stringify({ code: `GUESS${n}`, wallet: `0x${'a'.repeat(40)}` });
      return send(
        `${url}/api/redeem`,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        body,
      );
    }),
  );
  agent.destroy();
  const judged = statuses.filter((status) => status === 404).length;
  return { judged, refused: statuses.filter((status) => status === 429).length };
}

function send(url: string, options: object, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!));
    });
    sent.on('error', reject).end(body);
  });
}

function openFilesMax(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(userLimits?.open_files?.soft ?? 1_024);
  return Number.isFinite(soft) ? soft : CROWD + OWN_FILES;
}
