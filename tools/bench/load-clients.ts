import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { percentile } from './support/rounds.js';

/** What became of requests that came faster than they could be answered; counts are per second. */
export interface Overload {
  readonly callers: number;
  readonly capacity: number;
  readonly requested: number;
  readonly accepted: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  /** What a look at /healthz took over a connection of its own. */
  readonly newcomerP50Ms: number;
  readonly newcomerP99Ms: number;
  /** In all. */
  readonly others: number;
}

export interface OverloadOptions {
  readonly callers: number;
  readonly paths: readonly string[];
  readonly token: string;
  readonly capacity: number;
  readonly times: number;
  readonly seconds: number;
}

const ADDRESSES = 32;
/** Answers of the first second are not counted: the pace is not known yet. */
const UNCOUNTED_MS = 1_000;
/** How often somebody who has no connection looks how the service is. */
const NEWCOMER_INTERVAL_MS = 50;

/**
 * Asks `times` as much as can be done, at even times and from many addresses behind one proxy. Each
 * caller has a connection and waits for its answer: what is due while all of them wait is not
 * asked.
 */
export async function overload(url: string, options: OverloadOptions): Promise<Overload> {
  const { callers, paths, token, capacity, times, seconds } = options;
  const pool = new Pool(url, { connections: callers, pipelining: 1 });
  const requests = Array.from({ length: ADDRESSES }, (_, n) => ({
    path: paths[n % paths.length]!,
    method: 'GET' as const,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${n}` },
  }));
  const tookMs = { accepted: [] as number[], refused: [] as number[] };
  let [due, requested, answered, others] = [0, 0, 0, 0];
  await Promise.all(
    Array.from({ length: callers }, () =>
      pool.request({ path: '/healthz', method: 'GET' }).then(({ body }) => body.dump()),
    ),
  );
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const ask = (dueMs: number) => {
    const count = (status: number) => {
      answered++;
      if (status !== 200 && status !== 500) others++;
      else if (dueMs >= UNCOUNTED_MS) tookMs[status === 200 ? 'accepted' : 'refused'].push(elapsedMs() - dueMs);
    };
    pool.dispatch(requests[requested++ % ADDRESSES]!, countsStatus(count));
  };
  const endMs = UNCOUNTED_MS + seconds * 1e3;
  const newcomers = comeAnew(`${url}/healthz`, endMs);
  for (let nowMs = 0; nowMs < endMs || answered < requested; nowMs = elapsedMs()) {
    for (; due < (Math.min(nowMs, endMs) * times * capacity) / 1e3; due++)
      if (requested - answered < callers) ask(nowMs);
    await sleep(1);
  }
  const cameMs = await newcomers;
  await pool.destroy();
  const accepted = Float64Array.from(tookMs.accepted).sort();
  const refused = Float64Array.from(tookMs.refused).sort();
  return {
    callers,
    capacity,
    requested: (accepted.length + refused.length) / seconds,
    accepted: accepted.length / seconds,
    acceptedP50Ms: percentile(accepted, 0.5),
    acceptedP99Ms: percentile(accepted, 0.99),
    refusedP50Ms: percentile(refused, 0.5),
    refusedP99Ms: percentile(refused, 0.99),
    newcomerP50Ms: percentile(cameMs, 0.5),
    newcomerP99Ms: percentile(cameMs, 0.99),
    others,
  };
}

/**
 * Looks how the service is, now and then and over a connection of its own each time; returns how
 * long that took, sorted.
 */
async function comeAnew(url: string, ms: number): Promise<Float64Array> {
  const untilMs = performance.now() + ms;
  const came: Promise<number>[] = [];
  for (let startedMs = performance.now(); startedMs < untilMs; startedMs = performance.now()) {
    const dueMs = startedMs;
    came.push(send(url, { agent: false }).then(() => performance.now() - dueMs));
    await sleep(NEWCOMER_INTERVAL_MS);
  }
  return Float64Array.from(await Promise.all(came)).sort();
}

/** Tells the status of an answer once it is read; 0 if none came. */
function countsStatus(count: (status: number) => void): Dispatcher.DispatchHandler {
  let status = 0;
  return {
    onRequestStart() {},
    onResponseStart(_controller, statusCode) {
      status = statusCode;
    },
    onResponseData() {},
    onResponseEnd: () => count(status),
    onResponseError: () => count(0),
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

/**
 * Opens as many sockets from one address as the machine lets us, and asks from another meanwhile,
 * each time anew.
 */
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

/**
 * Sends codes that do not exist, all at once over a hundred connections; returns how many were
 * looked up.
 */
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
