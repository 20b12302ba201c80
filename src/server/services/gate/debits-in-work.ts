/**
 * Calls whose credits are being debited although they brought a payment, by that payment. A copy
 * without the token waits for them: the payment is not to pay once more for what they paid for.
 * There are no more of them than calls in work.
 */
export class DebitsInWork {
  readonly #byPayment = new Map<string, Promise<unknown>>();

  /** Runs what may debit. It is in work from the call on, and until it has ended either way. */
  async run<T>(payment: string, debit: () => Promise<T>): Promise<T> {
    const others = this.#byPayment.get(payment);
    const running = debit();
    const all = Promise.allSettled([others, running]);
    this.#byPayment.set(payment, all);
    void all.then(() => {
      if (this.#byPayment.get(payment) === all) this.#byPayment.delete(payment);
    });
    return running;
  }

  /** Resolves when those that are in work now have ended; null: there is none. */
  ended(payment: string): Promise<unknown> | null {
    return this.#byPayment.get(payment) ?? null;
  }
}
