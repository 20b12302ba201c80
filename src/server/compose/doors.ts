import type { AddressInfo } from 'node:net';
import { type PaidProduct, paymentOffer } from '#api/operations';
import { toChecksum } from '#config/checksum';
import type { Config } from '#config/config';
import { discovery } from '#discovery/discovery-files';
import { docsPages } from '#discovery/docs/docs-pages';
import { BOOK_BODY_BYTES_MAX, EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX, STOP_WAIT_MS } from '#http/limits/limits';
import { createRateLimiter } from '#http/limits/rate-limit';
import type { EventMetrics } from '#http/observe/event-metrics';
import { jsonBodyReader } from '#http/requests/body';
import { clientPackageRoute } from '#http/routes/client-package.route';
import { evaluateRoute } from '#http/routes/evaluate.route';
import { securityTxtRoute } from '#http/routes/security-txt.route';
import { createHttpServer, type HttpServer } from '#http/server';
import { mcpRoute } from '#mcp/mcp.route';
import { createGate } from '#services/gate/gate';
import { measuredTools } from '#services/gate/measured-tools';
import { createPaymentLane } from '#services/gate/payment-lane';
import { createSandbox } from '#services/gate/sandbox';
import { createTools } from '#services/gate/tools';
import { UnpaidWork } from '#services/gate/unpaid-work';
import { createEvaluations } from '#services/orders/evaluations';
import type { Payments } from '#services/payments/payments';
import type { Timers } from '#system/timers';
import { openClientPackage } from './client-package.js';
import type { Orders } from './orders.js';
import { openPages } from './pages.js';
import type { Running } from './parts.js';
import type { Money } from './payments.js';
import type { StatusModule } from './status.js';
import type { System } from './system.js';
import type { WalletModule } from './wallets.js';

/** HTTP and MCP, which everything comes in by. */
export interface Doors extends Running {
  /** Where they listen. */
  readonly address: () => AddressInfo;
  readonly streams: HttpServer['streams'];
  readonly drain: HttpServer['drain'];
}

interface DoorDeps {
  readonly orders: Orders;
  readonly wallets: WalletModule;
  readonly money: Money;
  readonly status: StatusModule;
  /** null: nobody counts. */
  readonly meter: EventMetrics | null;
  /** A sentence for all who read the payment terms. */
  readonly note: string | undefined;
}

/** Wires what is sold, and the doors that it is sold at. */
export async function composeDoors(config: Config, deps: DoorDeps, system: System): Promise<Doors> {
  const { orders, wallets, money, status, meter } = deps;
  const { log, timers } = system;
  const { usdc, supportEmail } = config;
  const terms = termsOf(config, deps.note);
  const clientPackage = openClientPackage();
  const clientIntegrity = clientPackage?.integrity ?? null;
  const described = { ...terms, supportEmail, evidenceKeys: orders.evidenceKeys, clientIntegrity };
  const limiter = createRateLimiter(EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX, system.clock);
  const shared = {
    evaluations: createEvaluations({ clock: system.clock, limiter }),
    gate: gateOf(config, deps, terms, system),
    credits: money.credits,
    terms,
    usdc,
    purchaseSecrets: money.purchaseSecrets,
    log,
    clock: money.clock,
  };
  const server = createHttpServer({
    ...system,
    ...shared,
    routes: [
      mcpRoute({ ...shared, readBody: jsonBodyReader(BOOK_BODY_BYTES_MAX) }),
      securityTxtRoute({ baseUrl: terms.baseUrl, supportEmail, clock: money.clock }),
      evaluateRoute(shared),
      ...(clientPackage === null ? [] : [clientPackageRoute(clientPackage)]),
    ],
    pages: await openPages({ ...described, docs: (sdk) => docsPages(described, sdk) }),
    discovery: discovery(described),
    demo: orders.demo,
    status: status.report,
    statusHistory: status.historyText,
    scoreboard: orders.scoreboard.view,
    ready: () => true,
    storeHealth: status.storeHealth,
    trustedProxies: config.trustedProxies,
    limits: wallets.limits,
    endPaid: money.endPaid,
    metrics: meter,
  });
  return {
    address: () => server.server.address() as AddressInfo,
    streams: server.streams,
    start: async () => void (await server.listen(config.port, config.host)),
    drain: server.drain,
    stop: () => stopServing({ server, payments: money.payments, timers }),
  };
}

function termsOf({ baseUrl, payee, usdc }: Config, note: string | undefined) {
  return { baseUrl, payeeAddress: toChecksum(payee), usdcAddress: toChecksum(usdc), note };
}

/** The four tools, and the lanes that they are paid for in. */
function gateOf({ payee, usdc }: Config, deps: DoorDeps, terms: ReturnType<typeof termsOf>, { clock, log }: System) {
  const { orders, wallets, money, meter } = deps;
  const { verdicts, markets, latency } = orders;
  const tools = createTools({
    ...wallets,
    judge: latency.timed((order) => verdicts.judge(order)),
    isBookCached: (order) => verdicts.isCached(order),
    orderFault: (order) => markets.heldFault(order),
  });
  const demandFor = (product: string) => ({
    ...paymentOffer(product as PaidProduct, terms),
    asset: usdc,
    payTo: payee,
  });
  return createGate({
    tools: meter === null ? tools : measuredTools(tools, meter, clock),
    credits: money.credits,
    payments: createPaymentLane({ ...money, clock: money.clock.lapses, demandFor }),
    unpaid: new UnpaidWork(clock),
    sandbox: createSandbox(clock),
    log,
    meter,
  });
}

/** How long requests have to be answered before their connections are cut. */
const ANSWER_MS = 1_000;

interface Serving {
  readonly server: Pick<HttpServer, 'stop'>;
  readonly payments: Pick<Payments, 'stop'>;
  readonly timers: Timers;
}

/**
 * Takes no more requests, and resolves when those under way are answered. A payment may take longer
 * than that is waited for: its client is then told that the outcome is not known, which is more
 * than a connection that is cut, and whoever takes the payment over finds it out.
 */
export async function stopServing({ server, payments, timers }: Serving): Promise<void> {
  const cancel = timers.after(STOP_WAIT_MS - ANSWER_MS, () => payments.stop());
  await server.stop();
  cancel();
  payments.stop();
}
