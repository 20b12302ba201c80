import type { AddressInfo } from 'node:net';
import { BOOK_BUDGET, CATALOG_BUDGET, createHttpJson } from '#adapters/http-json';
import { createClobBooks } from '#adapters/polymarket-clob';
import { createGammaCatalog } from '#adapters/polymarket-gamma';
import { connectMarketChannel } from '#adapters/polymarket-market-channel';
import { systemClock, systemStopwatch } from '#adapters/system-clock';
import { systemRandom } from '#adapters/system-random';
import { OPERATIONS } from '#api/operations';
import { createHttpServer } from '#http/server';
import { startAnswerSweeper } from '#services/answer-sweeper';
import { Books } from '#services/books';
import type { Credits } from '#services/credits';
import { createGate } from '#services/gate';
import { gateTool } from '#services/gate-tool';
import { Latency } from '#services/latency';
import { createMarkets } from '#services/markets';
import { Status } from '#services/status';
import { Verdicts } from '#services/verdicts';
import { openCredits } from './compose-store.js';
import type { Config } from './config.js';
import type { Logger } from './log.js';

/** The whole service, wired and not yet listening. */
export interface Service {
  /** The one door to credits in this process: the store is opened once. */
  readonly credits: Credits;
  /** Rejects where the address is taken or not allowed. */
  start(): Promise<AddressInfo>;
  /** Stops listening, finishes requests in flight, closes sockets, flushes the store. */
  stop(): Promise<void>;
}

/** Wires the service by hand, top to bottom: reading this is reading the architecture. */
export function compose(config: Config, log: Logger): Service {
  const clock = systemClock;
  const random = systemRandom;

  // The outside.
  const http = { clock, baseUrl: config.venue.clobUrl };
  const gamma = createHttpJson({ ...http, upstream: 'gamma', baseUrl: config.venue.gammaUrl, budget: CATALOG_BUDGET });
  const clobMarkets = createHttpJson({ ...http, upstream: 'clob-markets', budget: CATALOG_BUDGET });
  const clobBooks = createClobBooks({ clob: createHttpJson({ ...http, upstream: 'clob-books', budget: BOOK_BUDGET }) });
  const { store, credits } = openCredits(config.dataDir);

  // Markets, books, verdicts.
  const markets = createMarkets({ catalog: createGammaCatalog({ gamma, clob: clobMarkets }), clock });
  const books = new Books({
    connect: connectMarketChannel(config.venue.wsUrl),
    source: clobBooks,
    clock,
    random,
    log,
    onResolved: (conditionId) => markets.markResolved(conditionId),
  });
  const verdicts = new Verdicts({ markets, books });
  const latency = new Latency(systemStopwatch);

  // The doors.
  const gate = createGate({
    tools: {
      preflight_trade: gateTool({
        ...OPERATIONS.preflight_trade,
        run: latency.timed((order) => verdicts.judge(order)),
      }),
    },
    credits,
    log,
  });
  const status = new Status({ clock, upstreams: [gamma, clobMarkets, clobBooks], books, latency });
  const terms = { baseUrl: config.baseUrl, payeeAddress: config.payeeAddress, usdcAddress: config.usdcAddress };
  const server = createHttpServer({
    gate,
    credits,
    terms,
    status: () => status.report(),
    ready: () => true,
    log,
    clock,
    random,
  });
  const stopSweeper = startAnswerSweeper({ store, clock }, (err) => log.error({ err }, 'expired answers not removed'));

  return {
    credits,
    start: () => server.listen(config.port, config.host),
    async stop() {
      await server.stop();
      books.stop();
      stopSweeper();
      await store.close();
    },
  };
}
