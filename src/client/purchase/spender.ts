import type { Deadline } from '../http/deadline.js';
import { orUnavailable } from '../state/or-unavailable.js';
import type { CreditsPurchase, OutgoingRequest, Purchase } from '../state/purchase.js';
import { GuardrailRefused } from '../terms/errors.js';
import { shown, toHex } from '../text.js';
import type { ClientContext } from './context.js';
import { requestFault } from './gate.js';
import { requestIdOf } from './request-id.js';
import { type PaidDelivery, sendUntilKnown } from './send-until-known.js';

/** The service keeps an Idempotency-Key for 24 hours; an older purchase cannot be resumed by it. */
const KEY_VALID_MS = 23 * 3_600_000;
const KEY_BYTES = 16;
const KEY = /^[0-9a-f]{32}$/;
const TOKEN = /^tk_(0x[0-9a-fA-F]{40})_[\x21-\x7e]{1,200}$/;

/** Returns the wallet of a token in lower case, or null if the text is not a token. */
export function walletOfToken(token: string): string | null {
  return TOKEN.exec(token)?.[1]?.toLowerCase() ?? null;
}

/**
 * Spends credits: one Idempotency-Key per purchase, on disk before it is sent, and sent again until
 * it is answered.
 */
export class Spender {
  readonly #context: ClientContext;
  readonly #token: string;
  /** Lower-case address of the wallet whose credits these are. */
  readonly wallet: string;

  constructor(context: ClientContext, token: string) {
    const wallet = walletOfToken(token);
    if (wallet === null) throw new TypeError('the token has not the form tk_<wallet>_<secret>');
    this.#context = context;
    this.#token = token;
    this.wallet = wallet;
  }

  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  /**
   * Resolves with the answer, or with the service's problem. Rejects with the errors of errors.ts.
   */
  async spend(request: OutgoingRequest, fresh: boolean, deadline: Deadline): Promise<PaidDelivery> {
    const { method, url, body } = request;
    const requestId = await requestIdOf('credits', method, url, body);
    const standing = await this.#standing(requestId, fresh);
    const purchase = standing ?? (await this.#begin(request, requestId));
    const { idempotencyKey } = await this.#pass(purchase, request);
    const credentials = { kind: 'bearer', authorization: this.authorization, idempotencyKey } as const;
    return sendUntilKnown(this.#context, purchase, credentials, { deadline, isResumed: standing !== null });
  }

  /**
   * Lets a token go nowhere but where this call would send it, whatever the file of a purchase
   * says. What is refused is put away.
   */
  async #pass(purchase: Purchase, request: OutgoingRequest): Promise<CreditsPurchase> {
    const fault = requestFault(purchase, { payer: this.wallet, request });
    const { lane } = purchase;
    const isOfCredits = lane?.kind === 'credits' && KEY.test(lane.idempotencyKey);
    if (fault === null && isOfCredits) return lane;
    await orUnavailable(this.#context.state.journal.setAside(purchase));
    const expected = 'a purchase from credits';
    const next =
      'Nothing was sent, and the unfinished purchase was set aside: look who writes to the state of this client';
    throw new GuardrailRefused(fault ?? { rule: 'purchase_mismatch', expected, found: shown(lane?.kind) }, { next });
  }

  async #standing(requestId: string, fresh: boolean): Promise<Purchase | null> {
    const { state, system } = this.#context;
    const purchase = await orUnavailable(state.journal.find(this.wallet, requestId));
    if (purchase === null) return null;
    const isOver = system.clock.nowMs() - purchase.begunAtMs > KEY_VALID_MS;
    if (isOver) await orUnavailable(state.journal.finish(purchase, 'expired'));
    else if (fresh) await orUnavailable(state.journal.setAside(purchase));
    return isOver || fresh ? null : purchase;
  }

  #begin(request: OutgoingRequest, requestId: string): Promise<Purchase> {
    const { state, system } = this.#context;
    const id = toHex(system.random.bytes(KEY_BYTES));
    return orUnavailable(
      state.journal.begin({
        version: 1,
        id,
        payer: this.wallet,
        requestId,
        request,
        begunAtMs: system.clock.nowMs(),
        lane: { kind: 'credits', idempotencyKey: id },
      }),
    );
  }
}
