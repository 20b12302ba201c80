import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { type ParsedUrlQuery, type ParseOptions, parse } from 'node:querystring';
import type { Express } from 'express';
import type { PaymentTerms, ServedTool } from '#api/operations';
import type { StatusReport } from '#api/status';
import type { DiscoveryDocument } from '#discovery/discovery-files';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { rateKey } from '#domain/rate-key';
import { callerOf, type DoorRequest, isGone } from '#doors/request';
import type { Answer, Route } from '#doors/route';
import type { Log } from '#ports/log';
import type { SharedLimits } from '#ports/shared-limits';
import type { Credits } from '#services/credits/credits';
import type { Demo } from '#services/demo/demo';
import type { Gate } from '#services/gate/gate';
import type { PurchaseSecrets } from '#services/payments/purchase-secret';
import type { ScoreView } from '#services/scoreboard/score-view';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';
import { createSend, type EndBody, problemAnswer } from './answers/answer.js';
import { createLifecycle, type Lifecycle } from './lifecycle.js';
import { Admission, type Arrival, type Visit } from './limits/admission.js';
import { limitConnections } from './limits/connections.js';
import * as limits from './limits/limits.js';
import { continueWithin } from './limits/long-bodies.js';
import { createProxyWarning, trustProxies } from './limits/trusted-proxies.js';
import type { EventMetrics } from './observe/event-metrics.js';
import { sampledDebug } from './observe/sampled-log.js';
import { createFastExpress } from './requests/fast-express.js';
import { answerRawErrors } from './requests/raw-errors.js';
import { createRequestIds, headRefusal } from './requests/request-head.js';
import { creditsRoute } from './routes/credits.route.js';
import { demoRoutes } from './routes/demo.routes.js';
import { discoveryRoutes } from './routes/discovery.routes.js';
import { faviconRoute } from './routes/favicon.route.js';
import { type HealthRouteDeps, healthRoutes } from './routes/health.routes.js';
import { missingPage, type Pages, pageRoutes } from './routes/page.routes.js';
import { redeemRoute } from './routes/redeem.route.js';
import { mountRoutes } from './routes/routes.js';
import { scoreboardRoute } from './routes/scoreboard.route.js';
import { tokenRoute } from './routes/token.route.js';
import { toolRoutes } from './routes/tool.route.js';
import { EventStreams } from './streams/event-streams.js';
import { StreamSlots, type StreamsReport } from './streams/stream-slots.js';

export interface HttpServerDeps {
  readonly gate: Gate<ServedTool>;
  readonly credits: Pick<Credits, 'authenticate' | 'balanceOf' | 'redeem' | 'issueToWallet'>;
  readonly terms: PaymentTerms;
  /** What v1 payments are made in. */
  readonly usdc: WalletAddress;
  /** What each demand for payment carries for the client to send back. */
  readonly purchaseSecrets: Pick<PurchaseSecrets, 'issue'>;
  /** What is served beside the routes of this room. */
  readonly routes: readonly Route[];
  /** What is served to people. */
  readonly pages: Pages;
  /** The documents that describe the service. */
  readonly discovery: readonly DiscoveryDocument[];
  /** Markets that anybody may watch. */
  readonly demo: Pick<Demo, 'marketsText' | 'find'>;
  readonly status: () => Promise<StatusReport>;
  /** What the status was in the last 24 hours, as text. */
  readonly statusHistory: () => string;
  /** What became of verdicts. */
  readonly scoreboard: Pick<ScoreView, 'text' | 'textOf'>;
  readonly ready: () => boolean;
  /** Whether credits and payments can be read and written. */
  readonly storeHealth: HealthRouteDeps['storeHealth'];
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /**
   * Addresses and networks (CIDR) of the proxies whose word on where a request comes from is taken.
   */
  readonly trustedProxies: readonly string[];
  /** Limits that count across processes; null or absent: there is but this one. */
  readonly limits?: SharedLimits | null;
  /** How the body of a paid answer goes out; absent: as every other. */
  readonly endPaid?: EndBody;
  /** null: nobody counts. */
  readonly metrics: Pick<EventMetrics, 'answered'> | null;
}

export interface HttpServer extends Pick<Lifecycle, 'listen' | 'drain' | 'stop'> {
  readonly server: Server;
  /** Event streams of the demo lane. */
  readonly streams: () => StreamsReport;
}

const OPTIONS: ServerOptions = {
  maxHeaderSize: limits.HEADER_BYTES_MAX,
  headersTimeout: limits.HEADERS_WAIT_MS,
  requestTimeout: limits.REQUEST_WAIT_MS,
  connectionsCheckingInterval: limits.WAIT_CHECK_MS,
  keepAliveTimeout: limits.KEEP_ALIVE_MS,
  // Node would answer without a body.
  requireHostHeader: false,
};

const NO_EXPECTATION = problemAnswer(
  new Problem('malformed_request', 'the only expectation that is supported is 100-continue'),
);

const OVERLOADED: Answer = {
  ...problemAnswer(
    new Problem(
      'overloaded',
      `there is too much to do; nothing was run and nothing was charged: try again after ${limits.OVERLOAD_RETRY_AFTER_S} s, ` +
        'with the same payment or Idempotency-Key if there was one',
      { retryAfterS: limits.OVERLOAD_RETRY_AFTER_S },
    ),
  ),
  routine: true,
};

/** A request on its way from the head to its answer. */
interface Served extends Arrival {
  readonly req: ServedRequest;
  /** For one that was sent ahead: when its turn came. */
  atMs: number;
}

interface ServedRequest extends DoorRequest {
  /** Absent: it never was among those at work. */
  visit?: Visit<Served>;
}

/** Whether somebody looks how the service is: that is answered at any load. */
function isLook(url: string | undefined): boolean {
  return url === '/healthz' || url === '/status.json';
}

/**
 * Returns the HTTP door, not yet listening: Express with our routes, raw errors in JSON, a graceful
 * stop.
 */
export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { log, clock, timers } = deps;
  const newRequestId = createRequestIds(deps.random);
  const named = (raw: IncomingMessage) => {
    const req = raw as ServedRequest;
    req.requestId = newRequestId();
    req.startedAtMs = clock.elapsedMs();
    return req;
  };
  let leaveWork = (_req: ServedRequest) => {};
  let start = (_served: Served) => {};
  const begin = (app: Express) => {
    const run = ({ req, res }: Served) => {
      if (isGone(req)) return leaveWork(req);
      if (!req.complete) admission.waitsForClient(req.visit!);
      app(req, res);
    };
    const admission = new Admission<Served>({
      stopwatch: clock,
      timers,
      log,
      from: ({ req }) => ({ address: rateKey(callerOf(req)), token: req.headers.authorization ?? '' }),
      run,
      refuse: ({ req, res }) => send(req, res, OVERLOADED),
      giveUp: ({ req }) => {
        if (!req.complete) req.socket.destroy();
      },
    });
    leaveWork = ({ visit }) => {
      if (visit !== undefined) admission.end(visit);
    };
    start = (served) => {
      const { req, res } = served;
      const refused = headRefusal(req);
      if (refused !== null) return send(req, res, refused);
      lookForProxy(req);
      if (isLook(req.url)) return app(req, res);
      req.visit = admission.admit(served);
    };
    return (raw: IncomingMessage, res: ServerResponse) => {
      const req = named(raw);
      const served = { req, res, atMs: req.startedAtMs };
      const connection = connections.begin(req.socket, served);
      res.on('close', () => connections.end(connection, served));
    };
  };
  const { app, server } = createFastExpress(OPTIONS, begin);
  // Node would drop those after the 2,000th, an Idempotency-Key too; their bytes are bounded.
  server.maxHeadersCount = 0;
  const isProxy = trustProxies(app, deps.trustedProxies);
  const lookForProxy = createProxyWarning(log, isProxy);
  const connections = limitConnections<Served>(server, isProxy, {
    start: (served) => start(served),
    next(served) {
      served.atMs = clock.elapsedMs();
      start(served);
    },
    ended: ({ req }) => leaveWork(req),
  });
  const { leaving, draining, listen, drain, stop } = createLifecycle(server, timers);
  const streams = new EventStreams(timers, clock);
  const slots = new StreamSlots(clock);
  const { answeredEarly } = answerRawErrors(server, { newRequestId, log: sampledDebug(log, clock), timers });
  const send = createSend({ ...deps, draining, answeredEarly, leaveWork: (req) => leaveWork(req) });
  continueWithin(server, limits.BOOK_BODY_BYTES_MAX);
  server.on('checkExpectation', (req, res) => send(named(req), res, NO_EXPECTATION));
  configure(app);
  const demo = demoRoutes({ demo: deps.demo, streams, slots, draining: leaving });
  mountRoutes(app, { routes: [...routesOf(deps, leaving), ...demo], missing: missingPage(deps.pages) }, send, log);
  const stopAll = () => {
    const stopped = stop();
    // They would go on for minutes.
    streams.stop();
    return stopped;
  };
  return { server, listen, drain, stop: stopAll, streams: () => slots.report() };
}

function routesOf(deps: HttpServerDeps, leaving: () => boolean): readonly Route[] {
  const { credits, clock, discovery, pages, status, statusHistory, ready, storeHealth } = deps;
  return [
    ...toolRoutes(deps),
    creditsRoute(deps),
    tokenRoute(deps),
    redeemRoute(credits, clock, deps.limits ?? null),
    ...deps.routes,
    ...healthRoutes({ ready: () => ready() && !leaving(), storeHealth, status, statusHistory }),
    scoreboardRoute(deps.scoreboard),
    ...discoveryRoutes(discovery),
    faviconRoute,
    ...pageRoutes(pages, { status, statusHistory, scoreboard: deps.scoreboard, clock }),
  ];
}

/** One spelling per path, flat queries, and nothing on the hot route that nobody asked for. */
function configure(app: Express): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.enable('case sensitive routing');
  app.enable('strict routing');
}

/** Without Node's bound of 1,000 parts: a limit in a part that is dropped would be its default. */
const ALL_PARTS: ParseOptions = { maxKeys: 0 };

function parseQuery(text: string | null): ParsedUrlQuery {
  return parse(text ?? '', '&', '=', ALL_PARTS);
}
