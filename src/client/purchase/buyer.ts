import type { Deadline } from '../http/deadline.js';
import { askDoor, NO_CREDENTIALS } from '../http/door.js';
import { orUnavailable } from '../state/or-unavailable.js';
import type { OutgoingRequest, Purchase, X402Purchase } from '../state/purchase.js';
import { authorizationFor, typedDataOf } from '../terms/authorization.js';
import { chooseDemand } from '../terms/choose-demand.js';
import { type Demand, readDemands } from '../terms/demand.js';
import { NotPaid } from '../terms/errors.js';
import type { Intent } from '../terms/terms.js';
import { toHex } from '../text.js';
import { isUsable, lastSecondOf } from './authorization-end.js';
import { claimBudget } from './claim-budget.js';
import type { ClientContext, Payer } from './context.js';
import type { PublishedTermsFor } from './published.js';
import { requestIdOf } from './request-id.js';
import { type PaidDelivery, sendUntilKnown } from './send-until-known.js';

const ID_BYTES = 16;
const NONCE_BYTES = 32;

type SignedPurchase = Purchase & { readonly lane: X402Purchase };

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
    const standing = await this.#standing(requestId, order.fresh === true);
    const requested = standing === null ? await this.#ask(order, deadline) : null;
    if (requested?.kind === 'free') return { kind: 'answered', exchange: requested.exchange };
    const purchase = standing ?? (await this.#begin(order, requestId, requested!.demand));
    const signed = await this.#sign(await this.#claim(purchase, order.intent));
    const { demand, authorization, signature } = signed.lane;
    const payment = { kind: 'payment', demand, authorization, signature: signature! } as const;
    return sendUntilKnown(this.#context, signed, payment, deadline);
  }

  /** The unfinished purchase of the same request, unless it is over or another one is wanted. */
  async #standing(requestId: string, fresh: boolean): Promise<SignedPurchase | null> {
    const { journal } = this.#context.state;
    const found = await orUnavailable(journal.find(this.#payer.address, requestId));
    if (found === null || found.lane.kind !== 'x402') return null;
    const purchase = found as SignedPurchase;
    const isOver = this.#nowS() > lastSecondOf(purchase.lane.authorization);
    if (isOver) await orUnavailable(journal.finish(purchase, 'expired'));
    else if (fresh) await orUnavailable(journal.setAside(purchase));
    return isOver || fresh ? null : purchase;
  }

  /** Asks without a payment: the answer is the demand, or it is free. */
  async #ask({ intent, request }: Order, { signal }: Deadline) {
    const published = await this.#published(this.#payer.address, signal);
    const answer = await askDoor(this.#context.fetch, request, NO_CREDENTIALS, signal);
    if (answer.status !== 402) return { kind: 'free', exchange: answer } as const;
    const demands = readDemands({ header: answer.headers.get('payment-required'), body: answer.text });
    const demand = chooseDemand(published, intent, demands, this.#context.limits);
    return { kind: 'demand', demand } as const;
  }

  /**
   * From here on the nonce is fixed. Somebody else may have begun the same purchase: then it is
   * theirs that goes on.
   */
  async #begin({ request }: Order, requestId: string, demand: Demand): Promise<SignedPurchase> {
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
    return (await orUnavailable(state.journal.begin(purchase))) as SignedPurchase;
  }

  async #claim(purchase: SignedPurchase, { operation }: Intent): Promise<SignedPurchase> {
    if (purchase.lane.signature !== null) return purchase;
    this.#checkTimeLeft(purchase);
    await claimBudget(this.#context, purchase, operation);
    return purchase;
  }

  async #sign(purchase: SignedPurchase): Promise<SignedPurchase> {
    if (purchase.lane.signature !== null) return purchase;
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
  #checkTimeLeft({ lane }: SignedPurchase): void {
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
