import type { CreditsResponse, PurchaseResponse, RedeemResponse, TokenResponse } from '#api/credits';
import type { ServedTool } from '#api/operations';
import type { StatusReport } from '#api/status';
import { messageSignerOf } from './account/message-signer.js';
import { payerOf } from './account/paying-account.js';
import type {
  Answer,
  CallOptions,
  CopyAnswer,
  CopyOptions,
  Lane,
  Leaderboard,
  OrderInput,
  OrderVerdict,
  Probe,
  RedList,
  RefreshOptions,
} from './answers.js';
import { type Bounded, boundedBy } from './calls/bounded-call.js';
import { FreeCalls } from './calls/free-calls.js';
import { PaidCalls } from './calls/paid-calls.js';
import { storedCalls } from './calls/stored-calls.js';
import { TokenCalls } from './calls/token-calls.js';
import type { EvidenceJwks } from './evidence/jws.js';
import type { VerifyOptions } from './evidence/signed.js';
import type { Verification } from './evidence/verify.js';
import { toBaseUrl } from './http/base-url.js';
import { VERDICT_DEADLINE_MS } from './http/deadline.js';
import { exchange } from './http/http.js';
import { toolRequest } from './http/requests.js';
import type { PreflightOptions } from './options.js';
import { Buyer } from './purchase/buyer.js';
import type { ClientContext } from './purchase/context.js';
import { type PublishedTermsFor, publishedTerms } from './purchase/published.js';
import { Spender } from './purchase/spender.js';
import { memoryState } from './state/memory.js';
import { readSpending } from './state/read-spending.js';
import { clientSystem } from './system.js';
import { readDemands } from './terms/demand.js';
import { NotPaid } from './terms/errors.js';
import { DEFAULT_LIMITS } from './terms/limits.js';
import { type Intent, termsFault } from './terms/terms.js';

/** Stable: the methods and what they resolve with. */

/**
 * The service, behind the rules that decide what may be signed. With a token calls spend credits,
 * with an account they are paid one by one, with neither they are free examples; each answer says
 * which.
 *
 * @example
 * const preflight = new Preflight({ baseUrl, account: privateKeyToAccount(key) });
 * const { body, stale } = await preflight.verdict({ slug, outcome: 'Yes', usd: 250 });
 * if (body.verdict === 'OK' && !stale) await send(order);
 */
export class Preflight {
  readonly #context: ClientContext;
  readonly #bounded: Bounded;
  readonly #published: PublishedTermsFor;
  readonly #spender: Spender | null;
  readonly #free: FreeCalls;
  readonly #tokens: TokenCalls;
  readonly #paid: PaidCalls;
  readonly #cached: ReturnType<typeof storedCalls>;
  /** Lower-case address whose budget the calls share; null in the sandbox. */
  readonly payer: string | null;
  /** How calls are made. */
  readonly lane: Lane;

  constructor(options: PreflightOptions) {
    const { account, token, door = 'rest' } = options;
    refuseUnset(options);
    this.#context = contextOf(options);
    this.#bounded = boundedBy(this.#context, options.signal);
    this.#published = publishedTerms(this.#context);
    const payer = account === undefined ? null : payerOf(account);
    const buyer = payer === null ? null : new Buyer(this.#context, this.#published, payer);
    this.#spender = token === undefined ? null : new Spender(this.#context, token);
    this.#free = new FreeCalls(this.#context, this.#bounded);
    const signer = account === undefined ? null : messageSignerOf(account);
    this.#tokens = new TokenCalls(this.#context, this.#free, signer);
    this.#paid = new PaidCalls(this.#context, { buyer, spender: this.#spender }, door, this.#bounded);
    this.#cached = storedCalls(this.#context, this.#paid);
    this.payer = payer?.address ?? null;
    this.lane = this.#paid.lane;
  }

  /** Should this order be sent now, at this size, on this book? */
  verdict(order: OrderInput, options: CallOptions<OrderVerdict> = {}): Promise<Answer<OrderVerdict>> {
    return this.#paid.call('preflight_trade', { ...order }, { deadlineMs: VERDICT_DEADLINE_MS, ...options });
  }

  /**
   * Is this wallet worth copying? A QUEUED answer is free; with `wait` it is polled until the
   * wallet is rated.
   */
  copy(wallet: string, { wait = false, evidence = false, ...options }: CopyOptions = {}): Promise<Answer<CopyAnswer>> {
    const args = evidence ? { wallet, evidence: 1 } : { wallet };
    return this.#cached('preflight_copy', args, options, wait);
  }

  leaderboard(options: RefreshOptions<Leaderboard> = {}): Promise<Answer<Leaderboard>> {
    return this.#cached('leaderboard', {}, options);
  }

  redList(options: RefreshOptions<RedList> = {}): Promise<Answer<RedList>> {
    return this.#cached('red_list', {}, options);
  }

  readonly credits = {
    /** What a pack costs and what calls cost in credits. Free. */
    terms: (options: CallOptions = {}): Promise<CreditsResponse> => this.#free.get('/api/credits', options),
    /** Balance and expiry of the token. Free. */
    balance: async (options: CallOptions = {}): Promise<CreditsResponse> => {
      if (this.#spender === null) {
        throw new NotPaid('a balance is that of a token', { charged: 'nothing', next: 'Give a token' });
      }
      return this.#free.get('/api/credits', options, this.#spender.authorization);
    },
    /**
     * Buys one pack: the one call that pays more than the limit per call. Its answer holds the
     * token: keep it, best in `onAnswer`.
     */
    buy: (options: CallOptions<PurchaseResponse> = {}): Promise<Answer<PurchaseResponse>> =>
      this.#paid.buyPack(options),
  };

  /** Exchanges a promotional code for a token with free credits. */
  redeem(code: string, wallet: string, options: CallOptions = {}): Promise<RedeemResponse> {
    return this.#tokens.redeem(code, wallet, options);
  }

  /**
   * Gets a new token for all credits of the account, in the place of one that was lost. The account
   * signs a message; that costs nothing and moves no funds.
   */
  newToken(options: CallOptions = {}): Promise<TokenResponse> {
    return this.#tokens.newToken(options);
  }

  status(options: CallOptions = {}): Promise<StatusReport> {
    return this.#free.get('/status.json', options);
  }

  /**
   * Checks an answer that carries evidence: its signature by the keys of the service, and all else
   * by computing it again. With `jwks` nothing is asked of anybody. The arithmetic is loaded when
   * this is first called.
   */
  async verify(answer: unknown, options: Partial<VerifyOptions> & CallOptions = {}): Promise<Verification> {
    const { verifyAnswer } = await import('./evidence/verify.js');
    const jwks = options.jwks ?? (await this.#free.get<EvidenceJwks>('/.well-known/jwks.json', options));
    return verifyAnswer(answer, { issuer: this.#context.baseUrl, ...options, jwks });
  }

  /** Asks for the terms of a tool, pays nothing, and says what the rules make of them. */
  probe(tool: ServedTool, options: CallOptions = {}): Promise<Probe> {
    return this.#bounded(options, async (deadline) => {
      const request = toolRequest(this.#context.baseUrl, tool, { x402_probe: 1 });
      const published = await this.#published(null, deadline.signal);
      const { headers, text } = await exchange(this.#context.fetch, request, {}, deadline.signal);
      const demands = readDemands({ header: headers.get('payment-required'), body: text });
      const intent: Intent = { operation: tool, url: request.url };
      const faults = demands.map((demand) => termsFault(published, intent, demand, this.#context.limits));
      return { demands, fault: faults.includes(null) ? null : (faults[0] ?? null) };
    });
  }

  /**
   * Returns what the payer spent in the last 24 hours, in cents, its unfinished purchases, and what
   * was damaged of them.
   */
  async spending() {
    const { state, limits } = this.#context;
    const payer = this.payer ?? this.#spender?.wallet ?? null;
    if (payer === null) return { limits, cents: 0, packs: 0, open: [], damaged: [] };
    return { limits, ...(await readSpending(state, payer)) };
  }
}

/** What a client works with: what it was given, and for the rest the usual. */
function contextOf({
  baseUrl,
  limits,
  ledger,
  fetch,
  onRetry,
  system = clientSystem,
}: PreflightOptions): ClientContext {
  return {
    baseUrl: toBaseUrl(baseUrl),
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    state: ledger ?? memoryState(system.clock),
    limits: { ...DEFAULT_LIMITS, ...limits },
    system,
    onRetry: onRetry ?? (() => {}),
  };
}

/**
 * A variable that is not set must not turn purchases into examples, whose verdicts are invented:
 * throws a TypeError where a way to pay is named and none is there.
 */
function refuseUnset(options: PreflightOptions): void {
  if (options.account !== undefined || options.token !== undefined) return;
  const named = (['token', 'account'] as const).find((name) => name in options);
  if (named === undefined) return;
  throw new TypeError(`${named} is undefined: set it, or leave the member out for free examples`);
}
