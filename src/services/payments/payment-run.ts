import { type Actor, createActor } from 'xstate';
import { type PaymentKey, paymentFault, type SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import {
  type Attempted,
  type PaymentSteps,
  type Prepared,
  paymentMachine,
  type Resolved,
} from '#machines/payment.machine';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import { toAttempted, toResolved } from './outcomes.js';
import { PaymentRecords } from './records.js';
import { freeze, secretOf } from './work.js';

/** How long one request waits for the outcome of its payment before it is told that it is not known yet. */
export const REQUEST_BUDGET_MS = 25_000;
/** Pauses between attempts while somebody waits; half of each is by chance. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 2_000] as const;
/** Pause between two looks at the chain while nobody waits. */
const RECONCILE_EVERY_MS = 2_000;
/** An authorization that ends sooner than this, by chain time, is not sent any more. */
const SUBMIT_MARGIN_S = 8;
/** Blocks before the newest one from which on a payment made before we were asked is honoured: about the life of one. */
const PREEMPTED_BLOCKS = 150;
/** The RPC endpoint that told the newest block may be ahead of the one that is asked next. */
const RPC_LAG_BLOCKS = 3;
const RETRY_AFTER_S = 2;

/** One authorization in work: its actor, its durable row, and everybody who waits for its outcome. */
export class PaymentRun {
  readonly #waiters = new Set<(outcome: PaymentOutcome) => void>();
  readonly #records: PaymentRecords;
  #actor: Actor<typeof paymentMachine> | null = null;
  #outcome: PaymentOutcome | null = null;
  #answer = '';
  #wasPreempted = false;
  #chainTimeS = 0;
  /** Whether somebody was told that the outcome is not known. */
  isUnresolved = false;
  readonly #signature: ReturnType<PaymentDeps['signatures']['check']>;

  constructor(
    readonly key: PaymentKey,
    readonly payment: SignedPayment,
    readonly fingerprint: string,
    private readonly deps: PaymentDeps,
    private readonly onEnd: () => void,
  ) {
    this.#records = new PaymentRecords(key, deps);
    this.#signature = deps.signatures.check(payment);
  }

  /** Whether the payer's own key signed: anybody can write somebody's address into a payment. */
  get isProven(): boolean {
    return this.#signature === 'matches';
  }

  /** Starts from what the store knows of the authorization: nothing, an end, or work that a crash interrupted. */
  async begin(work: PaidWork): Promise<void> {
    try {
      const row = await this.deps.store.payment(this.key);
      if (row === null) this.#beginAnew(work);
      else this.#beginFromRow(row);
    } catch (err) {
      this.deps.log.error({ payment: this.#records.id, err }, 'payment cannot be looked up');
      this.#end({ kind: 'unavailable', reason: 'the store cannot be read' });
    }
  }

  /** Resumes an open row with nobody waiting: the chain is asked until it knows. */
  resume(row: PaymentRow): void {
    this.#records.row = row;
    this.isUnresolved = row.state === 'SETTLING';
    this.#start(true, null);
  }

  /** Waits for the outcome, for as long as one request may. */
  join(): Promise<PaymentOutcome> {
    if (this.#outcome !== null) return Promise.resolve(this.#outcome);
    // By the row, which an earlier life may have written: whoever was told "no" may have paid anew.
    if (this.#records.row?.state === 'FAILED') return Promise.resolve(this.#refusal());
    this.#actor?.send({ type: 'client.waiting' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(leave), REQUEST_BUDGET_MS);
      const leave = (outcome: PaymentOutcome) => {
        clearTimeout(timer);
        this.#waiters.delete(leave);
        resolve(outcome);
      };
      this.#waiters.add(leave);
    });
  }

  stop(): void {
    this.#actor?.stop();
    for (const leave of [...this.#waiters]) leave(this.#unknown());
  }

  #beginAnew(work: PaidWork): void {
    const fault = this.#fault(work);
    if (fault !== null) this.#end({ kind: 'refused', reason: fault });
    else this.#start(false, work);
  }

  #beginFromRow(row: PaymentRow): void {
    this.#records.row = row;
    if (row.fingerprint !== this.fingerprint) this.#end(OTHER_REQUEST);
    else if (row.state === 'SETTLED') this.#end(answered(row, true));
    else if (row.state === 'FAILED') this.#end(this.#refusal());
    else {
      this.#start(true, null);
      this.#actor?.send({ type: 'client.waiting' });
    }
  }

  /** What is wrong with the payment itself, before anybody is asked. */
  #fault({ demand }: PaidWork): string | null {
    const { payment, deps } = this;
    if (payment.resourceUrl !== null && payment.resourceUrl !== demand.resourceUrl) {
      return 'invalid_payment_requirements: the payment was made for another resource';
    }
    const fault = paymentFault(payment, demand, Math.floor(deps.clock.nowMs() / 1e3));
    if (fault !== null) return fault;
    return this.#signature === 'malformed' ? 'invalid_exact_evm_payload_signature' : null;
  }

  #start(restored: boolean, work: PaidWork | null): void {
    const { deps } = this;
    this.#actor = createActor(paymentMachine, { input: { restored, steps: this.#steps(work) } });
    this.#actor.subscribe({
      next: (snapshot) => this.#follow(snapshot.value, snapshot.context.failureRecorded),
      error: (err) => deps.log.error({ payment: this.#records.id, err }, 'payment machine failed'),
    });
    this.#actor.start();
  }

  /** The steps of the machine; `work` is null where nobody is there to work for, and then they are not asked for. */
  #steps(work: PaidWork | null): PaymentSteps {
    return {
      prepare: () => this.#prepare(work!),
      recordIntent: () => this.#recordIntent(work!),
      settle: (facilitator) => this.#settle(facilitator),
      resolve: () => this.#resolve(),
      recordSettled: (transaction) => this.#records.settled(transaction),
      recordFailed: (reason, open) => this.#records.failed(reason, open),
      pause: (attempts, clientWaiting) => this.#pause(attempts, clientWaiting),
      mayStillSubmit: async () => Number(this.payment.authorization.validBefore) - this.#chainTimeS >= SUBMIT_MARGIN_S,
    };
  }

  async #prepare(work: PaidWork): Promise<Prepared> {
    const [verified, computed] = await Promise.allSettled([this.#verify(work), freeze(work)]);
    if (verified.status === 'rejected') throw verified.reason;
    if (verified.value !== null) return this.#release(verified.value);
    if (computed.status === 'rejected') return this.#release({ kind: 'declined', cause: computed.reason });
    this.#answer = computed.value;
    return { kind: 'ready' };
  }

  /** Returns null where the payment is good, else why not. Verification is read-only, so any facilitator may be asked. */
  async #verify({ demand }: PaidWork): Promise<PaymentOutcome | null> {
    let lastReason = 'no facilitator is configured';
    for (const facilitator of this.deps.facilitators) {
      const verified = await facilitator.verify(this.payment, demand);
      if (verified.kind === 'valid') return null;
      if (verified.kind === 'invalid') return this.#verifyOnChain(verified.reason, demand);
      lastReason = verified.reason;
    }
    return { kind: 'unavailable', reason: lastReason };
  }

  /**
   * Whoever sees an authorization can submit it first. Then verification fails, and we are paid all the same: such a
   * payment is honoured where its signature is the payer's own.
   */
  async #verifyOnChain(reason: string, demand: PaidWork['demand']): Promise<PaymentOutcome | null> {
    const { chain } = this.deps;
    if (!this.isProven) return { kind: 'refused', reason };
    const head = await chain.head();
    if (head === null) return { kind: 'refused', reason };
    const resolution = await chain.resolve(this.payment, demand, Math.max(0, head.blockNumber - PREEMPTED_BLOCKS));
    this.#wasPreempted = resolution.kind === 'paid';
    return this.#wasPreempted ? null : { kind: 'refused', reason };
  }

  async #recordIntent(work: PaidWork): Promise<void> {
    const head = await this.deps.chain.head();
    if (head === null) {
      this.#release({ kind: 'unavailable', reason: 'the chain cannot be read' });
      throw new Error('the chain cannot be read');
    }
    const back = this.#wasPreempted ? PREEMPTED_BLOCKS : RPC_LAG_BLOCKS;
    const intentBlock = Math.max(0, head.blockNumber - back);
    await this.#records.intent({ work, payment: this.payment, answer: this.#answer, intentBlock });
  }

  async #settle(index: number): Promise<Attempted> {
    const { facilitators, log } = this.deps;
    const facilitator = facilitators[index % facilitators.length]!;
    const outcome = await facilitator.settle(this.payment, this.#records.row!.demand);
    log.info({ payment: this.#records.id, facilitator: facilitator.name, ...outcome }, 'settlement attempted');
    return toAttempted(outcome);
  }

  async #resolve(): Promise<Resolved> {
    const { demand, intentBlock } = this.#records.row!;
    const resolution = await this.deps.chain.resolve(this.payment, demand, intentBlock);
    if (resolution.kind === 'unused') this.#chainTimeS = resolution.chainTimeS;
    return toResolved(resolution);
  }

  #pause(attempts: number, clientWaiting: boolean): Promise<void> {
    const fullMs = clientWaiting
      ? (PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? PAUSES_MS[0])
      : RECONCILE_EVERY_MS;
    const waitMs = fullMs / 2 + (fullMs / 2) * this.deps.random.next();
    return new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  #follow(state: string, failureRecorded: boolean): void {
    if (state === 'SETTLED') this.#end(answered(this.#records.row!, false));
    else if (state === 'FAILED') this.#end(this.#refusal());
    else if (state === 'RELEASED')
      this.#end(this.#outcome ?? { kind: 'unavailable', reason: 'the store cannot be written' });
    else if (failureRecorded) this.#tell(this.#refusal());
  }

  #refusal(): PaymentOutcome {
    return { kind: 'refused', reason: this.#records.row?.failReason ?? 'payment failed' };
  }

  #release(outcome: PaymentOutcome): Prepared {
    this.#outcome = outcome;
    return { kind: 'released' };
  }

  #end(outcome: PaymentOutcome): void {
    this.#outcome = outcome;
    this.#tell(outcome);
    this.#actor?.stop();
    this.onEnd();
  }

  #tell(outcome: PaymentOutcome): void {
    for (const leave of [...this.#waiters]) leave(outcome);
  }

  #giveUp(leave: (outcome: PaymentOutcome) => void): void {
    this.isUnresolved = true;
    leave(this.#unknown());
    if (this.#waiters.size === 0) this.#actor?.send({ type: 'clients.gone' });
  }

  #unknown(): PaymentOutcome {
    const transaction = this.#actor?.getSnapshot().context.transaction ?? null;
    return { kind: 'unknown', transaction, retryAfterS: RETRY_AFTER_S };
  }
}

export const OTHER_REQUEST: PaymentOutcome = {
  kind: 'refused',
  reason: 'this authorization was used for another request: sign a new one for this request',
};

function answered(row: PaymentRow, replayed: boolean): PaymentOutcome {
  return {
    kind: 'answered',
    body: row.body!,
    transaction: row.transaction!,
    replayed,
    secret: secretOf(row),
    settledAtMs: row.updatedAtMs,
  };
}
