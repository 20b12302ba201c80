import { DAY_S } from '#domain/time';
import type { Deadline } from '../http/deadline.js';
import { askDoor, NO_CREDENTIALS } from '../http/door.js';
import { refuseFaulty } from '../http/read-answer.js';
import { orUnavailable } from '../state/or-unavailable.js';
import type { OutgoingRequest, Purchase } from '../state/purchase.js';
import { authorizationFor, typedDataOf } from '../terms/authorization.js';
import { chooseDemand } from '../terms/choose-demand.js';
import { type Demand, readDemands } from '../terms/demand.js';
import { GuardrailRefused, NotPaid, OutcomeUnknown } from '../terms/errors.js';
import { PACK, type PublishedTerms } from '../terms/published-terms.js';
import type { Intent } from '../terms/terms.js';
import { toHex } from '../text.js';
import { isUsable, lastSecondOf } from './authorization-end.js';
import { claimBudget } from './claim-budget.js';
import type { ClientContext, Payer } from './context.js';
import { isSigned, mayHaveBeenSent, type PaidPurchase, purchaseFault, refusalOfSent } from './gate.js';
import type { PublishedTermsFor } from './published.js';
import { requestIdOf } from './request-id.js';
import { type PaidDelivery, sendUntilKnown } from './send-until-known.js';

/**
 * A token is worth its price long after its authorization is over, and the service repeats it to
 * its buyer for days: for so long a pack that may have been paid is asked for again and not bought
 * again.
 */
const PACK_REPEATED_S = DAY_S;
const ID_BYTES = 16;
const NONCE_BYTES = 32;

/** What is bought, and how. */
export interface Order {
  readonly intent: Intent;
  readonly request: OutgoingRequest;
  /** Starts another purchase although one of the same request is unfinished. */
  readonly fresh?: boolean | undefined;
}

/**
 * Buys one answer with one authorization. Each step is on disk before the next: begun (with the
 * nonce), claimed, signed, sent. So whoever goes on after a kill sends the same authorization, and
 * never signs a second one.
 */
export class Buyer {
  readonly #context: ClientContext;
  readonly #published: PublishedTermsFor;
  readonly #payer: Payer;

  constructor(context: ClientContext, published: PublishedTermsFor, payer: Payer) {
    this.#context = context;
    this.#published = published;
    this.#payer = payer;
  }

  /**
   * Resolves with the answer, or with the service's problem. Rejects with the errors of errors.ts.
   */
  async buy(order: Order, deadline: Deadline): Promise<PaidDelivery> {
    const { method, url, body } = order.request;
    const requestId = await requestIdOf('x402', method, url, body);
    const standing = await this.#standing(requestId, order);
    const published = await this.#currentTerms(standing, deadline);
    const requested = standing === null ? await this.#ask(order, published, deadline) : null;
    if (requested?.kind === 'free') return { kind: 'answered', exchange: requested.exchange, purchase: null };
    const purchase = standing ?? (await this.#begin(order, requestId, requested!.demand));
    await this.#pass(purchase, order, published);
    await this.#claim(purchase, order.intent);
    const signed = await this.#sign(purchase);
    await this.#pass(signed, order, published);
    const { demand, authorization, signature } = signed.lane;
    const payment = { kind: 'payment', demand, authorization, signature: signature! } as const;
    return sendUntilKnown(this.#context, signed, payment, { deadline, isResumed: isSigned(purchase) });
  }

  /** The unfinished purchase of the same request, unless it is over or another one is wanted. */
  async #standing(requestId: string, { intent, fresh = false }: Order): Promise<PaidPurchase | null> {
    const { journal } = this.#context.state;
    const found = (await orUnavailable(journal.find(this.#payer.address, requestId))) as PaidPurchase | null;
    if (found === null) return null;
    const isOver = this.#isOver(found, intent);
    if (isOver) await orUnavailable(journal.finish(found, 'expired'));
    else if (fresh) await orUnavailable(journal.setAside(found));
    return isOver || fresh ? null : found;
  }

  #isOver(purchase: PaidPurchase, { operation }: Intent): boolean {
    const { lane } = purchase;
    const repeatedS = operation === PACK && mayHaveBeenSent(purchase) ? PACK_REPEATED_S : 0;
    return lane?.kind === 'x402' && this.#nowS() > lastSecondOf(lane.authorization ?? { validBefore: '' }) + repeatedS;
  }

  /**
   * What is published now, whatever a purchase says that stands. Of one that may have been sent it
   * is never said that nothing was charged.
   */
  async #currentTerms(standing: PaidPurchase | null, deadline: Deadline): Promise<PublishedTerms> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#published(this.#payer.address, deadline.signal);
      } catch (cause) {
        if (standing === null || !mayHaveBeenSent(standing)) throw cause;
        if (cause instanceof GuardrailRefused) throw refusalOfSent(standing, cause);
        const why = 'the terms of the service cannot be read';
        if (await deadline.pause(attempt, null, () => this.#context.onRetry(`${why}; they are asked for again`)))
          continue;
        throw new OutcomeUnknown(standing.id, why, cause);
      }
    }
  }

  /** Asks without a payment: the answer is the demand, or it is free. */
  async #ask({ intent, request }: Order, published: PublishedTerms, { signal }: Deadline) {
    const answer = await askDoor(this.#context.fetch, request, NO_CREDENTIALS, signal);
    if (answer.status !== 402) return { kind: 'free', exchange: answer } as const;
    refuseFaulty(answer);
    const demands = readDemands({ header: answer.headers.get('payment-required'), body: answer.text });
    const demand = chooseDemand(published, intent, demands, this.#context.limits);
    return { kind: 'demand', demand } as const;
  }

  /**
   * Lets nothing be claimed, signed or sent but what this call would have begun itself, on what is
   * published now. What is refused and was never sent is put away; what may have been stays open.
   */
  async #pass(purchase: PaidPurchase, order: Order, published: PublishedTerms): Promise<void> {
    const { intent, request } = order;
    const [{ limits }, payer] = [this.#context, this.#payer.address];
    const fault = purchaseFault(purchase, { intent, request, payer, published, limits, nowS: this.#nowS() });
    if (fault === null) return;
    if (mayHaveBeenSent(purchase)) throw refusalOfSent(purchase, fault);
    await orUnavailable(this.#context.state.journal.finish(purchase, 'not_signed'));
    const next =
      'Nothing was sent, and the unfinished purchase was put away: look who writes to the state of this client';
    throw new GuardrailRefused(fault, { next });
  }

  /**
   * From here on the nonce is fixed. Somebody else may have begun the same purchase: then it is
   * theirs that goes on.
   */
  async #begin({ request }: Order, requestId: string, demand: Demand): Promise<PaidPurchase> {
    const { state, system } = this.#context;
    const { random, clock } = system;
    const nowMs = clock.nowMs();
    const payer = this.#payer.address;
    const purchase: Purchase = {
      version: 1,
      id: toHex(random.bytes(ID_BYTES)),
      payer,
      requestId,
      request,
      begunAtMs: nowMs,
      lane: {
        kind: 'x402',
        demand,
        authorization: authorizationFor(demand, { payer, nowMs, nonce: random.bytes(NONCE_BYTES) }),
        signature: null,
      },
    };
    return (await orUnavailable(state.journal.begin(purchase))) as PaidPurchase;
  }

  async #claim(purchase: PaidPurchase, { operation }: Intent): Promise<void> {
    if (!isSigned(purchase)) this.#checkTimeLeft(purchase);
    await claimBudget(this.#context, purchase, operation);
  }

  async #sign(purchase: PaidPurchase): Promise<PaidPurchase> {
    if (isSigned(purchase)) return purchase;
    const { journal } = this.#context.state;
    // A disk without room for the signature shows here, and not when it is made.
    await orUnavailable(journal.save(purchase));
    const signature = await this.#payer.signTypedData(typedDataOf(purchase.lane.authorization)).catch((cause) => {
      const next = 'The purchase is open and goes on with the next call, or expires in three minutes';
      throw new NotPaid('the account did not sign', { charged: 'nothing', next, cause });
    });
    const signed = { ...purchase, lane: { ...purchase.lane, signature } };
    await orUnavailable(journal.save(signed));
    return signed;
  }

  /**
   * A second nonce is never made while the first may be used, so one that is nearly over has to be
   * waited for.
   */
  #checkTimeLeft({ lane }: PaidPurchase): void {
    if (isUsable(lane.authorization, this.#nowS())) return;
    const waitS = lastSecondOf(lane.authorization) - this.#nowS();
    throw new NotPaid('an earlier attempt at the same purchase ended before it was signed', {
      charged: 'nothing',
      next: `Try again in ${Math.max(1, Math.ceil(waitS))} s`,
    });
  }

  #nowS(): number {
    return this.#context.system.clock.nowMs() / 1e3;
  }
}
