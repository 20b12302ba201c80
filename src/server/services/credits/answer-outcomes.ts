import type { Account, UnansweredDebit } from '#domain/credits/credits';
import type { AnswerOutcome } from '#domain/credits/unanswered';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Random } from '#system/random';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import { OpenNumbers } from './open-numbers.js';

/** Names a process among all that ever debited in a data directory. */
const LIFE_BYTES = 8;
/**
 * A debit of another process is lost after this long: its caller was answered, or told that it was
 * not, well before.
 */
const OTHERS_OPEN_MS_MAX = 30_000;
/** The character code of the digit 0. */
const ZERO = 48;
/**
 * Debits that may be lost and are not given back yet. Beyond it nothing is debited without a key.
 */
const LOST_MAX = 10_000;

/**
 * What this process knows of the debits that nobody can repeat: those that are under way, those
 * whose callers were told that they may have been debited, and wallets with notes that have had
 * their time. The notes themselves lie in the accounts, so nothing is lost with this process.
 */
export class AnswerOutcomes {
  /** What the id of each debit of this process begins with; its number follows. */
  readonly #life: string;
  readonly #open = new OpenNumbers();
  readonly #lost = new Map<string, WalletAddress>();
  readonly #stale = new Set<WalletAddress>();
  #settled: Account | null = null;

  constructor(random: Pick<Random, 'bytes'>) {
    this.#life = `${Buffer.from(random.bytes(LIFE_BYTES)).toString('base64url')}.`;
  }

  /**
   * Returns the number of a debit that begins. Throws an OutsideError when too many are not given
   * back yet.
   */
  begin(): number {
    if (this.#lost.size >= LOST_MAX) {
      const text = 'too many debits may have to be given back; check the disk';
      throw new OutsideError('store', text, { failure: 'retryable' });
    }
    return this.#open.begin();
  }

  /** Returns the id under which the debit is noted. */
  idOf(number: number): string {
    return this.#life + number;
  }

  /** It is on disk, and its caller has the answer. */
  answered(number: number, wallet: WalletAddress): void {
    this.#open.end(number);
    this.#stale.add(wallet);
  }

  /** Nothing was debited. */
  dropped(number: number): void {
    this.#open.end(number);
  }

  /** Its caller was told that it may have been debited. */
  lost(number: number, wallet: WalletAddress): void {
    this.#open.end(number);
    this.#lost.set(this.idOf(number), wallet);
  }

  outcomeOf({ id, atMs }: UnansweredDebit, lapsedByMs: number): AnswerOutcome {
    const number = this.#numberOf(id);
    if (number === null) {
      const isOver = lapsedByMs !== NOTHING_LAPSES_MS && Math.abs(lapsedByMs - atMs) >= OTHERS_OPEN_MS_MAX;
      return isOver ? 'lost' : 'open';
    }
    if (this.#lost.size > 0 && this.#lost.has(id)) return 'lost';
    return this.#open.has(number) ? 'open' : 'answered';
  }

  /** Returns the number of a debit of this process, or null for another's. */
  #numberOf(id: string): number | null {
    const { length } = this.#life;
    // Of two processes almost always the first character differs.
    if (id.charCodeAt(0) !== this.#life.charCodeAt(0) || !id.startsWith(this.#life)) return null;
    let number = 0;
    for (let at = length; at < id.length; at++) number = number * 10 + id.charCodeAt(at) - ZERO;
    return number;
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
   * Returns the wallets with notes whose fate is known, each with what it lost: to be forgotten
   * once a later transaction has found it or not. Wallets whose debits were only answered are
   * forgotten.
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
