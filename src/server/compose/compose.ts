import type { AddressInfo } from 'node:net';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { freeBytes } from '#adapters/process/disk-space';
import { systemClock, systemStopwatch } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { type PaidThing, paymentOffer } from '#api/operations';
import { companions } from '#companions/companion-files';
import { docsSections } from '#companions/docs/docs-sections';
import { toChecksum } from '#config/checksum';
import type { Config } from '#config/config';
import { endWhole } from '#http/answers/answer';
import { readJsonBody } from '#http/requests/body';
import { createHttpServer } from '#http/server';
import { mcpRoute } from '#mcp/mcp.route';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import { Books } from '#services/books/books';
import type { Credits } from '#services/credits/credits';
import { startRefunds } from '#services/credits/refunds';
import { Demo } from '#services/demo/demo';
import { DemoSet } from '#services/demo/demo-set';
import { createGate } from '#services/gate/gate';
import { measuredTools } from '#services/gate/measured-tools';
import { createPaymentLane } from '#services/gate/payment-lane';
import { createSandbox } from '#services/gate/sandbox';
import { createTools } from '#services/gate/tools';
import { createEvidence } from '#services/orders/evidence';
import { createMarkets } from '#services/orders/markets';
import { Verdicts } from '#services/orders/verdicts';
import { Lease } from '#services/payments/lease';
import { measuredFacilitator } from '#services/payments/measured-facilitator';
import { createPackTokens } from '#services/payments/pack-token';
import { Payments } from '#services/payments/payments';
import { createPurchaseSecrets } from '#services/payments/purchase-secret';
import { watchStatus } from '#services/status/history';
import { Latency } from '#services/status/latency';
import { Status } from '#services/status/status';
import { watchStore } from '#services/status/store-watch';
import { watchUpstreams } from '#services/status/upstream-watch';
import { laterOf } from '#services/steady-clock';
import { expiredAnswers, oldRepeats, startTrimmer } from '#services/trimmer';
import { provenHash } from '#wire/polymarket/check-hash';
import { crashing, type PaidPath } from './crashing.js';
import { openStore, withinTime } from './credits.js';
import { openEvidence, readEngine } from './evidence.js';
import { observe } from './observe.js';
import { openOutside } from './outside.js';
import { openPages } from './pages.js';
import { startFacts } from './start-facts.js';
import { stopServing } from './stop-serving.js';
import { composeWallets } from './wallets.js';

/** The whole service, wired and not yet listening. */
export interface Service {
  /** The one door to credits in this process: the store is opened once. */
  readonly credits: Credits;
  /** Rejects if the address is taken or not allowed. */
  start(): Promise<AddressInfo>;
  /** Stops listening, finishes requests in flight, closes sockets, flushes the store. */
  stop(): Promise<void>;
}

/**
 * Wires the service by hand, top to bottom: reading this is reading the architecture. Throws where
 * what is kept in the data directory cannot be opened. Trades are recorded and rated once `history`
 * has settled: somebody else is filling the tape. `note` is a sentence for all who read the payment
 * terms.
 */
export async function compose(
  config: Config,
  log: Log,
  crash: CrashPoints | null = null,
  history: Promise<void> = Promise.resolve(),
  note?: string,
): Promise<Service> {
  const clock = systemClock;
  const random = systemRandom;

  // The outside.
  const { gamma, clobMarkets, clobBooks, catalog, facilitators, chain } = openOutside(config, { clock, random });
  const observation = observe(config, {
    clock,
    facilitators,
    status: () => status.report(),
    streams: () => server.streams(),
  });
  const meter = observation?.metrics ?? null;
  const operators = await openStore(config);
  const { store, key, credits } = withinTime(operators);

  // Markets, books, verdicts.
  const markets = createMarkets({ catalog, clock });
  const books = new Books({
    connect: connectMarketChannel(config.venue.wsUrl),
    source: clobBooks,
    clock,
    random,
    log,
    onResolved: (conditionId) => markets.markResolved(conditionId),
  });
  const evidenceKeys = openEvidence(config.keysDir);
  const evidenceOf = createEvidence({ issuer: config.baseUrl, engine: readEngine(), keys: evidenceKeys, provenHash });
  const verdicts = new Verdicts({ markets, books, clock, evidenceOf });
  const latency = new Latency(systemStopwatch);
  const demo = new Demo({
    set: new DemoSet({ slugs: config.demoMarkets, markets, stopwatch: clock, log }),
    books,
    clock,
    log,
  });

  // Wallets.
  const home = await composeWallets(config, { clock, random, log, history });

  // Payments.
  const { payee, usdc } = config;
  const signatures = createSignatureCheck(usdc);
  const packTokens = createPackTokens(key);
  const purchaseSecrets = createPurchaseSecrets(key, { clock, random });
  const asked =
    meter === null ? facilitators : facilitators.map((facilitator) => measuredFacilitator(facilitator, meter, clock));
  const outside: PaidPath = { store, facilitators: asked, chain, endPaid: endWhole };
  const { endPaid, ...paidPath } = crash === null ? outside : crashing(outside, crash);
  const lease = new Lease({
    leases: store.leases,
    othersMax: operators.othersMax,
    stopwatch: clock,
    timers: systemTimers,
    random,
    log,
  });
  const payments = new Payments({
    ...paidPath,
    lease,
    signatures,
    packTokens,
    explorerUrl: config.explorerUrl,
    purchaseSecrets,
    clock,
    timers: systemTimers,
    random,
    log,
    meter,
  });
  const terms = { baseUrl: config.baseUrl, payeeAddress: toChecksum(payee), usdcAddress: toChecksum(usdc), note };
  const described = { ...terms, supportEmail: config.supportEmail, evidenceKeys };
  const demandFor = (thing: string) => ({ ...paymentOffer(thing as PaidThing, terms), asset: usdc, payTo: payee });

  // The doors.
  const ages = laterOf(clock, operators.clock);
  const tools = createTools({
    judge: latency.timed((order) => verdicts.judge(order)),
    isBookAtHand: (order) => verdicts.isAtHand(order),
    ...home,
  });
  const gate = createGate({
    tools: meter === null ? tools : measuredTools(tools, meter, clock),
    credits,
    payments: createPaymentLane({ payments, demandFor, packTokens, purchaseSecrets, clock: operators.clock }),
    sandbox: createSandbox(clock),
    log,
    meter,
  });
  const upstreams = [gamma, clobMarkets, clobBooks, ...home.upstreams, ...facilitators, chain];
  let stopWatching = () => {};
  const storeHealth = watchStore({ store, clock, timers: systemTimers });
  const status = new Status({
    clock,
    storeHealth,
    freeBytes: () => freeBytes(config.dataDir),
    ...home,
    upstreams,
    books,
    latency,
    payments,
    lease,
    replicaId: config.replicaId,
    storeLoad: () => store.load(),
    trimmed: () => ({ paymentAnswers: repeats.removed(), verdicts: home.verdictsTrimmed() }),
  });
  const statusWatch = watchStatus({
    report: () => status.report(),
    timers: systemTimers,
    onError: (err) => log.error({ err }, 'the status could not be kept for its history'),
  });
  const server = createHttpServer({
    gate,
    credits,
    terms,
    usdc,
    purchaseSecrets,
    routes: [mcpRoute({ gate, credits, terms, usdc, purchaseSecrets, log, clock: ages, readBody: readJsonBody })],
    pages: await openPages({ ...described, docs: (sdk) => docsSections(described, sdk) }),
    companions: companions(described),
    demo,
    status: () => status.report(),
    statusHistory: () => statusWatch.text(),
    ready: () => true,
    storeOk: async () => (await storeHealth()).ok === true,
    log,
    clock: ages,
    timers: systemTimers,
    random,
    trustedProxies: config.trustedProxies,
    limits: home.limits,
    endPaid,
    metrics: meter,
  });
  const trimming = { clock: operators.clock, timers: systemTimers, isOurTurn: home.isOurTurn };
  const answers = startTrimmer(expiredAnswers(store), {
    ...trimming,
    onError: (err) => log.error({ err }, 'expired answers not removed'),
  });
  const repeats = startTrimmer(oldRepeats(store), {
    ...trimming,
    onError: (err) => log.error({ err }, 'old answers of payments not removed'),
  });
  const stopRefunds = startRefunds({ credits, timers: systemTimers }, (err) =>
    log.error({ err }, 'debits without an answer not given back; tried again'),
  );

  return {
    credits: operators.credits,
    async start() {
      stopWatching = watchUpstreams({ upstreams, clock, timers: systemTimers });
      await lease.start();
      await payments.start();
      await home.start();
      statusWatch.start();
      await observation?.start();
      const address = await server.listen(config.port, config.host);
      log.info(startFacts(config, lease), 'service started');
      return address;
    },
    async stop() {
      stopWatching();
      statusWatch.stop();
      await stopServing({ server, payments, timers: systemTimers });
      await observation?.stop();
      books.stop();
      try {
        await home.stop();
      } finally {
        // Money is closed in order, whatever becomes of the tape.
        answers.stop();
        repeats.stop();
        await stopRefunds();
        await lease.end();
        await store.close();
      }
    },
  };
}
