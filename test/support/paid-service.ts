import type { Address } from 'viem';
import { systemClock } from '#adapters/process/system-clock';
import { compose } from '#compose/compose';
import { type Config, readLocalConfig } from '#config/config';
import { toWallet } from '#domain/ids';
import type { LocalChain } from '#local/chain/local-chain';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import { freeLowPort } from '#local/free-low-port';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { createLogger } from '#server/log';
import { Verdicts } from '#services/orders/verdicts';
import { WalletLists } from '#services/wallets/lists';
import { Wallets } from '#services/wallets/wallets';
import { newChainDir, PAYEE, startChain } from '#test/local/support/chain-harness';
import { sendJson, startLoopbackServer } from './loopback-server.js';
import type { Shop } from './paid-calls.js';
import { publishSampleBoard } from './rated-data-dir.js';

/** What happens before the facilitator is asked. */
type Before = () => Promise<unknown>;

/** The whole service in this process, with its venue, chain and facilitator in reach. */
export interface PaidService extends Shop {
  readonly port: number;
  readonly payee: Address;
  readonly chain: LocalChain;
  readonly venue: LocalVenue;
  /** Its `faults` and `calls`. */
  readonly facilitator: LocalFacilitator;
  /**
   * Does something each time before /verify or /settle goes on to the facilitator, until it is told
   * otherwise.
   */
  before(operation: 'verify' | 'settle', act: Before | null): void;
  /**
   * Answers in the facilitator's place, until it is told otherwise; null: this call goes on to it.
   */
  instead(operation: 'verify' | 'settle', answer: ((body: string) => object | null) | null): void;
  /** Where its credits and payments lie. */
  readonly dataDir: string;
  /** How often a handler of the four tools ran. */
  runs(): number;
  /** Where operators read its metrics. */
  readonly metricsUrl: string;
  /** Lines of its log so far. */
  readonly logLines: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** Where a service finds what it stands on. */
export type Upstreams = Pick<Config, 'facilitatorUrls' | 'baseRpcUrls' | 'venue'>;

/**
 * Starts it. Where no anvil runs it throws: ask `needAnvil` first. `around` may put something
 * between the service and its upstreams.
 */
export async function startPaidService(
  around: (upstreams: Upstreams) => Promise<Upstreams> = async (upstreams) => upstreams,
): Promise<PaidService> {
  const dataDir = newChainDir();
  const chain = await startChain({ dataDir });
  const facilitator = await startLocalFacilitator({ chain });
  const door = await openFacilitatorDoor(facilitator.url, () => chain.mine(1));
  const venue = await startLocalVenue({ clock: systemClock });
  const port = await freeLowPort();
  await publishSampleBoard(dataDir);
  const metricsPort = await freeLowPort();
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const config = readLocalConfig({ ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'info', WALLET_JOBS: 'off' });
  const logLines: Record<string, unknown>[] = [];
  const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = venue;
  const service = await compose(
    {
      ...config,
      payee: toWallet(PAYEE),
      ...(await around({
        venue: { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl },
        facilitatorUrls: [door.url],
        baseRpcUrls: [chain.rpcUrl],
      })),
    },
    createLogger(config.logLevel, { write: (line) => void logLines.push(JSON.parse(line)) }),
  );
  const runs = countRuns();
  await service.start();
  return {
    url: config.baseUrl,
    port,
    payee: PAYEE,
    exampleSlug: 'will-arcadia-call-a-snap-election-by-december-31',
    chain,
    venue,
    facilitator,
    before: door.before,
    instead: door.instead,
    dataDir,
    runs: runs.count,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    logLines,
    async stop() {
      await service.stop();
      await door.close();
      await facilitator.stop();
      await chain.stop();
      await venue.close();
      runs.end();
    },
  };
}

/**
 * Stands between the service and its facilitator, so that something can happen between two calls. A
 * block comes after each settlement: a credit pack waits for one on top of its own.
 */
async function openFacilitatorDoor(facilitatorUrl: string, mine: () => Promise<void>) {
  const acts = new Map<string, Before>();
  const lies = new Map<string, (body: string) => object | null>();
  const door = await startLoopbackServer();
  door.answer(async ({ method, url, body }, response) => {
    await acts.get(url)?.();
    const lie = lies.get(url)?.(body) ?? null;
    if (lie !== null) return sendJson(response, lie);
    const headers = { 'content-type': 'application/json' };
    const request = method === 'GET' ? { method } : { method, headers, body };
    const answer = await fetch(facilitatorUrl + url, request).catch(() => null);
    if (answer === null) return void response.destroy();
    if (url === '/settle') await mine();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    return void response.end(await answer.text());
  });
  return {
    url: door.baseUrl,
    before: (operation: 'verify' | 'settle', act: Before | null) => {
      if (act === null) acts.delete(`/${operation}`);
      else acts.set(`/${operation}`, act);
    },
    instead: (operation: 'verify' | 'settle', answer: ((body: string) => object | null) | null) => {
      if (answer === null) lies.delete(`/${operation}`);
      else lies.set(`/${operation}`, answer);
    },
    close: door.close,
  };
}

/** Counts the runs of the functions behind the four tools. */
function countRuns() {
  let runs = 0;
  const ends = [
    wrap(Verdicts.prototype, 'judge'),
    wrap(Wallets.prototype, 'ask'),
    wrap(WalletLists.prototype, 'leaderboard'),
    wrap(WalletLists.prototype, 'redList'),
  ];
  function wrap<Name extends string>(owner: Record<Name, (...args: never[]) => unknown>, name: Name): () => void {
    const original = owner[name];
    owner[name] = function (this: unknown, ...args: never[]) {
      runs++;
      return original.apply(this, args);
    };
    return () => {
      owner[name] = original;
    };
  }
  return { count: () => runs, end: () => ends.forEach((end) => void end()) };
}
