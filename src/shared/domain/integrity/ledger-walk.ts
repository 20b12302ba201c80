import { type Account, type LedgerEntry, type LedgerKind, type Lot, sumRemaining } from '../credits/credits.js';
import { broken, type StoreFault } from './fault.js';

/** Which way each kind of entry moves the balance. */
const SIGNS: Readonly<Record<LedgerKind, 1 | -1>> = { grant: 1, debit: -1, expire: -1, revoke: -1, refund: 1 };

/** One wrong number makes others wrong; so many of a wallet say enough. */
const FAULTS_PER_WALLET_MAX = 10;

/** What a lot held at the moment to which the walk has come, and the most that it held after it. */
interface Held {
  readonly now: number;
  readonly most: number;
}

/**
 * Walks a wallet's ledger from its newest entry back to the first, undoing one after the other:
 * what the account says now must come out as nothing before the first entry. It keeps one number
 * per lot, whatever the length of the ledger.
 */
export class LedgerWalk {
  readonly #account: Account;
  readonly #faults: StoreFault[] = [];
  readonly #held = new Map<number, Held>();
  readonly #lots: ReadonlyMap<number, Lot>;
  #next: number;
  #balance: number;
  /** Grants - debits + refunds - expired - revoked, of the entries seen. */
  #moved = 0;

  constructor(account: Account) {
    this.#account = account;
    this.#lots = new Map(account.lots.map((lot) => [lot.id, lot]));
    for (const { id, remaining } of account.lots) this.#held.set(id, { now: remaining, most: remaining });
    this.#next = account.lastEntry;
    this.#balance = sumRemaining(account.lots);
    this.#lookAtLots();
  }

  /** Takes the next older entry. */
  see(entry: LedgerEntry): void {
    const { number, credits, balanceAfter, wallet } = entry;
    if (wallet !== this.#account.wallet) this.#fault(`entry ${number} is one of ${wallet}`);
    if (number !== this.#next) this.#fault(`entry ${number} is in the place of entry ${this.#next}`);
    if (balanceAfter !== this.#balance) {
      this.#fault(`entry ${number} says balance ${balanceAfter}, and what came after it says ${this.#balance}`);
    }
    const shares = entry.lots.reduce((sum, share) => sum + share.credits, 0);
    if (credits < 1 || shares !== credits) {
      this.#fault(`entry ${number} is of ${credits} credits, and its shares of lots of ${shares}`);
    }
    this.#undo(entry);
    this.#moved += SIGNS[entry.kind] * credits;
    this.#next = number - 1;
    this.#balance = balanceAfter - SIGNS[entry.kind] * credits;
  }

  /** Returns what is wrong, once the oldest entry was seen. */
  end(): readonly StoreFault[] {
    const left = sumRemaining(this.#account.lots);
    if (this.#next !== 0) this.#fault(`entries 1 to ${this.#next} are missing`);
    if (this.#balance !== 0) this.#fault(`the first entry leaves a balance of ${this.#balance} before it`);
    if (this.#moved !== left) {
      this.#fault(`grants - debits + refunds - expired - revoked are ${this.#moved}, and its lots hold ${left}`);
    }
    for (const id of this.#held.keys()) this.#fault(`lot ${id} was never given`);
    return this.faults();
  }

  /** Returns what is wrong as far as the walk has come. */
  faults(): readonly StoreFault[] {
    return this.#faults.slice(0, FAULTS_PER_WALLET_MAX);
  }

  #lookAtLots(): void {
    const { lots, lastEntry } = this.#account;
    if (this.#lots.size !== lots.length) this.#fault('two of its lots have one number');
    let expiresAtMs = 0;
    for (const lot of lots) {
      const { id, remaining, credits } = lot;
      if (id < 1 || id > lastEntry) this.#fault(`lot ${id} is of no entry: the newest one is ${lastEntry}`);
      if (remaining < 1 || remaining > credits) this.#fault(`lot ${id} holds ${remaining} of ${credits} credits`);
      if (lot.expiresAtMs < expiresAtMs) this.#fault(`lot ${id} is behind one that expires later`);
      expiresAtMs = lot.expiresAtMs;
    }
  }

  #undo({ number, kind, lots, atMs }: LedgerEntry): void {
    for (const { lotId, credits } of lots) {
      const held = this.#held.get(lotId) ?? { now: 0, most: 0 };
      const now = held.now - SIGNS[kind] * credits;
      if (now < 0) this.#fault(`entry ${number} gives lot ${lotId} ${credits} credits, ${-now} of which it never held`);
      if (lotId > number) this.#fault(`entry ${number} is about lot ${lotId}, which was given later`);
      this.#held.set(lotId, { now: Math.max(now, 0), most: Math.max(held.most, now) });
    }
    if (kind === 'grant') this.#undoGrant(number, lots, atMs);
  }

  /** Before its grant a lot holds nothing, and after it never more than was given. */
  #undoGrant(number: number, lots: LedgerEntry['lots'], atMs: number): void {
    const [share] = lots;
    if (share === undefined || lots.length !== 1 || share.lotId !== number) {
      this.#fault(`entry ${number} is a grant, and gives another lot than ${number}`);
      return;
    }
    const held = this.#held.get(number)!;
    this.#held.delete(number);
    if (held.now !== 0) this.#fault(`lot ${number} held ${held.now} credits before it was given`);
    if (held.most > share.credits) {
      this.#fault(`lot ${number} held ${held.most} credits, and ${share.credits} were given`);
    }
    const lot = this.#lots.get(number);
    if (lot !== undefined && (lot.credits !== share.credits || lot.grantedAtMs !== atMs)) {
      this.#fault(`lot ${number} is not as its entry gave it`);
    }
  }

  #fault(what: string): void {
    this.#faults.push(broken(`wallet ${this.#account.wallet}`, what));
  }
}
