import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { RatingsStore, WalletRow } from '#ports/ratings-store';
import type { QueuePosition, QueueSummary, WalletClaim, WalletClaims } from '#ports/wallet-claims';
import { interval } from '../interval.js';
import type { WalletDeps } from './contract.js';
import { newRow } from './rows.js';

/** How often a process looks for wallets to rate that others have queued or left. */
const TAKE_INTERVAL_MS = 1_000;
const RENEW_INTERVAL_MS = 4_000;
/**
 * This long after its last renewal was sent a process gives its wallets up: soon others may have
 * them.
 */
const TRUST_MS = 10_000;

type SharedQueueDeps = Pick<WalletDeps, 'store' | 'clock' | 'timers' | 'log' | 'patienceMs'> & {
  readonly claims: WalletClaims;
  /** Names this life of the process. */
  readonly owner: string;
};

/** The wallets in work of this process. */
export interface WalletsInWork {
  /** How many more it may rate at once. */
  readonly slots: () => number;
  /** Rates a wallet that is ours now. */
  readonly begin: (row: WalletRow) => void;
  /** Ends the work on one that is not, without a word to anybody. */
  readonly drop: (wallet: WalletAddress) => void;
}

/**
 * The queue that processes on one store share: a wallet is rated by the one that has claimed it,
 * and by another if that one dies. What an earlier owner still writes is refused, and its work
 * dropped.
 */
export class SharedQueue {
  readonly #deps: SharedQueueDeps;
  readonly #work: WalletsInWork;
  readonly #claims = new Map<WalletAddress, WalletClaim>();
  readonly #stopping = new AbortController();
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #taking: Promise<void> = Promise.resolve();
  #isTakeRequested = false;
  #summary: QueueSummary = { waiting: 0, inWork: 0, resting: 0, oldestQueuedAtMs: null };

  constructor(deps: SharedQueueDeps, work: WalletsInWork) {
    this.#deps = deps;
    this.#work = work;
  }

  /** The queue of all processes, as it was a few seconds ago. */
  get summary(): QueueSummary {
    return this.#summary;
  }

  start(): void {
    const { timers, log } = this.#deps;
    const onError = (err: unknown) => {
      if (!this.#stopping.signal.aborted) log.error({ err }, 'the queue of wallets cannot be looked at');
      this.#dropIfDistrusted();
    };
    const options = { timers, signal: this.#stopping.signal, onError };
    void interval(TAKE_INTERVAL_MS, () => this.#take(), options);
    void interval(RENEW_INTERVAL_MS, () => this.#renew(), options);
  }

  /** Takes nothing more, and gives what it has to whoever takes it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#taking.catch(() => undefined);
    this.#claims.clear();
    // What cannot be given up runs out.
    await this.#deps.claims.release(this.#deps.owner).catch(() => undefined);
  }

  positionOf(wallet: WalletAddress): Promise<QueuePosition | null> {
    return this.#deps.claims.positionOf(wallet);
  }

  /** Queues a wallet, durably; null: too many wait. It is begun at once if there is a place. */
  async enter(row: WalletRow, rowsMax: number): Promise<QueuePosition | null> {
    const position = await this.#deps.claims.enter(row, rowsMax);
    if (position !== null) void this.#take().catch(() => undefined);
    return position;
  }

  /** Forgets a wallet whose work has ended here. */
  forget(wallet: WalletAddress): void {
    this.#claims.delete(wallet);
    if (!this.#stopping.signal.aborted) void this.#take().catch(() => undefined);
  }

  /**
   * The store as the steps of a wallet see it: they write for as long as the wallet is claimed, and
   * no longer.
   */
  claimedStore(): RatingsStore {
    const { store, claims } = this.#deps;
    return {
      ...store,
      putWalletRow: async (row) => {
        const write = row.state === 'FAILED' ? claims.giveBack : claims.keep;
        await this.#whileOurs(row.wallet, (claim) => write(claim, row));
        if (row.state === 'FAILED') this.#lose(row.wallet);
      },
      removeWalletRow: (wallet) => this.#whileOurs(wallet, (claim) => claims.remove(claim)),
      putDemandRating: (stored: StoredRating) =>
        this.#whileOurs(stored.rating.wallet as WalletAddress, (claim) => claims.finish(claim, stored)),
    };
  }

  async #whileOurs(wallet: WalletAddress, write: (claim: WalletClaim) => Promise<boolean>): Promise<void> {
    const claim = this.#claims.get(wallet);
    if (claim !== undefined && (await write(claim))) return;
    this.#lose(wallet);
    throw new OutsideError('store', 'another process rates the wallet', { failure: 'final' });
  }

  #lose(wallet: WalletAddress): void {
    this.#claims.delete(wallet);
    this.#work.drop(wallet);
  }

  /** One look after the other; whoever asks for one meanwhile gets one more. */
  #take(): Promise<void> {
    if (this.#isTakeRequested) return this.#taking;
    this.#isTakeRequested = true;
    this.#taking = this.#taking
      .catch(() => undefined)
      .then(() => {
        this.#isTakeRequested = false;
        return this.#takeOnce();
      });
    return this.#taking;
  }

  async #takeOnce(): Promise<void> {
    const { claims, clock, owner, patienceMs } = this.#deps;
    const slots = this.#work.slots();
    if (this.#stopping.signal.aborted || slots <= 0) return;
    const waitedMs = patienceMs === undefined ? 0 : await patienceMs();
    if (waitedMs === null) return;
    const sentAtMs = clock.elapsedMs();
    const nowMs = clock.nowMs();
    for (const { claim, row } of await claims.take(owner, slots, { nowMs, queuedUntilMs: nowMs - waitedMs })) {
      if (this.#stopping.signal.aborted) return;
      if (this.#claims.size === 0) this.#renewedAtMs = sentAtMs;
      this.#claims.set(claim.wallet, claim);
      this.#work.begin(row === null ? newRow(claim.wallet, nowMs) : sinceNow(row, nowMs));
    }
  }

  async #renew(): Promise<void> {
    const { claims, clock, owner } = this.#deps;
    this.#dropIfDistrusted();
    const sentAtMs = clock.elapsedMs();
    if (this.#claims.size > 0) {
      const before = [...this.#claims.keys()];
      const ours = new Set(await claims.renew(owner, before));
      this.#renewedAtMs = sentAtMs;
      for (const wallet of before) if (this.#claims.has(wallet) && !ours.has(wallet)) this.#lose(wallet);
    }
    this.#summary = await claims.summary(clock.nowMs());
  }

  #dropIfDistrusted(): void {
    if (this.#claims.size === 0 || this.#deps.clock.elapsedMs() - this.#renewedAtMs <= TRUST_MS) return;
    this.#deps.log.warn({ wallets: this.#claims.size }, 'running wallets are left to other processes');
    for (const wallet of [...this.#claims.keys()]) this.#lose(wallet);
  }
}

/** A row of a clock that was ahead is one of now: else it would be given up when that time comes. */
function sinceNow(row: WalletRow, nowMs: number): WalletRow {
  const { queuedAtMs, nextAttemptAtMs } = row;
  return { ...row, queuedAtMs: Math.min(queuedAtMs, nowMs), nextAttemptAtMs: Math.min(nextAttemptAtMs, nowMs) };
}
