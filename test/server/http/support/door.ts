import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { paymentOffer } from '#api/operations';
import type { OrderRequest } from '#api/order-request';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import type { StatusReport } from '#api/status';
import { discovery } from '#discovery/discovery-files';
import type { Bearer } from '#domain/credits/token';
import { parseWallet } from '#domain/ids';
import { BOOK_BODY_BYTES_MAX } from '#http/limits/limits';
import { jsonBodyReader } from '#http/requests/body';
import { evaluateRoute } from '#http/routes/evaluate.route';
import { createHttpServer, type HttpServer, type HttpServerDeps } from '#http/server';
import { mcpRoute } from '#mcp/mcp.route';
import type { Store } from '#ports/store';
import { createLogger } from '#server/log';
import { type Credits, createCredits } from '#services/credits/credits';
import { toDemoMarkets } from '#services/demo/demo-body';
import { createGate } from '#services/gate/gate';
import { createPaymentLane } from '#services/gate/payment-lane';
import { createSandbox } from '#services/gate/sandbox';
import { createTools, type ToolServices } from '#services/gate/tools';
import { UnpaidWork } from '#services/gate/unpaid-work';
import type { Evaluations } from '#services/orders/evaluations';
import { ONE_KEY } from '#test/support/discovery';
import { newEvaluations } from '#test/support/new-evaluations';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';
import { CREDIT_SECRETS, paymentSecrets } from '#test/support/store-secrets';
import { tempFolder } from '#test/support/temp-folder';

export const TERMS = {
  baseUrl: 'https://preflight.example',
  payeeAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  usdcAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};

const USDC = parseWallet(TERMS.usdcAddress)!;

export const WALLET = parseWallet(`0x${'ab'.repeat(20)}`)!;
const demandFor = () => ({
  ...paymentOffer('preflight_trade', TERMS),
  asset: USDC,
  payTo: parseWallet(TERMS.payeeAddress)!,
});

/** WALLET with the token that the operator's grant gave it. */
export const OWNER: Bearer = { wallet: WALLET, scope: 'purchase', code: null };

/** What the constant handler answers, a whole verdict; the real one is not the door's business. */
const { sandbox: _sandbox, note: _note, ...live } = ORDER_VERDICT_EXAMPLE;
export const CONSTANT_ANSWER = { ...live, reasons: ['constant'] };

/** Wallets and lists of the samples; how they come about is not the door's business. */
const nextRefreshS = AS_OF_S + 86_400;
const CONSTANT_WALLETS: Pick<ToolServices, 'wallets' | 'lists' | 'walletEvidenceOf'> = {
  walletEvidenceOf: async () => '{"payload":{},"jws":"e..e"}',
  wallets: { ask: async (wallet) => ({ kind: 'rated', stored: storedRating({ wallet }), nextRefreshS }) },
  lists: {
    leaderboard: async () => ({ kind: 'listed', board: sampleBoard(), wallets: [storedRating()], nextRefreshS }),
    redList: async () => ({ kind: 'listed', board: sampleBoard(), wallets: [], nextRefreshS }),
  },
};

export interface Door {
  readonly http: HttpServer;
  readonly port: number;
  readonly url: string;
  /** A bearer token of WALLET. */
  readonly token: string;
  readonly credits: Credits;
  /** The parsed parameters of every order that reached the handler. */
  readonly orders: readonly OrderRequest[];
  /** Where its store lies. */
  readonly dataDir: string;
  /** Lines of the log so far. */
  readonly logLines: readonly string[];
  /** Calls preflight_trade by GET as WALLET. */
  readonly order: (query: string, headers?: Record<string, string>) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

export interface DoorOptions {
  readonly credits?: number;
  readonly handler?: (order: OrderRequest) => Promise<object>;
  readonly tools?: Partial<ToolServices>;
  readonly deps?: Partial<HttpServerDeps>;
  /** Unless told otherwise with the limit of the service. */
  readonly evaluations?: Evaluations;
  /** Puts something around the store of the credits. */
  readonly around?: (store: Store) => Store;
}

/** A report of a service that has just started. */
export const STATUS: StatusReport = {
  status: 'ok',
  degraded_by: [],
  api_version: '2026-07-14',
  now: '2026-07-14T00:00:00.000Z',
  started_at: '2026-07-14T00:00:00.000Z',
  components: { gamma: { ok: true, last_ok_at: null, error: null } },
  clock: { confirmed: true, ahead_seconds: 0, sources: 2 },
  replica: { id: 'one', is_lease_held: true, others: 0, payments_taken_over: 0, jobs: [] },
  store: { engine: 'embedded', changes_waiting: 0, oldest_wait_seconds: null, connections: null, standbys: null },
  books: {
    held: 0,
    oldest_age_seconds: null,
    median_age_seconds: null,
    sockets: 0,
    sockets_live: 0,
    frames: 0,
    frames_bad: 0,
    frames_scanned: 0,
    frames_parsed: 0,
    hashes_agreed: 0,
    hashes_differed: 0,
  },
  preflight_trade: { count: 0, p50_ms: null, p95_ms: null },
  payments: {
    in_work: 0,
    unresolved: 0,
    answered: 0,
    refused: 0,
    unverified: 0,
    unverified_share: null,
    broken: 0,
  },
  settlements: { facilitators: {}, oldest_unproven_seconds: null, last_refuted_at: null },
  ratings: {
    data_through: null,
    computed_at: null,
    tape_start: null,
    tape_gaps: 0,
    next_refresh_at: '2026-07-14T04:30:00.000Z',
    wallets: 0,
    placebo_copy_count: null,
    rating_config: null,
    last_run_error: null,
  },
  wallet_queue: { queued: 0, in_work: 0, resting: 0, oldest_age_seconds: null, rated: 0, unreadable: 0, broken: 0 },
  tape: { last_fill_at: null, fills: 0, rows_skipped: 0, gaps_open: 0, feed_gaps: 0 },
  trimmed: { payment_answers: 0, verdicts: 0 },
};

/**
 * Opens the real door on loopback: Express, gate, credits service and embedded store; only the
 * tool's answer is constant.
 */
export async function openDoor({
  credits: granted = 500,
  handler,
  tools,
  deps,
  around,
  evaluations = newEvaluations(),
}: DoorOptions = {}): Promise<Door> {
  const dataDir = tempFolder('door');
  const store = openLmdbStore({ path: lmdbPath(dataDir) });
  const secrets = paymentSecrets();
  const { purchaseSecrets } = secrets;
  const credits = createCredits({
    store: around?.(store) ?? store,
    ...CREDIT_SECRETS,
    clock: systemClock,
    random: systemRandom,
  });
  const logLines: string[] = [];
  const log = createLogger('trace', { write: (line) => void logLines.push(line) });
  const orders: OrderRequest[] = [];
  const run = async (order: OrderRequest) => {
    orders.push(order);
    return handler === undefined ? CONSTANT_ANSWER : handler(order);
  };
  const gate = createGate({
    tools: createTools({ judge: run, isBookCached: () => true, ...CONSTANT_WALLETS, ...tools }),
    credits,
    payments: createPaymentLane({
      payments: { pay: async () => ({ kind: 'refused', reason: 'insufficient_funds' }), hasBegun: async () => false },
      demandFor,
      ...secrets,
      clock: systemClock,
    }),
    unpaid: new UnpaidWork(systemClock),
    sandbox: createSandbox(systemClock),
    log,
  });
  const http = createHttpServer({
    gate,
    credits,
    terms: TERMS,
    usdc: USDC,
    purchaseSecrets,
    routes: [
      evaluateRoute({ evaluations }),
      mcpRoute({
        gate,
        credits,
        terms: TERMS,
        usdc: USDC,
        purchaseSecrets,
        log,
        clock: systemClock,
        evaluations,
        readBody: jsonBodyReader(BOOK_BODY_BYTES_MAX),
      }),
    ],
    pages: { documents: [], assets: [], missing: () => '', docsIndex: () => '[]' },
    discovery: discovery({
      ...TERMS,
      supportEmail: 'support@preflight.example',
      evidenceKeys: ONE_KEY,
      clientIntegrity: null,
    }),
    demo: { marketsText: async () => JSON.stringify(toDemoMarkets([])), find: async () => null },
    status: async () => STATUS,
    statusHistory: () => '{"every_seconds":60,"hours":24,"samples":[]}',
    scoreboard: { text: () => '{}', textOf: async () => null },
    ready: () => true,
    storeHealth: async () => ({ ok: true, ageMs: 7 }),
    log,
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    metrics: null,
    trustedProxies: [],
    ...deps,
  });
  const { port } = await http.listen(0, '127.0.0.1');
  const { token } = await credits.grant(WALLET, granted, 30, 'test');
  const url = `http://127.0.0.1:${port}`;
  return {
    http,
    port,
    url,
    token: token!,
    credits,
    orders,
    dataDir,
    logLines,
    order: (query, headers) =>
      fetch(`${url}/api/preflight_trade?${query}`, { headers: { Authorization: `Bearer ${token}`, ...headers } }),
    async stop() {
      await http.stop();
      await store.close();
    },
  };
}
