import type { CreditsResponse, PurchaseResponse, RedeemResponse } from '#api/credits';
import type { ServedTool } from '#api/operations';
import type { StatusReport } from '#api/status';
import { parseWallet } from '#domain/ids';
import type {
  Answer,
  CallOptions,
  CopyAnswer,
  CopyOptions,
  Lane,
  Leaderboard,
  OrderInput,
  OrderVerdict,
  RedList,
  RefreshOptions,
} from './answers.js';
import type { EvidenceJwks } from './evidence/jws.js';
import type { Verification, VerifyOptions } from './evidence/verify.js';
import { getRequest, mcpRequest, type Parameters, toolRequest } from './http/calls.js';
import { DEADLINE_MS, Deadline } from './http/deadline.js';
import { askDoor, NO_CREDENTIALS } from './http/door.js';
import { type Exchange, exchange, type Fetch } from './http/http.js';
import { problemOf, readAnswer, refuseGhostPaywall } from './http/read-answer.js';
import { Buyer } from './purchase/buyer.js';
import type { ClientContext } from './purchase/context.js';
import { Published } from './purchase/published.js';
import { requestIdOf } from './purchase/request-id.js';
import type { PaidDelivery } from './purchase/send-until-known.js';
import { Spender } from './purchase/spender.js';
import { untilRated } from './purchase/until-rated.js';
import { memoryState } from './state/memory.js';
import type { ClientState, PayerAccount } from './state/ports.js';
import type { OutgoingRequest } from './state/purchase.js';
import { type ClientSystem, clientSystem } from './system.js';
import { type Demand, readDemands } from './terms/demand.js';
import { NotPaid, PreflightError, ServiceProblem } from './terms/errors.js';
import { DEFAULT_LIMITS, type Limits } from './terms/limits.js';
import { PACK } from './terms/published-terms.js';
import type { Fault } from './terms/rules.js';
import { type Intent, termsFault } from './terms/terms.js';
import { asObject, parseObject } from './text.js';

/** Stable: the options, the methods and what they resolve with. */

export interface PreflightOptions {
  /** Address of the service. It must be the base address that its own /llms.txt names. */
  readonly baseUrl: string;
  /** Pays per call: a viem account, a viem wallet client, or `await fromEip1193(provider)`. */
  readonly account?: PayerAccount | WalletClientLike;
  /** Spends credits; it goes before the account. */
  readonly token?: string;
  /** Limits that are named here replace the defaults. */
  readonly limits?: Partial<Limits>;
  /** How the tools are called: by REST, or by MCP. */
  readonly door?: 'rest' | 'mcp';
  /** What outlives the process: `fileState()` in Node; without it, memory. */
  readonly ledger?: ClientState;
  readonly fetch?: Fetch;
  /** Ends every call. */
  readonly signal?: AbortSignal;
  /** Time and chance, which tests own. */
  readonly system?: ClientSystem;
}

/** A viem wallet client has its address inside its account. */
export interface WalletClientLike {
  readonly account?: { readonly address: string } | undefined;
  signTypedData(data: never): Promise<string>;
}

/** What a probe found: the demand, and the rule that would refuse it. */
export interface Probe {
  readonly demands: readonly Demand[];
  /** The fault of the first demand; null if it would be signed. */
  readonly fault: Fault | null;
}

/**
 * The service, behind the rules that decide what may be signed. With a token calls spend credits, with an account they
 * are paid one by one, with neither they are free examples; each answer says which.
 *
 * @example
 * const preflight = new Preflight({ baseUrl, account: privateKeyToAccount(key) });
 * const { body, stale } = await preflight.verdict({ slug, outcome: 'Yes', usd: 250 });
 * if (body.verdict === 'OK' && !stale) await send(order);
 */
export class Preflight {
  readonly #context: ClientContext;
  readonly #signal: AbortSignal | undefined;
  readonly #door: 'rest' | 'mcp';
  readonly #published: Published;
  readonly #buyer: Buyer | null;
  readonly #spender: Spender | null;
  /** Lower-case address whose budget the calls share; null in the sandbox. */
  readonly payer: string | null;
  /** How calls are made. */
  readonly lane: Lane;

  constructor({
    baseUrl,
    account,
    token,
    door = 'rest',
    limits,
    ledger,
    fetch,
    signal,
    system = clientSystem,
  }: PreflightOptions) {
    const state = ledger ?? memoryState(system.clock);
    this.#context = {
      baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      state,
      limits: { ...DEFAULT_LIMITS, ...limits },
      system,
    };
    this.#signal = signal;
    this.#door = door;
    this.#published = new Published(this.#context);
    this.payer = account === undefined ? null : addressOf(account);
    this.#buyer = account === undefined ? null : this.#buyerFor(account, this.payer!);
    this.#spender = token === undefined ? null : new Spender(this.#context, token);
    this.lane = this.#spender !== null ? 'credits' : this.#buyer !== null ? 'x402' : 'sandbox';
  }

  /** Should this order be sent now, at this size, on this book? */
  verdict(order: OrderInput, options: CallOptions = {}): Promise<Answer<OrderVerdict>> {
    return this.#paid('preflight_trade', { ...order }, options);
  }

  /** Is this wallet worth copying? A QUEUED answer is free; with `wait` it is polled until the wallet is rated. */
  copy(wallet: string, { wait = false, ...options }: CopyOptions = {}): Promise<Answer<CopyAnswer>> {
    return this.#refreshed<CopyAnswer>('preflight_copy', { wallet }, options, wait);
  }

  leaderboard(options: RefreshOptions = {}): Promise<Answer<Leaderboard>> {
    return this.#refreshed('leaderboard', {}, options, false);
  }

  redList(options: RefreshOptions = {}): Promise<Answer<RedList>> {
    return this.#refreshed('red_list', {}, options, false);
  }

  readonly credits = {
    /** What a pack costs and what calls cost in credits. Free. */
    terms: (options: CallOptions = {}): Promise<CreditsResponse> => this.#free(this.#get('/api/credits'), {}, options),
    /** Balance and expiry of the token. Free. */
    balance: async (options: CallOptions = {}): Promise<CreditsResponse> => {
      const { authorization } = this.#spenderOrThrow();
      return this.#free(this.#get('/api/credits'), { authorization }, options);
    },
    /** Buys one pack: the one call that pays more than the limit per call. Its answer holds the token: keep it. */
    buy: (options: CallOptions = {}): Promise<Answer<PurchaseResponse>> => this.#buyPack(options),
  };

  /** Exchanges a promotional code for a token with free credits. */
  redeem(code: string, wallet: string, options: CallOptions = {}): Promise<RedeemResponse> {
    const url = `${this.#context.baseUrl}/api/redeem`;
    return this.#free({ method: 'POST', url, body: JSON.stringify({ code, wallet }) }, {}, options);
  }

  status(options: CallOptions = {}): Promise<StatusReport> {
    return this.#free(this.#get('/status.json'), {}, options);
  }

  /**
   * Checks an answer that carries evidence: its signature by the keys of the service, and all else by computing it again.
   * With `jwks` nothing is asked of anybody. The arithmetic is loaded when this is first called.
   */
  async verify(answer: unknown, options: Partial<VerifyOptions> & CallOptions = {}): Promise<Verification> {
    const { verifyAnswer } = await import('./evidence/verify.js');
    const jwks = options.jwks ?? (await this.#free<EvidenceJwks>(this.#get('/.well-known/jwks.json'), {}, options));
    return verifyAnswer(answer, { issuer: this.#context.baseUrl, ...options, jwks });
  }

  /** Asks for the terms of a tool, pays nothing, and says what the rules make of them. */
  probe(tool: ServedTool, options: CallOptions = {}): Promise<Probe> {
    return this.#within(options, async (deadline) => {
      const request = toolRequest(this.#context.baseUrl, tool, { x402_probe: 1 });
      const published = await this.#published.terms(null, deadline.signal);
      const { headers, text } = await exchange(this.#context.fetch, request, {}, deadline.signal);
      const demands = readDemands({ header: headers.get('payment-required'), body: text });
      const intent: Intent = { operation: tool, url: request.url };
      const faults = demands.map((demand) => termsFault(published, intent, demand, this.#context.limits));
      return { demands, fault: faults.includes(null) ? null : (faults[0] ?? null) };
    });
  }

  /** Returns what the payer spent in the last 24 hours, in cents, and its unfinished purchases. */
  async spending() {
    const { state, limits } = this.#context;
    const payer = this.payer ?? this.#spender?.wallet ?? null;
    if (payer === null) return { limits, cents: 0, packs: 0, open: [] };
    const [cents, packs] = [await state.ledger.spent(payer, 'cents'), await state.ledger.spent(payer, 'packs')];
    return { limits, cents, packs, open: await state.journal.list(payer) };
  }

  async #refreshed<Body>(tool: ServedTool, args: Parameters, options: RefreshOptions, wait: boolean) {
    const { state, system, baseUrl } = this.#context;
    if (this.lane === 'sandbox') return this.#paid<Body>(tool, args, options);
    const id = await requestIdOf('kept', toolRequest(baseUrl, tool, args).url);
    const find = () => state.kept.find(id, system.clock.nowMs()).catch(() => null);
    const kept = options.refresh === true ? null : await find();
    const body = kept === null ? null : parseObject(kept);
    if (kept !== null && body !== null) {
      return { body: body as Body, text: kept, lane: this.lane, stale: false, cached: true };
    }
    const answer = await this.#paid<Body>(tool, args, options, wait);
    const until = Date.parse(String(asObject(answer.body)?.next_refresh_at));
    // An answer that cannot be kept is an answer all the same.
    if (until > system.clock.nowMs()) await state.kept.keep(id, answer.text, until).catch(() => {});
    return answer;
  }

  #paid<Body>(tool: ServedTool, args: Parameters, options: CallOptions, wait = false): Promise<Answer<Body>> {
    const { baseUrl, system } = this.#context;
    const parameters = this.lane === 'sandbox' ? { sandbox: 1 } : args;
    // The terms are those of the REST endpoint, also by MCP.
    const { url } = toolRequest(baseUrl, tool, parameters);
    const request = (this.#door === 'mcp' ? mcpRequest : toolRequest)(baseUrl, tool, parameters);
    return this.#within(options, async (deadline) => {
      const deliver = () => this.#deliver({ operation: tool, url }, request, options, deadline);
      const { exchange: answer } = wait ? await untilRated(deliver, system, deadline) : await deliver();
      return readAnswer<Body>(answer, this.lane, system.clock.nowMs());
    });
  }

  async #deliver(
    intent: Intent,
    request: OutgoingRequest,
    { fresh = false }: CallOptions,
    deadline: Deadline,
  ): Promise<PaidDelivery> {
    if (this.#spender !== null) return this.#spender.spend(request, fresh, deadline);
    if (this.#buyer !== null) return this.#buyer.buy({ intent, request, fresh }, deadline);
    const answer = await askDoor(this.#context.fetch, request, NO_CREDENTIALS, deadline.signal);
    refuseGhostPaywall(answer);
    return { kind: 'answered', exchange: answer };
  }

  async #buyPack({ fresh, ...options }: CallOptions): Promise<Answer<PurchaseResponse>> {
    const buyer = this.#buyer;
    if (buyer === null) {
      throw new NotPaid('a credit pack is paid by an account', { charged: 'nothing', next: 'Give an account' });
    }
    const url = `${this.#context.baseUrl}/api/credits`;
    const intent: Intent = { operation: PACK, url, packConsent: true };
    return this.#within(options, async (deadline) => {
      const { exchange: answer } = await buyer.buy(
        { intent, request: { method: 'POST', url, body: null }, fresh },
        deadline,
      );
      return readAnswer<PurchaseResponse>(answer, 'x402', this.#context.system.clock.nowMs());
    });
  }

  #free<Body>(
    request: OutgoingRequest,
    headers: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Body> {
    return this.#within(options, async (deadline) => {
      const answer: Exchange = await exchange(this.#context.fetch, request, headers, deadline.signal);
      refuseGhostPaywall(answer);
      const body = parseObject(answer.text);
      if (body === null || answer.status !== 200) throw problemOf(answer);
      return body as Body;
    });
  }

  async #within<T>(options: CallOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const signals = [options.signal, this.#signal];
    const deadline = new Deadline(this.#context.system, options.deadlineMs ?? DEADLINE_MS, signals);
    try {
      return await work(deadline);
    } catch (cause) {
      if (cause instanceof PreflightError) throw cause;
      for (const signal of signals) if (signal?.aborted) throw signal.reason;
      const message = `no answer from ${this.#context.baseUrl}: ${cause instanceof Error ? cause.message : cause}`;
      const next = 'Nothing was paid; try again';
      throw new ServiceProblem(message, { code: 'unreachable', status: 0, charged: 'nothing', next, cause });
    } finally {
      deadline.end();
    }
  }

  #get(path: string): OutgoingRequest {
    return getRequest(this.#context.baseUrl, path);
  }

  #spenderOrThrow(): Spender {
    if (this.#spender !== null) return this.#spender;
    throw new NotPaid('a balance is that of a token', { charged: 'nothing', next: 'Give a token' });
  }

  #buyerFor(account: PayerAccount | WalletClientLike, address: string): Buyer {
    const signTypedData: PayerAccount['signTypedData'] = (data) => account.signTypedData(data as never);
    return new Buyer(this.#context, this.#published, { address, signTypedData });
  }
}

function addressOf(account: PayerAccount | WalletClientLike): string {
  const given = 'address' in account ? account.address : account.account?.address;
  const address = parseWallet(given ?? '');
  if (address === null) throw new TypeError('the account has no EVM address');
  return address;
}
