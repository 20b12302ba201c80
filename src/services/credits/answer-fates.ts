import type { Account, UnansweredDebit } from '#domain/credits/credits';
import type { AnswerFate } from '#domain/credits/unanswered';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Random } from '#ports/random';

/** Names a process among all that ever debited in a data directory. */
const LIFE_BYTES = 8;
/**
 * A debit of another process is lost after this long: its caller was answered, or told that it was
 * not, well before.
 */
const OTHERS_OPEN_MS_MAX = 30_000;
/** Debits that may be lost and are not given back yet. Beyond it nothing is debited without a key. */
const LOST_MAX = 10_000;

/**
 * What this process knows of the debits that nobody can repeat: those that are under way, those
 * whose callers were told that they may have been debited, and wallets with notes that have had
 * their time. The notes themselves lie in the accounts, so nothing is lost with this process.
 */
export class AnswerFates {
  /** What the id of each debit of this process begins with. */
  readonly #life: string;
  #begun = 0;
  readonly #open = new Set<string>();
  readonly #lost = new Map<string, WalletAddress>();
  readonly #stale = new Set<WalletAddress>();
  #settled: Account | null = null;

  constructor(random: Pick<Random, 'bytes'>) {
    this.#life = `${Buffer.from(random.bytes(LIFE_BYTES)).toString('base64url')}.`;
  }

  /** Returns the id of a debit that begins. Throws an OutsideError when too many are not given back yet. */
  begin(): string {
    if (this.#lost.size >= LOST_MAX) {
      const text = 'too many debits may have to be given back; check the disk';
      throw new OutsideError('store', text, { failure: 'retryable' });
    }
    const id = this.#life + this.#begun++;
    this.#open.add(id);
    return id;
  }

  /** It is on disk, and its caller has the answer. */
  answered(id: string, wallet: WalletAddress): void {
    this.#open.delete(id);
    this.#stale.add(wallet);
  }

  /** Nothing was debited. */
  dropped(id: string): void {
    this.#open.delete(id);
  }

  /** Its caller was told that it may have been debited. */
  lost(id: string, wallet: WalletAddress): void {
    this.#open.delete(id);
    this.#lost.set(id, wallet);
  }

  fateOf({ id, atMs }: UnansweredDebit, nowMs: number): AnswerFate {
    if (!id.startsWith(this.#life)) return Math.abs(nowMs - atMs) >= OTHERS_OPEN_MS_MAX ? 'lost' : 'open';
    if (this.#lost.size > 0 && this.#lost.has(id)) return 'lost';
    return this.#open.has(id) ? 'open' : 'answered';
  }

  /**
   * Whether the account comes from the last decision of this same transaction, in which nothing can
   * become known: a crowd of debits of one wallet is else looked through by each of them.
   */
  isSettled(account: Account): boolean {
    return account === this.#settled;
  }

  settled(account: Account): void {
    this.#settled = account;
  }

  /**
   * Returns the wallets with notes whose fate is known, each with what it lost: to be forgotten once
   * a later transaction has found it or not. Wallets whose debits were only answered are forgotten.
   */
  takeWallets(): ReadonlyMap<WalletAddress, readonly string[]> {
    const wallets = new Map<WalletAddress, string[]>();
    for (const wallet of this.#stale) wallets.set(wallet, []);
    this.#stale.clear();
    for (const [id, wallet] of this.#lost) {
      const ids = wallets.get(wallet);
      if (ids === undefined) wallets.set(wallet, [id]);
      else ids.push(id);
    }
    return wallets;
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#lost.delete(id);
  }

  /** The wallet's notes could not be looked at. */
  again(wallet: WalletAddress): void {
    this.#stale.add(wallet);
  }
}
