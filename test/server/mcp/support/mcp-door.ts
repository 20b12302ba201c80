import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { OPERATIONS, type PaidProduct, type PaymentTerms, paymentOffer, type ServedTool } from '#api/operations';
import { parseWallet } from '#domain/ids';
import type { DoorRequest } from '#doors/request';
import type { Route } from '#doors/route';
import { createSend, type EndBody, endWhole } from '#http/answers/answer';
import { createLifecycle } from '#http/lifecycle';
import { BOOK_BODY_BYTES_MAX } from '#http/limits/limits';
import { jsonBodyReader } from '#http/requests/body';
import { createFastExpress } from '#http/requests/fast-express';
import { answerRawErrors } from '#http/requests/raw-errors';
import { createRequestIds } from '#http/requests/request-head';
import { evaluateRoute } from '#http/routes/evaluate.route';
import { mountRoutes } from '#http/routes/routes';
import { toolRoutes } from '#http/routes/tool.route';
import { mcpRoute } from '#mcp/mcp.route';
import type { Store } from '#ports/store';
import { createLogger } from '#server/log';
import { type Credits, createCredits } from '#services/credits/credits';
import { createGate } from '#services/gate/gate';
import { createPaymentLane, type LanePayments } from '#services/gate/payment-lane';
import { createSandbox } from '#services/gate/sandbox';
import { gateTool } from '#services/gate/tool';
import { UnpaidWork } from '#services/gate/unpaid-work';
import { newEvaluations } from '#test/support/new-evaluations';
import { CREDIT_SECRETS, paymentSecrets } from '#test/support/store-secrets';
import { tempFolder } from '#test/support/temp-folder';

export const TERMS: PaymentTerms = {
  baseUrl: 'https://preflight.example',
  payeeAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  usdcAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};

const WALLET = parseWallet(`0x${'ab'.repeat(20)}`)!;

/** A call that reached a tool. */
interface Ran {
  readonly tool: string;
  readonly args: unknown;
  readonly caller: string;
}

export interface McpDoor {
  readonly url: string;
  /** A bearer token of WALLET. */
  readonly token: string;
  readonly credits: Credits;
  /** Every call that reached a tool. */
  readonly ran: readonly Ran[];
  readonly logLines: readonly string[];
  /** Bodies of answers that went out as paid for on the chain. */
  readonly paidBodies: readonly string[];
  balance(): Promise<number>;
  stop(): Promise<void>;
}

export interface McpDoorOptions {
  readonly credits?: number;
  readonly terms?: PaymentTerms;
  /** What a tool does; unless told otherwise it answers its example as if it were live. */
  readonly run?: (tool: ServedTool, args: unknown) => Promise<object> | undefined;
  /**
   * How a payment ends; unless told otherwise it is refused. The engine is made over the door's own
   * store.
   */
  readonly payments?: LanePayments | ((store: Store) => LanePayments);
}

const REFUSING: LanePayments = {
  pay: async () => ({ kind: 'refused', reason: 'insufficient_funds' }),
  hasBegun: async () => false,
};

/** What a live tool would answer: its example without the words that make it one. */
export function liveAnswer(tool: ServedTool): Record<string, unknown> {
  const { sandbox: _, ...answer } = JSON.parse(OPERATIONS[tool].exampleBody);
  return answer;
}

/**
 * Opens POST /mcp and the REST routes of the tools on loopback: the parts of the real server, gate,
 * credits and store; only what the tools answer is constant.
 */
export async function openMcpDoor(options: McpDoorOptions = {}): Promise<McpDoor> {
  const { credits: granted = 500, terms = TERMS, run, payments = REFUSING } = options;
  const dataDir = tempFolder('mcp');
  const store = openLmdbStore({ path: lmdbPath(dataDir) });
  const secrets = paymentSecrets();
  const { purchaseSecrets } = secrets;
  const credits = createCredits({ store, ...CREDIT_SECRETS, clock: systemClock, random: systemRandom });
  const logLines: string[] = [];
  const log = createLogger('debug', { write: (line) => void logLines.push(line) });
  const ran: Ran[] = [];
  const tool = (name: ServedTool) =>
    gateTool<unknown>({
      ...OPERATIONS[name],
      run: async (args, caller) => {
        ran.push({ tool: name, args, caller });
        return (await run?.(name, args)) ?? liveAnswer(name);
      },
    });
  const gate = createGate<ServedTool>({
    tools: {
      preflight_trade: tool('preflight_trade'),
      leaderboard: tool('leaderboard'),
      red_list: tool('red_list'),
      preflight_copy: tool('preflight_copy'),
    },
    credits,
    payments: createPaymentLane({
      payments: typeof payments === 'function' ? payments(store) : payments,
      demandFor: (product) => demandOf(product as PaidProduct, terms),
      ...secrets,
      clock: systemClock,
    }),
    unpaid: new UnpaidWork(systemClock),
    sandbox: createSandbox(systemClock),
    log,
  });
  const usdc = parseWallet(terms.usdcAddress)!;
  const evaluations = newEvaluations();
  const routes = [
    mcpRoute({
      gate,
      credits,
      evaluations,
      terms,
      usdc,
      purchaseSecrets,
      log,
      clock: systemClock,
      readBody: jsonBodyReader(BOOK_BODY_BYTES_MAX),
    }),
    evaluateRoute({ evaluations }),
    ...toolRoutes({ gate, terms, usdc, purchaseSecrets, clock: systemClock }),
  ];
  const paidBodies: string[] = [];
  const http = serve(routes, log, (res, body) => {
    paidBodies.push(String(body));
    endWhole(res, body);
  });
  const { port } = await http.listen(0, '127.0.0.1');
  const { token } = await credits.grant(WALLET, granted, 30, 'test');
  return {
    url: `http://127.0.0.1:${port}`,
    token: token!,
    credits,
    ran,
    logLines,
    paidBodies,
    balance: async () => (await credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null })).balance,
    async stop() {
      await http.stop();
      await store.close();
    },
  };
}

/** What a payment for a thing has to be. */
function demandOf(product: PaidProduct, terms: PaymentTerms) {
  const offer = paymentOffer(product, terms);
  return { ...offer, asset: parseWallet(offer.asset)!, payTo: parseWallet(offer.payTo)! };
}

/** Puts routes behind the parts of the HTTP door that every request passes. */
function serve(routes: readonly Route[], log: ReturnType<typeof createLogger>, endPaid: EndBody) {
  const newRequestId = createRequestIds(systemRandom);
  const { app, server } = createFastExpress({}, (express) => (raw: IncomingMessage, res) => {
    const req = raw as DoorRequest;
    req.requestId = newRequestId();
    req.startedAtMs = systemClock.elapsedMs();
    express(req, res);
  });
  const { draining, listen, stop } = createLifecycle(server, systemTimers);
  const { answeredEarly } = answerRawErrors(server, {
    newRequestId,
    log: (facts, text) => log.debug(facts, text),
    timers: systemTimers,
  });
  const send = createSend({
    log,
    clock: systemClock,
    timers: systemTimers,
    draining,
    answeredEarly,
    metrics: null,
    endPaid,
  });
  mountRoutes(app, { routes }, send, log);
  return { listen: listen as (port: number, host: string) => Promise<AddressInfo>, stop };
}
