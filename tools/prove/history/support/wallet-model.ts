import type { Call, Requested } from './calls.js';

/** What a wallet is to its callers: a counter, and what was charged and redeemed. */
export class WalletModel {
  balance: number;
  /** What was left after the charge of a key. */
  readonly #charged = new Map<string, number>();
  readonly #redeemed = new Set<string>();

  constructor(balance: number) {
    this.balance = balance;
  }

  /**
   * Does what was asked, as if nobody else were there. Returns what takes it back, or null where it
   * would not have been answered as it was. What was not answered may have any end.
   */
  step({ requested, sent }: Pick<Call, 'requested' | 'sent'>): (() => void) | null {
    switch (requested.kind) {
      case 'charge':
        return this.#charge(requested, sent);
      case 'redeem':
        return this.#redeem(requested, sent);
      case 'grant':
        if (requested.seen !== null && requested.seen.balance !== this.balance + requested.credits) return null;
        return this.#add(requested.credits);
      case 'read':
        return requested.seen.balance === this.balance ? () => undefined : null;
    }
  }

  #charge({ key, seen }: Requested & { kind: 'charge' }, sent: number): (() => void) | null {
    const existing = this.#charged.get(key);
    if (seen === 'too little') return existing === undefined && this.balance < 1 ? () => undefined : null;
    if (existing !== undefined) {
      const isSame = seen === null || (seen.left === existing && (seen.isReplay || sent > 1));
      return isSame ? () => undefined : null;
    }
    if (this.balance < 1) return seen === null ? () => undefined : null;
    // A repeat of its own may have been what charged it.
    if (seen !== null && (seen.left !== this.balance - 1 || (seen.isReplay && sent === 1))) return null;
    const back = this.#add(-1);
    this.#charged.set(key, this.balance);
    return () => {
      this.#charged.delete(key);
      back();
    };
  }

  #redeem({ code, credits, seen }: Requested & { kind: 'redeem' }, sent: number): (() => void) | null {
    const isThere = this.#redeemed.has(code);
    if (seen === 'gone') return isThere ? null : () => undefined;
    if (isThere) return seen === 'redeemed' ? null : () => undefined;
    if (seen === 'already' && sent === 1) return null;
    const back = this.#add(credits);
    this.#redeemed.add(code);
    return () => {
      this.#redeemed.delete(code);
      back();
    };
  }

  #add(credits: number): () => void {
    this.balance += credits;
    return () => {
      this.balance -= credits;
    };
  }
}
