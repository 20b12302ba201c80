import { createHash } from 'node:crypto';
import { type PaymentKey, paymentKey, type SignedPayment } from '#domain/payment/payment';
import { paymentMachineWith } from '#machines/payment.machine';
import type { Cursor, PaymentsPage } from '#ports/store';
import { claim, OTHER_REQUEST } from './claim.js';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import { PaymentInWork } from './in-work.js';
import { PaymentRun, type PaymentRunDeps } from './payment-run.js';
import { Proofs, type ProofsReport } from './proofs.js';
import { paymentSteps } from './steps.js';

/** Payments in work at once, those that are only watched included. */
export const PAYMENTS_IN_WORK_MAX = 10_000;
/**
 * Authorizations of one wallet in work at once: bounds the answers computed for a balance that pays
 * for one.
 */
export const PAYER_IN_WORK_MAX = 16;
/**
 * Payments of one wallet whose outcome is not known: over it the wallet has to wait until the chain
 * has spoken.
 */
export const PAYER_UNRESOLVED_MAX = 3;
const OPEN_PAGE = 500;

/** How payments stand, for /status.json. */
export interface PaymentsReport {
  readonly inWork: number;
  readonly unresolved: number;
  readonly answered: number;
  readonly refused: number;
  /** Runs that ended by a fault of this program. */
  readonly broken: number;
  readonly proofs: ProofsReport;
}

/**
 * Settles x402 payments: each authorization at most once, whatever crashes, however many copies
 * come, and never for anything but an answer. One actor for each authorization in work; the durable
 * row is the truth.
 */
export class Payments {
  readonly #deps: PaymentDeps;
  readonly #runs = new Map<PaymentKey, PaymentRun>();
  readonly #runDeps: PaymentRunDeps;
  readonly #counts = { answered: 0, refused: 0, broken: 0 };
  readonly #proofs: Proofs;

  /** `provide` makes the machine of its steps. */
  constructor(deps: PaymentDeps, provide = paymentMachineWith) {
    this.#deps = deps;
    this.#proofs = new Proofs(deps);
    const steps = paymentSteps(
      deps,
      (key) => this.#inWork(key),
      () => this.#proofs.wake(),
    );
    this.#runDeps = { timers: deps.timers, log: deps.log, machine: provide(steps) };
  }

  /**
   * Never rejects. Copies of one request share one outcome; another request with the same
   * authorization is refused.
   */
  async pay(payment: SignedPayment, work: PaidWork): Promise<PaymentOutcome> {
    const key = paymentKey(payment);
    const fingerprint = boundFingerprint(work.fingerprint, payment);
    const running = this.#runs.get(key);
    if (running !== undefined) {
      return running.inWork.fingerprint === fingerprint ? running.join() : OTHER_REQUEST;
    }
    if (this.#runs.size >= PAYMENTS_IN_WORK_MAX) {
      return { kind: 'unavailable', reason: 'too many payments are in progress' };
    }
    const run = this.#open({ key, payment, fingerprint });
    const full = this.#whyFull(run);
    if (full !== null) {
      this.#runs.delete(key);
      return { kind: 'unavailable', reason: full };
    }
    const outcome = run.join();
    let began = false;
    claim(run.inWork, work, this.#deps).then(
      (claimed) => {
        began = claimed.kind === 'new';
        run.begin(claimed);
      },
      (error: unknown) => run.break(error),
    );
    const end = this.#count(await outcome);
    return began && end.kind === 'answered' ? { ...end, began } : end;
  }

  /**
   * Takes up what a crash or a stop left open, and begins to check what is not proven. Resolves
   * when every open payment is in work.
   */
  async resume(): Promise<void> {
    const { store, log } = this.#deps;
    let from: Cursor = null;
    do {
      const { items, faults, next }: PaymentsPage = await store.openPayments(from, OPEN_PAGE);
      for (const err of faults) log.error({ err }, 'an open payment cannot be read; its row is left as it is');
      for (const row of items) {
        if (!this.#runs.has(row.key)) this.#open(row).resume(row);
      }
      from = next;
    } while (from !== null);
    if (this.#runs.size > 0) log.info({ payments: this.#runs.size }, 'open payments resumed');
    this.#proofs.start();
  }

  report(): PaymentsReport {
    const unresolved = [...this.#runs.values()].filter((run) => run.isUnresolved).length;
    return { inWork: this.#runs.size, unresolved, ...this.#counts, proofs: this.#proofs.report() };
  }

  stop(): void {
    this.#proofs.stop();
    for (const run of this.#runs.values()) run.stop();
    this.#runs.clear();
  }

  #open(of: ConstructorParameters<typeof PaymentInWork>[0]): PaymentRun {
    const inWork = new PaymentInWork(of, this.#deps.signatures);
    const run = new PaymentRun(inWork, this.#runDeps, {
      ended: () => this.#runs.delete(inWork.key),
      broke: (err) => this.#broke(inWork, err),
    });
    this.#runs.set(inWork.key, run);
    return run;
  }

  #inWork(key: PaymentKey): PaymentInWork {
    const run = this.#runs.get(key);
    if (run === undefined) throw new Error('a step was invoked for a payment that is not in work');
    return run.inWork;
  }

  /** What is open in its row is taken up by a repeat, or at the next start. */
  #broke({ key, id }: PaymentInWork, err: unknown): void {
    this.#deps.log.error({ payment: id, err }, 'the machine of a payment broke; a repeat takes the payment up again');
    this.#runs.delete(key);
    this.#counts.broken++;
  }

  /**
   * Payments that the payer's key did not sign are counted by themselves, so that nobody can use up
   * another's places.
   */
  #whyFull(asking: PaymentRun): string | null {
    let inWork = 0;
    let unresolved = 0;
    for (const run of this.#runs.values()) {
      const isSamePayer = run.inWork.payment.authorization.from === asking.inWork.payment.authorization.from;
      if (run === asking || !isSamePayer || run.inWork.isProven !== asking.inWork.isProven) continue;
      inWork++;
      if (run.isUnresolved) unresolved++;
    }
    if (unresolved >= PAYER_UNRESOLVED_MAX) {
      return `${unresolved} payments of this wallet are not resolved yet: repeat those first`;
    }
    return inWork >= PAYER_IN_WORK_MAX
      ? `${inWork} payments of this wallet are in progress: wait for one of them`
      : null;
  }

  #count(outcome: PaymentOutcome): PaymentOutcome {
    if (outcome.kind === 'answered' || outcome.kind === 'refused') this.#counts[outcome.kind]++;
    return outcome;
  }
}

/**
 * The request and all that was signed, but not how: one authorization has several spellings and may
 * have several signatures.
 */
function boundFingerprint(request: string, { authorization }: SignedPayment): string {
  const { from, to, nonce } = authorization;
  const numbers = [authorization.value, authorization.validAfter, authorization.validBefore].map(
    (text) => `${BigInt(text)}`,
  );
  return createHash('sha256')
    .update(JSON.stringify([request, from, to, nonce, ...numbers]))
    .digest('hex');
}
