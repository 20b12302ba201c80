import { type PaymentKey, paymentKey, type SignedPayment } from '#domain/payment/payment';
import { isAttended, type PaymentRow } from '#domain/payment/payment-row';
import { paymentMachineWith } from '#machines/payment.machine';
import type { OwnedPayment } from '#ports/store';
import { CountedLimit } from '../counted-limit.js';
import { lookUp, OTHER_REQUEST } from './claim.js';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import { PaymentInWork, spellingOf } from './in-work.js';
import { toUnknown } from './outcomes.js';
import { PaymentRun, type PaymentRunDeps } from './payment-run.js';
import { Proofs, type ProofsReport } from './proofs.js';
import { hasBegunByName, type NamedPurchase, REPEAT_NAMES } from './purchase-names.js';
import { Runs } from './runs.js';
import { paymentSteps } from './steps.js';
import { TakeOvers } from './take-over.js';
import { VerificationRate } from './verification-rate.js';
import { RareLooks, TAKEN_UP_MS, WATCHED_MAX, watchedCloselyMs } from './watched-payments.js';
import { boundFingerprint } from './work.js';

/** Payments in work at once, those that are only watched included. */
export const PAYMENTS_IN_WORK_MAX = 10_000;

/** How payments stand, for /status.json. */
export interface PaymentsReport {
  readonly inWork: number;
  readonly unresolved: number;
  readonly answered: number;
  readonly refused: number;
  /** Signed by the payer's key, and nobody could verify them: nothing was charged. */
  readonly unverified: number;
  /** Of those that ended in the last five minutes; null: they were few. */
  readonly unverifiedShare: number | null;
  /** Runs that ended by a fault of this program. */
  readonly broken: number;
  /** Taken up since the start from processes that are gone. */
  readonly takenOver: number;
  readonly proofs: ProofsReport;
}

/**
 * Settles x402 payments: each authorization at most once, whatever crashes, however many copies
 * come, and never for anything but an answer. Each running authorization has an actor of the
 * machine; the durable row is the truth.
 */
export class Payments {
  readonly #deps: PaymentDeps;
  readonly #runs = new Runs();
  /**
   * Payments whose row and signer are being looked at, by their spelling: anybody can send another's
   * authorization with a signature or a request of its own.
   */
  readonly #lookedUp = new Map<string, PaymentRun>();
  readonly #runDeps: PaymentRunDeps;
  readonly #takeOvers: TakeOvers;
  readonly #rareLooks: RareLooks;
  readonly #counts = { answered: 0, refused: 0, unverified: 0, broken: 0 };
  readonly #verifications: VerificationRate;
  readonly #proofs: Proofs;
  readonly #repeatNames: CountedLimit;

  /** `provide` makes the machine of its steps. */
  constructor(deps: PaymentDeps, provide = paymentMachineWith) {
    this.#deps = deps;
    this.#verifications = new VerificationRate(deps.clock);
    this.#proofs = new Proofs(deps);
    this.#repeatNames = new CountedLimit(REPEAT_NAMES, deps.clock);
    const steps = paymentSteps(deps, (key) => this.#inWork(key), {
      unproven: () => this.#proofs.wake(),
      attend: (payment, signal) => this.#attend(payment, signal),
    });
    this.#runDeps = { timers: deps.timers, log: deps.log, machine: provide(steps) };
    this.#takeOvers = new TakeOvers(deps, {
      has: (key) => this.#runs.has(key),
      isFull: () => this.#isFull(),
      placesToWatch: () => WATCHED_MAX - this.#runs.watched,
      resume: (row) => this.#resume(row),
    });
    this.#rareLooks = new RareLooks(deps, {
      has: (key) => this.#runs.has(key),
      takeUp: (open) => this.#takeOvers.takeUp(open, { isUnattended: true }),
    });
  }

  /**
   * Takes up what a crash or a stop left open, and from then on what other processes leave.
   * Resolves when every payment that is open now is in work, and what is not proven is being
   * checked.
   */
  async start(): Promise<void> {
    await this.#takeOvers.start();
    this.#rareLooks.start();
    this.#proofs.start();
  }

  /**
   * Never rejects. Copies of one request share one outcome; another request with the same
   * authorization is refused.
   */
  async pay(payment: SignedPayment, work: PaidWork): Promise<PaymentOutcome> {
    const key = paymentKey(payment);
    const fingerprint = boundFingerprint(work.fingerprint, payment);
    const spelling = spellingOf(key, payment, fingerprint);
    const running = this.#runs.get(key);
    const same = running?.inWork.spelling === spelling ? running : this.#lookedUp.get(spelling);
    if (same !== undefined) return this.#join(same, work);
    // It may be one that was sent before, by whomever: nobody has looked.
    if (this.#isFull()) return toUnknown();
    const run = this.#open({ key, payment, fingerprint });
    this.#lookedUp.set(spelling, run);
    const outcome = run.join(work);
    lookUp(run.inWork, work, this.#deps, this.#repeatNames)
      .then((settled) => settled ?? this.#admit(run, work))
      .then(
        (settled) => run.begin(settled),
        (error: unknown) => run.break(error),
      );
    const end = this.#count(await outcome);
    if (!run.inWork.began || end.kind !== 'answered') return end;
    this.#deps.refused.noteGood(run.inWork.sender);
    return { ...end, began: true };
  }

  /**
   * Whether an authorization has paid for a request, or is at work on it; or, where the purchase is
   * named, another one under a name of it. `request` is the fingerprint of the work. Rejects as the
   * store does.
   */
  async hasBegun(payment: SignedPayment, request: string, named?: NamedPurchase): Promise<boolean> {
    const { store, signatures } = this.#deps;
    const [key, fingerprint] = [paymentKey(payment), boundFingerprint(request, payment)];
    if (this.#isPaying(key, spellingOf(key, payment, fingerprint))) return true;
    const row = await store.payment(key);
    const isOwn = row !== null && row.state !== 'FAILED' && row.fingerprint === fingerprint;
    if (isOwn || named === undefined || named.names.length === 0) return isOwn;
    return signatures.check(payment) === 'matches' && hasBegunByName(payment, request, named, this.#deps);
  }

  /** Whether it is in work in this very spelling, and not only watched after a refusal. */
  #isPaying(key: PaymentKey, spelling: string): boolean {
    const run = this.#runs.get(key);
    return (run?.inWork.spelling === spelling && !run.isWatched) || this.#lookedUp.has(spelling);
  }

  #join(first: PaymentRun, work: PaidWork): Promise<PaymentOutcome> {
    const { id: payment, ids } = first.inWork;
    this.#deps.log.debug({ requestId: work.requestId, payment, first: ids.requestId }, 'a copy waits for the first');
    return first.join(work);
  }

  /**
   * Puts a run into work whose signer may pay and whose row says nothing yet; null: it begins. Where
   * another spelling of the authorization is in work, its outcome is the outcome, unless it pays for
   * another request. Not before: what a stranger sent speaks for nobody.
   */
  #admit(run: PaymentRun, work: PaidWork): Promise<PaymentOutcome> | PaymentOutcome | null {
    const first = this.#runs.get(run.inWork.key);
    if (first !== undefined) {
      return first.inWork.fingerprint === run.inWork.fingerprint ? this.#join(first, work) : OTHER_REQUEST;
    }
    // Not there any more: it was stopped meanwhile.
    if (this.#lookedUp.delete(run.inWork.spelling)) this.#runs.add(run, this.#deps.clock.nowMs());
    return null;
  }

  async #attend({ row, isOwnerAlive }: OwnedPayment, signal: AbortSignal): Promise<boolean> {
    if (!this.#runs.has(row.key) && !isAttended(row, isOwnerAlive)) await this.#takeOvers.takeUp(row);
    const run = this.#runs.get(row.key);
    run?.attend(signal);
    return run !== undefined;
  }

  report(): PaymentsReport {
    const unresolved = this.#runs.all().filter((run) => run.isUnresolved).length;
    return {
      inWork: this.#runs.size + this.#lookedUp.size,
      unresolved,
      takenOver: this.#takeOvers.taken,
      ...this.#counts,
      unverifiedShare: this.#verifications.share(),
      proofs: this.#proofs.report(),
    };
  }

  /** What is open is left to the process that takes it over. */
  stop(): void {
    this.#proofs.stop();
    this.#takeOvers.stop();
    this.#rareLooks.stop();
    for (const run of [...this.#runs.all(), ...this.#lookedUp.values()]) run.stop();
    this.#runs.clear();
    this.#lookedUp.clear();
  }

  #isFull(): boolean {
    return this.#runs.size + this.#lookedUp.size >= PAYMENTS_IN_WORK_MAX;
  }

  #open(of: ConstructorParameters<typeof PaymentInWork>[0]): PaymentRun {
    const inWork = new PaymentInWork(of, this.#deps.signatures);
    const run: PaymentRun = new PaymentRun(inWork, this.#runDeps, {
      ended: () => this.#remove(run),
      broke: (err) => this.#broke(run, err),
      watched: () => this.#watch(run),
    });
    return run;
  }

  #resume(row: PaymentRow): void {
    const run = this.#open(row);
    this.#runs.add(run, this.#deps.clock.nowMs());
    run.resume(row);
  }

  #remove(run: PaymentRun): void {
    run.inWork.giveBack();
    this.#lookedUp.delete(run.inWork.spelling);
    this.#runs.remove(run);
  }

  /** Watches a refused payment for a while; its row is there for the looks that come later. */
  #watch(run: PaymentRun): void {
    const { clock, timers } = this.#deps;
    const leave = () => {
      this.#remove(run);
      run.stop();
    };
    const closelyMs = watchedCloselyMs(run.inWork.recorded, clock.nowMs());
    // One that is older was taken up because the chain knows what became of it.
    if (closelyMs > 0 && this.#runs.watched >= WATCHED_MAX) leave();
    else this.#runs.watch(run, timers.after(Math.max(TAKEN_UP_MS, closelyMs), leave));
  }

  #inWork(key: PaymentKey): PaymentInWork {
    const run = this.#runs.get(key);
    if (run === undefined) throw new Error('a step was invoked for a payment that is not running');
    return run.inWork;
  }

  /** What is open in its row is taken up by a repeat, or at the next start. */
  #broke(run: PaymentRun, err: unknown): void {
    const { key, ids } = run.inWork;
    this.#deps.log.error({ ...ids, err }, 'the machine of a payment broke; a repeat takes the payment up again');
    this.#remove(run);
    this.#takeOvers.leaveAlone(key);
    this.#counts.broken++;
  }

  #count(outcome: PaymentOutcome): PaymentOutcome {
    const isUnverified = outcome.kind === 'unavailable' && !outcome.isUnproven;
    if (outcome.kind === 'answered' || outcome.kind === 'refused') this.#counts[outcome.kind]++;
    if (isUnverified) this.#counts.unverified++;
    if (isUnverified || outcome.kind === 'answered') this.#verifications.note(!isUnverified);
    return outcome;
  }
}
