import { isLongLived, type PaymentKey } from '#domain/payment/payment';
import type { PaymentRun } from './payment-run.js';

/** The payments in work of this process, by key, and how many each wallet has among them. */
export class Runs {
  readonly #byKey = new Map<PaymentKey, PaymentRun>();
  /** By payer, those that its key signed apart: nobody else can use up its places. */
  readonly #ofPayer = new Map<string, number>();
  /** Those that stay open for longer than they should. */
  readonly #longLived = new Set<PaymentRun>();
  /** Those that are refused: they take nobody's place. With what to call when they end. */
  readonly #watched = new Map<PaymentRun, () => void>();

  get size(): number {
    return this.#byKey.size;
  }

  /** How many are only watched. */
  get watched(): number {
    return this.#watched.size;
  }

  get(key: PaymentKey): PaymentRun | undefined {
    return this.#byKey.get(key);
  }

  has(key: PaymentKey): boolean {
    return this.#byKey.has(key);
  }

  all(): readonly PaymentRun[] {
    return [...this.#byKey.values()];
  }

  add(run: PaymentRun, nowMs: number): void {
    run.inWork.othersLongLived = this.#longLived.size;
    if (isLongLived(run.inWork.payment.authorization, Math.floor(nowMs / 1e3))) this.#longLived.add(run);
    const payer = payerOf(run);
    const others = this.#ofPayer.get(payer) ?? 0;
    run.inWork.othersOfPayer = others;
    this.#ofPayer.set(payer, others + 1);
    this.#byKey.set(run.inWork.key, run);
  }

  /** Notes that a run is only watched from now on; `ended` is called when it is no more. */
  watch(run: PaymentRun, ended: () => void): void {
    this.#giveUpPlaces(run);
    this.#watched.set(run, ended);
  }

  remove(run: PaymentRun): void {
    if (this.#byKey.get(run.inWork.key) !== run) return;
    this.#byKey.delete(run.inWork.key);
    const ended = this.#watched.get(run);
    this.#watched.delete(run);
    if (ended === undefined) this.#giveUpPlaces(run);
    else ended();
  }

  #giveUpPlaces(run: PaymentRun): void {
    this.#longLived.delete(run);
    const payer = payerOf(run);
    const left = (this.#ofPayer.get(payer) ?? 0) - 1;
    if (left > 0) this.#ofPayer.set(payer, left);
    else this.#ofPayer.delete(payer);
  }

  clear(): void {
    this.#byKey.clear();
    this.#ofPayer.clear();
    this.#longLived.clear();
    for (const ended of this.#watched.values()) ended();
    this.#watched.clear();
  }
}

function payerOf({ inWork: { payment, signer } }: PaymentRun): string {
  return `${signer} ${payment.authorization.from}`;
}
