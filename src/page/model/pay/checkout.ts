import { type Signal, signal } from '@preact/signals';
import type { Answer } from '#client/answers';
import type { Fetch } from '#client/http/http';
import { toolRequest } from '#client/http/requests';
import type { PreflightOptions } from '#client/options';
import { Preflight } from '#client/preflight';
import { lastSecondOf } from '#client/purchase/authorization-end';
import type { ClientState, SpendLedger } from '#client/state/ports';
import type { Purchase } from '#client/state/purchase';
import type { ClientSystem } from '#client/system';
import { GuardrailRefused, OutcomeUnknown } from '#client/terms/errors';
import { PAYMENT_WINDOW_S } from '#domain/payment/payment';
import type { AnnouncedWallet } from './announced-wallets.js';
import { callTool, sameWanted, type Wanted, wantedBy, withoutEvidence } from './bought.js';
import { type CheckoutStep, isAsking, isBusy } from './checkout-step.js';
import { failureOf, isEvidenceRefused, LAPSED, NO_TERMS, overFailure, sentence } from './failure.js';
import { forget, openPurchases, payInstead, type TabStorage, tabState } from './open-purchases.js';
import { type QueuePause, queuePause } from './queue-pause.js';
import { termsOf } from './shown-terms.js';
import { signedAccount, walletAccount } from './wallet-account.js';

type Purse = Pick<PreflightOptions, 'account' | 'token'>;

export interface CheckoutDeps {
  /** The origin of the page: the service that is paid has to be there. */
  readonly baseUrl: string;
  readonly storage: TabStorage;
  /** What was spent since the page was opened, here and in its other places for paying. */
  readonly ledger: SpendLedger;
  readonly system: ClientSystem;
  readonly fetch: Fetch;
  /** Is told every answer, QUEUED too. */
  readonly onAnswer: (answer: Answer<unknown>, wanted: Wanted) => void;
}

/**
 * The person reads the terms in their wallet as long as the authorization lives, and then the
 * answer has to come.
 */
const CALL_MS = (PAYMENT_WINDOW_S + 60) * 1e3;
/** An attempt to learn the outcome, and the pause after it. */
const RESUME_MS = 20_000;
const RESUME_PAUSE_MS = 3_000;
/**
 * Buys one answer at a time in a page: shows the terms, lets the client's rules decide, opens the
 * wallet, keeps what was signed until its outcome is known.
 */
export class Checkout {
  readonly step: Signal<CheckoutStep> = signal<CheckoutStep>({ kind: 'idle' });
  readonly #deps: CheckoutDeps;
  readonly #state: ClientState;
  readonly #ended = new AbortController();
  #giving = new AbortController();

  constructor(deps: CheckoutDeps) {
    this.#deps = deps;
    this.#state = tabState(deps.storage, deps.system.clock, deps.ledger);
  }

  /** Asks what the answer costs. Free. */
  async askTerms({ tool }: Wanted): Promise<void> {
    if (isBusy(this.step.value)) return;
    this.step.value = { kind: 'asking' };
    try {
      const { demands, fault } = await this.#client({}).probe(tool);
      const [demand] = demands;
      if (!isAsking(this.step.value)) return;
      if (fault !== null) throw new GuardrailRefused(fault);
      this.step.value =
        demand === undefined ? { kind: 'failed', failure: NO_TERMS } : { kind: 'terms', terms: termsOf(demand) };
    } catch (error) {
      if (isAsking(this.step.value)) this.step.value = { kind: 'failed', failure: failureOf(error) };
    }
  }

  /** Pays on the terms that are shown. The wallet asks the person. */
  async pay(wanted: Wanted, wallet: AnnouncedWallet): Promise<void> {
    const { value: before } = this.step;
    if (before.kind !== 'terms') return;
    const { terms } = before;
    const { clock } = this.#deps.system;
    const onSigning = () => {
      this.step.value = { kind: 'signing', terms, wallet: wallet.name };
    };
    const onSigned = () => {
      this.step.value = { kind: 'sending', resumed: false };
    };
    onSigning();
    this.#giving = new AbortController();
    const { signal: givenUp } = this.#giving;
    try {
      const account = await walletAccount(wallet, { terms, clock, givenUp, onSigning, onSigned });
      await this.#call(wanted, { account });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Spends credits, for which no terms have to be read first. The token is kept nowhere by this. */
  async spend(wanted: Wanted, token: string): Promise<void> {
    if (isBusy(this.step.value) && !isAsking(this.step.value)) return;
    this.step.value = { kind: 'sending', resumed: false };
    try {
      await this.#call(wanted, { token });
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Goes on with a payment that was sent before: with the same one, until its outcome is known or
   * it is over.
   */
  async resume(purchase: Purchase): Promise<void> {
    const { system } = this.#deps;
    const wanted = wantedBy(purchase.request);
    if (wanted === null || purchase.lane.kind !== 'x402' || isBusy(this.step.value)) return;
    const { nonce } = purchase.lane.authorization;
    const overAtMs = lastSecondOf(purchase.lane.authorization) * 1e3;
    this.step.value = { kind: 'sending', resumed: true };
    while (system.clock.nowMs() <= overAtMs) {
      try {
        return await this.#call(wanted, { account: signedAccount(purchase.payer) }, RESUME_MS);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) return this.#fail(error);
        this.step.value = { kind: 'unknown', why: sentence(error), nonce };
      }
      await system.timers.sleep(RESUME_PAUSE_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
    }
    forget(this.#deps.storage, purchase.id);
    this.step.value = { kind: 'failed', failure: overFailure(nonce) };
  }

  /** Waits for the wallet no longer: what it signs from now on is sent to nobody. */
  giveUp(): void {
    this.#giving.abort();
  }

  /**
   * Ends everything, when the page shows something else: what was signed stays open, and is gone on
   * with later.
   */
  end(): void {
    this.#ended.abort();
  }

  async #call(wanted: Wanted, purse: Purse, deadlineMs = CALL_MS): Promise<void> {
    // Ended before its answer is read, a payment stays open: whoever goes on with it gets the
    // answer.
    const call = callTool(wanted, this.#client(purse), { deadlineMs, signal: this.#ended.signal });
    const answer = await call.catch((error) => {
      if (wanted.args.evidence === undefined || !isEvidenceRefused(error)) throw error;
      return null;
    });
    if (answer === null) return this.#callPlain(wanted, purse, deadlineMs);
    this.#deps.onAnswer(answer, wanted);
    const purchase = this.#openOf(wanted);
    const pause = queuePause(answer.body, purchase, this.#deps.system.clock.nowMs());
    if (pause === null) this.step.value = { kind: 'answered', answer };
    else await this.#askLater(wanted, purse, pause, purchase);
  }

  /**
   * Asks for the answer without its evidence, which was refused: with the same payment, or from
   * credits, of which none was charged.
   */
  async #callPlain(wanted: Wanted, purse: Purse, deadlineMs: number): Promise<void> {
    const { storage, baseUrl } = this.#deps;
    const plain = withoutEvidence(wanted);
    const purchase = purse.token === undefined ? this.#openOf(wanted) : undefined;
    if (purchase === undefined) return this.#call(plain, purse, deadlineMs);
    await payInstead(storage, purchase, toolRequest(baseUrl, plain.tool, plain.args));
    return this.#call(plain, { account: signedAccount(purchase.payer) }, deadlineMs);
  }

  /** Asks again when the service said to, as long as that costs nothing new. */
  async #askLater(wanted: Wanted, purse: Purse, pause: QueuePause, purchase: Purchase | undefined): Promise<void> {
    const { clock, timers } = this.#deps.system;
    this.step.value = { kind: 'queued', ...pause };
    await timers.sleep(pause.askAtMs - clock.nowMs(), this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    if (!pause.withSame) {
      if (purchase !== undefined) forget(this.#deps.storage, purchase.id);
      this.step.value = { kind: 'failed', failure: LAPSED };
      return;
    }
    const again = purchase === undefined ? purse : { account: signedAccount(purchase.payer) };
    return this.#call(wanted, again, RESUME_MS);
  }

  #openOf(wanted: Wanted): Purchase | undefined {
    return openPurchases(this.#deps.storage).find(({ request, lane }) => {
      const was = wantedBy(request);
      return lane.kind === 'x402' && was !== null && sameWanted(was, wanted);
    });
  }

  #fail(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    if (error instanceof OutcomeUnknown) {
      const purchase = openPurchases(this.#deps.storage).find(({ id }) => id === error.purchaseId);
      if (purchase?.lane.kind === 'x402') {
        this.step.value = { kind: 'failed', failure: failureOf(error) };
        void this.resume(purchase);
        return;
      }
    }
    this.#forgetUnsigned();
    this.step.value = { kind: 'failed', failure: failureOf(error) };
  }

  /**
   * What never came here signed was sent to nobody: nothing can come of it, and the next attempt
   * begins anew.
   */
  #forgetUnsigned(): void {
    const { storage } = this.#deps;
    for (const { id, lane } of openPurchases(storage)) {
      if (lane.kind === 'x402' && lane.signature === null) forget(storage, id);
    }
  }

  #client(purse: Purse): Preflight {
    const { baseUrl, system, fetch } = this.#deps;
    return new Preflight({ baseUrl, system, fetch, ledger: this.#state, ...purse });
  }
}
