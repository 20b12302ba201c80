import { type Account, emptyAccount } from '#domain/credits/credits';
import { parseToken } from '#domain/credits/token';
import { settleUnanswered } from '#domain/credits/unanswered';
import type { WalletAddress } from '#domain/ids';

/** By then what a dead process left is given back, or was answered. */
const DOUBT_MS = 120_000;

interface ModelLot {
  readonly dueMs: number;
  /** The stored name of its promo code; null: bought or granted. */
  readonly source: string | null;
  credits: number;
}

interface Purse {
  readonly lots: ModelLot[];
  debitedAtMs: number;
  /** One token for each source. */
  readonly tokens: Map<string | null, string>;
}

/** What customers should have: what was given less what was answered, by true time. */
export class Purses {
  readonly #purses = new Map<WalletAddress, Purse>();
  /** Since when. */
  readonly #doubtful = new Map<WalletAddress, number>();
  readonly #sources = new Map<string, string | null>();

  add(token: string | null, wallet: WalletAddress, lot: Readonly<ModelLot>): void {
    const purse: Purse = this.#purses.get(wallet) ?? { lots: [], tokens: new Map(), debitedAtMs: 0 };
    this.#purses.set(wallet, purse);
    purse.lots.push({ ...lot });
    purse.lots.sort((a, b) => a.dueMs - b.dueMs);
    if (token === null) return;
    purse.tokens.set(lot.source, token);
    this.#sources.set(token, lot.source);
  }

  /** Takes credits from those that end first. */
  debit(token: string, credits: number, nowMs: number): void {
    const wallet = parseToken(token)?.wallet;
    const purse = wallet === undefined ? undefined : this.#purses.get(wallet);
    if (purse !== undefined) purse.debitedAtMs = nowMs;
    const lots = this.#lotsOf(token);
    let left = credits;
    for (const lot of lots) {
      if (lot.dueMs <= nowMs) continue;
      const taken = Math.min(left, lot.credits);
      lot.credits -= taken;
      left -= taken;
    }
  }

  /** What this token reaches at least; null: nobody knows. */
  expected(token: string, nowMs: number, nearMs: number): number | null {
    const wallet = parseToken(token)?.wallet;
    const isKnown = this.#sources.has(token) && wallet !== undefined && !this.#doubtful.has(wallet);
    return isKnown ? sum(this.#lotsOf(token), nowMs + nearMs) : null;
  }

  /** A call was cut off: whether it was charged is not known here. */
  doubt(wallet: WalletAddress, nowMs: number): void {
    this.#doubtful.set(wallet, nowMs);
  }

  /** A debit that nobody can repeat may be given back where its process dies soon after. */
  doubtDebitsSince(atMs: number, nowMs: number): void {
    for (const [wallet, { debitedAtMs }] of this.#purses) if (debitedAtMs >= atMs) this.doubt(wallet, nowMs);
  }

  /** Takes what the store has for what is in doubt. */
  async settle(accountOf: (wallet: WalletAddress) => Promise<Account | null>, nowMs: number): Promise<void> {
    for (const [wallet, sinceMs] of this.#doubtful) {
      if (nowMs - sinceMs < DOUBT_MS) continue;
      this.#doubtful.delete(wallet);
      const account = (await accountOf(wallet)) ?? emptyAccount(wallet);
      const { lots: known } = settleUnanswered(account, () => 'lost', nowMs).account;
      const lots = known.map(({ kind, source, remaining, expiresAtMs }) => ({
        ...{ credits: remaining, dueMs: expiresAtMs },
        source: kind === 'promo' ? source : null,
      }));
      const purse = this.#purses.get(wallet);
      if (purse !== undefined) purse.lots.splice(0, purse.lots.length, ...lots);
    }
  }

  /** What balances should be. */
  *looks(nowMs: number, nearMs: number) {
    for (const [wallet, { tokens, lots }] of this.#purses) {
      if (this.#doubtful.has(wallet)) continue;
      for (const [source, token] of tokens) {
        const own = source === null ? lots : lots.filter((lot) => lot.source === source);
        yield { token, min: sum(own, nowMs + nearMs), max: sum(own, nowMs - nearMs) };
      }
    }
  }

  #lotsOf(token: string): readonly ModelLot[] {
    const wallet = parseToken(token)?.wallet;
    const lots = wallet === undefined ? [] : (this.#purses.get(wallet)?.lots ?? []);
    const source = this.#sources.get(token) ?? null;
    return source === null ? lots : lots.filter((lot) => lot.source === source);
  }
}

function sum(lots: readonly ModelLot[], aliveAtMs: number): number {
  return lots.reduce((total, { credits, dueMs }) => total + (dueMs > aliveAtMs ? credits : 0), 0);
}
