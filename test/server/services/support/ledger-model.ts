import type { AnswerLookup } from '#services/credits/charges';
import { START_MS } from './credits-home.js';

const DAY = 86_400_000;
/** After this long a debit of a process that is gone is given back. */
const OPEN_MS = 30_000;

interface Gift {
  readonly kind: 'purchase' | 'promo' | 'grant';
  /** The promo code, where it came from one. */
  readonly code: string;
  readonly expiresAtMs: number;
  left: number;
}

interface ModelToken {
  readonly token: string;
  /** The promo code that it came from; null: bought or given by an operator. */
  readonly code: string | null;
}

interface ModelWallet {
  /** Oldest first, the spent and the expired included. */
  readonly gifts: Gift[];
  /** Every token that was ever minted. */
  readonly minted: string[];
  /** The valid ones of each scope, oldest first. */
  readonly valid: Record<'purchase' | 'promo', ModelToken[]>;
  /** Requests that were charged for, in order. */
  readonly charged: string[];
  /** Debits of which nobody knows any more whether they were answered. */
  unanswered: ModelDebit[];
}

interface ModelDebit {
  readonly request: string;
  readonly atMs: number;
  shares: readonly (readonly [gift: Gift, credits: number])[];
}

interface ModelPromo {
  readonly credits: number;
  readonly walletsMax: number;
  readonly expiresAtMs: number;
  readonly wallets: number[];
  revoked: boolean;
}

/** What a charge should come to. */
export type ModelCharge =
  | { readonly kind: 'charged'; readonly remaining: number }
  | { readonly kind: 'replayed'; readonly body: string; readonly madeAtMs: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'insufficient'; readonly balance: number };

/**
 * What the ledger should say, kept in the plainest way: gifts of which less and less is left, and
 * lists.
 */
export class LedgerModel {
  nowMs = START_MS;
  readonly promos = new Map<string, ModelPromo>();
  readonly wallets = new Map<number, ModelWallet>();
  readonly #debits = new Map<string, ModelDebit>();
  readonly #answers = new Map<string, { fingerprint: string; body: string; expiresAtMs: number }>();

  wallet(n: number): ModelWallet {
    const existing = this.wallets.get(n) ?? {
      gifts: [],
      minted: [],
      valid: { purchase: [], promo: [] },
      charged: [],
      unanswered: [],
    };
    this.wallets.set(n, existing);
    return existing;
  }

  give(n: number, kind: Gift['kind'], credits: number, days: number, code = ''): void {
    this.wallet(n).gifts.push({ kind, code, expiresAtMs: this.nowMs + days * DAY, left: credits });
  }

  /**
   * What a token of this code (null: any other token) may spend, in the order in which it is spent.
   * Sorting leaves those that expire together as they came.
   */
  spendable(n: number, by: string | null): readonly Gift[] {
    return this.wallet(n)
      .gifts.filter(({ left, expiresAtMs, code }) => {
        return left > 0 && expiresAtMs > this.nowMs && (by === null || code === by);
      })
      .sort((a, b) => a.expiresAtMs - b.expiresAtMs);
  }

  balance(n: number, by: string | null): { readonly balance: number; readonly expiresAtMs: number | null } {
    const gifts = this.spendable(n, by);
    return { balance: gifts.reduce((sum, { left }) => sum + left, 0), expiresAtMs: gifts[0]?.expiresAtMs ?? null };
  }

  /** Takes from the gifts in their order, as much as there is. Returns how much it was. */
  take(gifts: readonly Gift[], credits: number): number {
    let taken = 0;
    for (const gift of gifts) {
      const share = Math.min(credits - taken, gift.left);
      gift.left -= share;
      taken += share;
    }
    return taken;
  }

  mint(n: number, code: string | null, token: string): void {
    const { minted, valid } = this.wallet(n);
    const scope = code === null ? 'purchase' : 'promo';
    minted.push(token);
    valid[scope] = [...valid[scope], { token, code }].slice(-5);
  }

  /** The token if it is valid. */
  tokenOf(n: number, token: string): ModelToken | null {
    const { valid } = this.wallet(n);
    return [...valid.purchase, ...valid.promo].find((one) => one.token === token) ?? null;
  }

  answer(n: number, by: string | null, key: string, fingerprint: string): AnswerLookup {
    const stored = this.#answers.get(`${n} ${by} ${key}`);
    if (stored === undefined || stored.expiresAtMs <= this.nowMs) return { kind: 'none' };
    const { body, expiresAtMs } = stored;
    return stored.fingerprint === fingerprint
      ? { kind: 'found', body, madeAtMs: expiresAtMs - DAY }
      : { kind: 'conflict' };
  }

  keep(n: number, by: string | null, key: string, fingerprint: string, body: string): void {
    this.#answers.set(`${n} ${by} ${key}`, { fingerprint, body, expiresAtMs: this.nowMs + DAY });
  }

  charge(n: number, by: string | null, credits: number, request: string): ModelCharge {
    const { balance } = this.balance(n, by);
    if (balance < credits) return { kind: 'insufficient', balance };
    const gifts = this.spendable(n, by);
    const before = gifts.map(({ left }) => left);
    this.take(gifts, credits);
    const shares = gifts.map((gift, i) => [gift, before[i]! - gift.left] as const);
    this.#debits.set(request, { request, atMs: this.nowMs, shares: shares.filter(([, share]) => share > 0) });
    this.wallet(n).charged.push(request);
    return { kind: 'charged', remaining: balance - credits };
  }

  /** A process is gone, and left notes of these debits. */
  leave(n: number, noted: readonly string[]): void {
    this.wallet(n).unanswered = noted.map((request) => this.#debits.get(request)!);
  }

  /** Gives back what was left long enough ago. Returns how many debits that were. */
  refund(n: number): number {
    const wallet = this.wallet(n);
    const due = wallet.unanswered.filter(({ atMs }) => this.nowMs - atMs >= OPEN_MS);
    for (const { shares } of due) for (const [gift, credits] of shares) gift.left += credits;
    wallet.unanswered = wallet.unanswered.filter((debit) => !due.includes(debit));
    return due.length;
  }

  /** What is taken back whole is not given back after that. */
  forgive(n: number, isMeant: (gift: Gift) => boolean): void {
    const wallet = this.wallet(n);
    for (const debit of wallet.unanswered) debit.shares = debit.shares.filter(([gift]) => !isMeant(gift));
    wallet.unanswered = wallet.unanswered.filter(({ shares }) => shares.length > 0);
  }

  redeem(n: number, code: string): 'redeemed' | 'unknown_code' | 'already_redeemed' | 'expired' | 'exhausted' {
    const promo = this.promos.get(code);
    if (promo === undefined) return 'unknown_code';
    if (promo.wallets.includes(n)) return 'already_redeemed';
    if (promo.revoked || promo.expiresAtMs <= this.nowMs) return 'expired';
    if (promo.wallets.length >= promo.walletsMax) return 'exhausted';
    promo.wallets.push(n);
    this.give(n, 'promo', promo.credits, 365, code);
    return 'redeemed';
  }
}
