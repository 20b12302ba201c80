import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { systemRandom } from '#adapters/process/system-random';
import type { WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits/credits';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { START_MS } from './credits-home.js';

/**
 * How often each outcome was seen over all histories, so that a run can show that it was not an
 * idle one.
 */
export type Seen = Map<string, number>;

/** The part of LMDB's file that says where everything else is. */
const HEADS_BYTES = 8_192;

/**
 * The file as a killed process would leave it, though another thread is writing it. The heads are
 * read first: what they speak of was written before them and is not overwritten by the next two
 * transactions.
 */
function imageOf(path: string): Buffer {
  const heads = Buffer.alloc(HEADS_BYTES);
  const file = openSync(path, 'r');
  readSync(file, heads, 0, HEADS_BYTES, 0);
  closeSync(file);
  return Buffer.concat([heads, readFileSync(path).subarray(HEADS_BYTES)]);
}

/**
 * A real store under credits, which can lose its process as far as that can be done without one.
 */
export class LedgerBench {
  readonly #fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  readonly #seen: Seen;
  nowMs = START_MS;
  readonly clock = { nowMs: () => this.nowMs, elapsedMs: () => this.nowMs };
  readonly #abandoned: Promise<void>[] = [];
  #path: string;
  #store: Store;
  #credits: Credits;

  private constructor(fixture: Awaited<ReturnType<typeof makeLmdbFixture>>, seen: Seen) {
    this.#fixture = fixture;
    this.#seen = seen;
    this.#path = fixture.path;
    this.#store = openLmdbStore({ path: this.#path });
    this.#credits = this.#serve();
  }

  static async open(seen: Seen): Promise<LedgerBench> {
    return new LedgerBench(await makeLmdbFixture(), seen);
  }

  get store(): Store {
    return this.#store;
  }

  get credits(): Credits {
    return this.#credits;
  }

  note(outcome: string): void {
    this.#seen.set(outcome, (this.#seen.get(outcome) ?? 0) + 1);
  }

  /** Requests of a wallet that are booked, in the order in which they were. */
  async booked(wallet: WalletAddress): Promise<readonly string[]> {
    const ledger = await this.store.ledger(wallet, 10_000);
    return ledger.filter(({ kind }) => kind === 'debit').map(({ requestId }) => requestId ?? '');
  }

  /** Requests of a wallet whose debits are noted, because their answers may not have gone out. */
  async unanswered(wallet: WalletAddress): Promise<readonly string[]> {
    return (await this.store.account(wallet))?.unanswered.map(({ requestId }) => requestId) ?? [];
  }

  async reopen(): Promise<void> {
    await this.#store.close();
    this.#openAt(this.#path);
  }

  /**
   * Goes on with what is in the file at this instant: nothing is flushed or closed before, and what
   * was under way goes on in a file that nobody reads any more, as it would be lost with a process.
   */
  crash(): void {
    const path = `${this.#fixture.path}-${this.#abandoned.length}.lmdb`;
    writeFileSync(path, imageOf(this.#path));
    this.#abandoned.push(this.#store.close());
    this.#openAt(path);
  }

  async remove(): Promise<void> {
    await Promise.all([this.#store.close(), ...this.#abandoned]);
    await this.#fixture.remove();
  }

  #openAt(path: string): void {
    this.#path = path;
    this.#store = openLmdbStore({ path });
    this.#credits = this.#serve();
  }

  #serve(): Credits {
    return createCredits({ store: this.#store, ...CREDIT_SECRETS, clock: this.clock, random: systemRandom });
  }
}
