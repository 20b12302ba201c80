import autocannon from 'autocannon';
import type { ServiceFacts } from './http-server.js';
import type { Child } from './support/children.js';
import { percentile } from './support/rounds.js';

/**
 * What one run of load saw. CPU is the server's, divided by the answers; the percentiles leave out
 * the first answer of each connection.
 */
export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all threads. */
  readonly cpuMicros: number;
  /** NaN where the system does not tell. */
  readonly mainThreadMicros: number;
}

export interface LoadOptions {
  readonly paths: readonly string[];
  readonly token: string;
  readonly connections: number;
  /**
   * So many requests are sent and all of them are awaited, so that answers can be counted against
   * debits.
   */
  readonly requests: number;
}

/** Every so many answers one body is looked at. */
const SAMPLE_EVERY = 500;
/** Each connection goes round so many paths at least, if there are as many. */
const PATHS_OF_CONNECTION_MIN = 32;

/**
 * Sends requests over kept-alive connections, each waiting for its answer. Throws where one is not
 * a 200.
 */
export async function load(
  server: Child<ServiceFacts>,
  { paths, token, connections, requests }: LoadOptions,
  check: (body: string) => void,
): Promise<Load> {
  const tookMs: number[] = [];
  let [answers, endedMs] = [0, 0];
  let [seen, clients] = [0, 0];
  const sample = (_status: number, body: string) => {
    if (seen++ % SAMPLE_EVERY === 0) check(body);
  };
  const spent = async () => [await server.ask('cpu'), (await server.ask('mainCpu')) ?? Number.NaN] as [number, number];
  const before = await spent();
  const startedMs = performance.now();
  const options = {
    url: server.ready.url,
    headers: { authorization: `Bearer ${token}` },
    connections,
    amount: requests,
    sampleInt: 100,
    setupClient: (client: autocannon.Client) => {
      const requests = shareOf(paths, clients++, connections).map((path) => ({ path, onResponse: sample }));
      client.setRequests(requests as autocannon.Request[]);
    },
  };
  const { errors, non2xx } = await fire(options, (responseMs, isFirst) => {
    answers++;
    endedMs = performance.now();
    // The first answer of a connection waits for this process, which still makes the others.
    if (!isFirst) tookMs.push(responseMs);
  });
  const [cpuMicros, mainMicros] = (await spent()).map((micros, at) => (micros - before[at]!) / requests);
  if (errors + non2xx > 0 || answers !== requests) {
    throw new Error(`${answers} answers to ${requests} requests, ${non2xx} not 2xx, ${errors} errors`);
  }
  const sorted = Float64Array.from(tookMs).sort();
  return {
    answers: requests,
    perSecond: (requests / (endedMs - startedMs)) * 1e3,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMicros: cpuMicros!,
    mainThreadMicros: mainMicros!,
  };
}

/**
 * Returns the paths of one connection; those of all connections are all. Each writes its requests
 * before it sends the first, and with all paths at every connection the others' first answers wait
 * for that: a hundred milliseconds at 500 paths.
 */
function shareOf(paths: readonly string[], connection: number, connections: number): readonly string[] {
  const count = Math.min(paths.length, Math.max(PATHS_OF_CONNECTION_MIN, Math.ceil(paths.length / connections)));
  return Array.from({ length: count }, (_, i) => paths[(connection * count + i) % paths.length]!);
}

/**
 * Runs autocannon in this process; it tells of each answer as it comes, and its own figures are
 * whole milliseconds.
 */
function fire(
  options: autocannon.Options,
  onAnswer: (responseMs: number, isFirst: boolean) => void,
): Promise<autocannon.Result> {
  const answered = new Set<autocannon.Client>();
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on('response', (client, _status, _bytes, responseMs) => {
      onAnswer(responseMs, !answered.has(client));
      answered.add(client);
    });
  });
}
