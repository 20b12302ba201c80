import { type Actor, createActor, type InputFrom, type SnapshotFrom } from 'xstate';
import type { PaymentRow } from '#domain/payment/payment-row';
import { waitsForProof } from '#domain/payment/proof';
import type { PaymentMachine } from '#machines/payment.machine';
import { inspectTransitions } from '../inspect-transitions.js';
import { withTimeout } from '../with-timeout.js';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toRefused, toUnknown } from './outcomes.js';

/**
 * How long one request waits for the outcome of its payment; then the answer is that it is not
 * known yet.
 */
export const REQUEST_BUDGET_MS = 25_000;
/**
 * How much of that it waits when the payment was sent and no facilitator or block says what became
 * of it: settling usually takes up to 5 s.
 */
export const SILENCE_MS_MAX = 8_000;
/** Sent, and not known to be paid or not. */
const SILENT_STATES: readonly string[] = ['SETTLING', 'RESOLVING', 'WAITING'];

export interface PaymentRunDeps extends Pick<PaymentDeps, 'timers' | 'log'> {
  readonly machine: PaymentMachine;
}

/** How a run ends, if it is not stopped; one of the first two is called once. */
export interface PaymentRunEnds {
  readonly ended: () => void;
  /** The machine itself broke, by a fault of this program. */
  readonly broke: (error: unknown) => void;
  /** Its clients are refused, and the chain is only watched: called once, before the end. */
  readonly watched: () => void;
}

/** One running authorization: its actor, and the requests that wait for its outcome. */
export class PaymentRun {
  readonly #deps: PaymentRunDeps;
  readonly #ends: PaymentRunEnds;
  readonly #outcome: Promise<PaymentOutcome>;
  #resolve: (outcome: PaymentOutcome) => void = () => {};
  /** What requests are answered, as soon as it is known. */
  #settled: PaymentOutcome | null = null;
  #waiting = 0;
  #waitsForSending: (() => void)[] = [];
  #actor: Actor<PaymentMachine> | null = null;
  /** Whether a request was answered that the outcome is not known. */
  isUnresolved = false;
  /** Whether its clients are refused, and the chain is only watched. */
  isWatched = false;

  constructor(
    readonly inWork: PaymentInWork,
    deps: PaymentRunDeps,
    ends: PaymentRunEnds,
  ) {
    this.#deps = deps;
    this.#ends = ends;
    this.#outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /**
   * Ends with what a look at the payment has shown, or begins to work on it, for the requests that
   * have joined; not when none of them waits any more.
   */
  begin(outcome: PaymentOutcome | null): void {
    // It was stopped meanwhile.
    if (this.#settled !== null) return;
    if (outcome !== null) this.#end(outcome);
    else if (this.#waiting === 0) this.#end(this.#unknown());
    else this.#start({ epoch: 0, restored: false, refusal: null });
  }

  /**
   * Resumes a row that is ours and that no request waits for: the chain is asked until it knows.
   */
  resume(row: PaymentRow): void {
    this.isUnresolved = row.state === 'SETTLING';
    this.inWork.row = row;
    this.#start({
      epoch: row.epoch,
      restored: true,
      refusal: row.state === 'FAILED' ? toRefused(row).reason : null,
    });
  }

  /** Waits for the outcome, for as long as one request may. */
  async join(work: PaidWork): Promise<PaymentOutcome> {
    if (this.#settled !== null) return this.#settled;
    this.inWork.work ??= work;
    this.#waiting++;
    this.#actor?.send({ type: 'client.waiting' });
    const { timers } = this.#deps;
    const silence = new Promise<void>((resolve) => {
      this.#onceSent(() => {
        const cancel = timers.after(SILENCE_MS_MAX, () => this.#isSilent() && resolve());
        void this.#outcome.then(cancel);
      });
    });
    const known = Promise.race([this.#outcome, silence]);
    const outcome = await withTimeout(known, { timers, ms: REQUEST_BUDGET_MS }, () => undefined);
    return outcome ?? this.#giveUp();
  }

  /** Counts one more who waits for it, until the signal: under another authorization for the same purchase. */
  attend(signal: AbortSignal): void {
    if (this.#settled !== null || signal.aborted) return;
    this.#waiting++;
    this.#actor?.send({ type: 'client.waiting' });
    signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  /** Calls back at once where the payment was sent already. */
  #onceSent(call: () => void): void {
    if (this.#isSilent()) call();
    else this.#waitsForSending.push(call);
  }

  #isSilent(): boolean {
    return this.#settled === null && SILENT_STATES.includes(String(this.#actor?.getSnapshot().value));
  }

  /** Ends the run by a fault of this program: what became of the payment is not known here. */
  break(error: unknown): void {
    this.#answer(this.#unknown());
    this.#ends.broke(error);
  }

  stop(): void {
    this.#actor?.stop();
    this.#answer(this.#unknown());
  }

  #start({ epoch, restored, refusal }: Pick<InputFrom<PaymentMachine>, 'epoch' | 'restored' | 'refusal'>): void {
    const { key, payment } = this.inWork;
    const input = {
      key,
      validBeforeS: Number(payment.authorization.validBefore),
      epoch,
      restored,
      refusal,
      waitsForProof: waitsForProof((this.inWork.row ?? this.inWork.requested).demand.amountMicros),
    };
    const { machine, log } = this.#deps;
    this.#actor = createActor(machine, { input, ...inspectTransitions(log, this.inWork.ids) });
    this.#actor.subscribe({
      next: (snapshot) => this.#look(snapshot),
      error: (error) => this.break(error),
    });
    this.#actor.start();
  }

  /** A refusal is answered as soon as it is durable, though the chain is still watched after it. */
  #look({ context, output, value }: SnapshotFrom<PaymentMachine>): void {
    if (output !== undefined) this.#end(output.kind === 'left' ? this.#unknown() : output);
    else if (context.refusal !== null) this.#refuse(context.refusal);
    if (SILENT_STATES.includes(String(value))) for (const call of this.#waitsForSending.splice(0)) call();
  }

  #refuse(reason: string): void {
    if (this.isWatched) return;
    this.isWatched = true;
    this.#answer({ kind: 'refused', reason });
    this.#ends.watched();
  }

  #end(outcome: PaymentOutcome): void {
    this.#answer(outcome);
    this.#ends.ended();
  }

  #answer(outcome: PaymentOutcome): void {
    const { isProven, began } = this.inWork;
    const isUnproven = outcome.kind === 'unavailable' && !(isProven && began);
    this.#settled ??= isUnproven ? { ...outcome, isUnproven } : outcome;
    this.#resolve(this.#settled);
  }

  #giveUp(): PaymentOutcome {
    this.isUnresolved = true;
    this.#leave();
    return this.#unknown();
  }

  #leave(): void {
    if (--this.#waiting === 0) this.#actor?.send({ type: 'clients.gone' });
  }

  #unknown(): PaymentOutcome {
    return toUnknown(this.#actor?.getSnapshot().context.transaction);
  }
}
