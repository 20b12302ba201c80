import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { isLate, nextRefreshS } from '#domain/rating/rating-windows';
import type { StoredRating } from '#domain/rating/stored-rating';
import { walletMachineWith } from '#machines/wallet.machine';
import type { WalletRow, WalletRowsPage } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import type { QueuePosition } from '#ports/wallet-claims';
import { ratingConfigHash } from '../ratings/config-hash.js';
import type { Standing, WalletAnswer, WalletDeps, WalletsReport } from './contract.js';
import { NeverTraded } from './never-traded.js';
import { WalletQueue } from './queue.js';
import { newRow } from './rows.js';
import { SharedQueue, type WalletsInWork } from './shared-queue.js';
import { standingOf } from './standing.js';
import { walletSteps } from './steps.js';
import { outlookOf, WalletRun, type WalletRunDeps } from './wallet-run.js';

/** Wallets computed at once: bounds the calls to the venue and what is held in memory. */
export const WALLETS_COMPUTED_AT_ONCE = 4;
/** Wallets in work: queued, computed, or resting after a failure. */
export const WALLETS_IN_WORK_MAX = 2_000;
const ROWS_PAGE = 500;
/** Rows that a start looks at: an earlier process may have left more than this one takes in. */
const ROWS_RESUMED_MAX = 2 * WALLETS_IN_WORK_MAX;

interface Arrival {
  readonly caller: string;
  readonly answer: Promise<WalletAnswer>;
}

type Rated = Extract<Standing, { readonly stored: StoredRating }>;

/**
 * Answers what is known about a wallet, and has the rest computed: once per wallet however many
 * calls ask for it, in turn, and surviving a crash. What cannot be read is never a verdict: the
 * wallet stays queued.
 */
export class Wallets {
  readonly #deps: WalletDeps;
  readonly #queue = new WalletQueue(WALLETS_COMPUTED_AT_ONCE);
  readonly #runs = new Map<WalletAddress, WalletRun>();
  /** Wallets that are being taken in; calls that come meanwhile get the same answer. */
  readonly #arriving = new Map<WalletAddress, Arrival>();
  readonly #neverTraded: NeverTraded;
  readonly #hash: string;
  readonly #runDeps: WalletRunDeps;
  readonly #counts = { rated: 0, failures: 0, unreadable: 0, broken: 0 };
  /** The queue that processes share; null: this one works off its own. */
  readonly #shared: SharedQueue | null;
  #lastError: string | null = null;
  #stopped = false;

  /** `provide` makes the machine of its steps. */
  constructor(deps: WalletDeps, provide = walletMachineWith) {
    this.#deps = deps;
    this.#neverTraded = new NeverTraded(deps);
    this.#hash = ratingConfigHash(deps.config);
    const failed = (error: string) => this.#failed(error);
    const noteUnreadable = () => {
      this.#counts.unreadable++;
    };
    this.#shared = deps.sharing === undefined ? null : new SharedQueue({ ...deps, ...deps.sharing }, this.#inWork());
    const store = this.#shared?.claimedStore() ?? deps.store;
    const steps = walletSteps({ ...deps, store, queue: this.#queue, hash: this.#hash, failed, noteUnreadable });
    this.#runDeps = { clock: deps.clock, log: deps.log, queue: this.#queue, machine: provide(steps) };
  }

  /** Takes up what a crash or a stop left in work, first what was queued first. */
  async resume(): Promise<void> {
    const meanMs = await this.#deps.store.profileMeanMs();
    if (meanMs !== null) this.#queue.expect(meanMs);
    if (this.#shared !== null) return this.#shared.start();
    let from: Cursor = null;
    const rows: WalletRow[] = [];
    do {
      const { items, next, malformed = [] }: WalletRowsPage = await this.#deps.store.walletRows(from, ROWS_PAGE);
      const requeued = await Promise.all(malformed.map(({ wallet, error }) => this.#queueAnew(wallet, error)));
      rows.push(...items, ...requeued);
      from = next;
    } while (from !== null && rows.length < ROWS_RESUMED_MAX);
    for (const row of rows.toSorted((a, b) => a.queuedAtMs - b.queuedAtMs)) {
      if (this.#runs.size >= WALLETS_IN_WORK_MAX) break;
      if (!this.#runs.has(row.wallet)) this.#begin(row);
    }
    if (this.#runs.size > 0) this.#deps.log.info({ wallets: this.#runs.size }, 'queued wallets resumed');
  }

  /**
   * Returns the rating in force, or that there is none, or that the wallet is queued. `wallet` is
   * in lower case; `caller` names who may cause only so much queued work. Throws a Problem when the
   * queue or the caller's share is full, and the OutsideError of a store that cannot be read.
   */
  async ask(wallet: WalletAddress, caller: string): Promise<WalletAnswer> {
    const run = this.#runs.get(wallet);
    const standing = await this.#standing(wallet);
    if (standing.kind === 'rated' || standing.kind === 'no_coverage') return this.#answer(standing);
    if (run !== undefined) return queued(run);
    if (this.#neverTraded.isCached(wallet)) return this.#answer({ kind: 'no_coverage', stored: null });
    const position = (await this.#shared?.positionOf(wallet)) ?? null;
    if (position !== null) return this.#queuedAt(position);
    const arriving = this.#arriving.get(wallet);
    if (arriving !== undefined) return this.#join(arriving, wallet, caller);
    const answer = this.#takeIn(wallet, caller).finally(() => this.#arriving.delete(wallet));
    this.#arriving.set(wallet, { caller, answer });
    return answer;
  }

  /** A caller is not refused for what another caller has used up. */
  #join(arrival: Arrival, wallet: WalletAddress, caller: string): Promise<WalletAnswer> {
    return arrival.answer.catch((error: unknown) => {
      const isTheirs = error instanceof Problem && error.code === 'rate_limited' && arrival.caller !== caller;
      if (isTheirs) return this.ask(wallet, caller);
      throw error;
    });
  }

  report(): WalletsReport {
    const { clock } = this.#deps;
    const runs = [...this.#runs.values()];
    const oldestAtMs = runs.reduce((least, { queuedAtMs }) => Math.min(least, queuedAtMs), Number.POSITIVE_INFINITY);
    return {
      queued: this.#queue.length,
      inWork: this.#queue.working,
      resting: runs.filter(({ isResting }) => isResting).length,
      oldestQueuedAgeMs: runs.length === 0 ? null : Math.max(0, clock.nowMs() - oldestAtMs),
      ...this.#sharedReport(),
      meanMs: Math.round(this.#queue.meanMs),
      ...this.#counts,
      lastError: this.#lastError,
    };
  }

  /**
   * Ends the work; what is not done stays in its rows for the next start, or for another process.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const run of this.#runs.values()) run.stop();
    this.#runs.clear();
    await this.#shared?.stop();
  }

  #inWork(): WalletsInWork {
    return {
      slots: () => WALLETS_COMPUTED_AT_ONCE - this.#runs.size,
      begin: (row) => void this.#begin(row),
      drop: (wallet) => this.#drop(wallet),
    };
  }

  /** Of a queue that processes share the length is that of all; what is in work, of this one. */
  #sharedReport(): Partial<WalletsReport> {
    if (this.#shared === null) return {};
    const { waiting, resting, oldestQueuedAtMs } = this.#shared.summary;
    const ageMs = oldestQueuedAtMs === null ? null : Math.max(0, this.#deps.clock.nowMs() - oldestQueuedAtMs);
    return { queued: waiting, resting, oldestQueuedAgeMs: ageMs };
  }

  /**
   * The key of a row that cannot be read has all that matters: the wallet that callers wait for.
   */
  async #queueAnew(wallet: WalletAddress, err: unknown): Promise<WalletRow> {
    this.#deps.log.error({ wallet, err }, 'the row of a queued wallet cannot be read; it is queued again');
    const row = newRow(wallet, this.#deps.clock.nowMs());
    await this.#deps.store.putWalletRow(row);
    return row;
  }

  #standing(wallet: WalletAddress): Promise<Standing> {
    const { store, clock, config } = this.#deps;
    return standingOf(wallet, { store, nowMs: clock.nowMs(), config, hash: this.#hash });
  }

  async #takeIn(wallet: WalletAddress, caller: string): Promise<WalletAnswer> {
    // Again: the wallet's work may have ended since it was looked at.
    const standing = await this.#standing(wallet);
    if (standing.kind === 'rated' || standing.kind === 'no_coverage') return this.#answer(standing);
    const run = this.#runs.get(wallet);
    if (run !== undefined) return queued(run);
    this.#refuseWhenFull();
    const row = await this.#deps.store.walletRow(wallet).catch((err) => this.#queueAnew(wallet, err));
    if (row === null) await this.#limit(caller);
    if (row === null && standing.kind === 'unknown' && (await this.#neverTraded.look(wallet))) {
      return this.#answer({ kind: 'no_coverage', stored: null });
    }
    return this.#enqueue(row ?? newRow(wallet, this.#deps.clock.nowMs()));
  }

  async #limit(caller: string): Promise<void> {
    const waitS = await this.#deps.limitCaller(caller);
    if (waitS !== null) throw tooMuch('You have requested too many wallets that are not computed yet', waitS);
  }

  #refuseWhenFull(): void {
    if (this.#shared !== null || this.#runs.size + this.#arriving.size <= WALLETS_IN_WORK_MAX) return;
    throw this.#tooMany(this.#queue.length);
  }

  #tooMany(waiting: number): Problem {
    return tooMuch('Too many wallets are waiting to be computed', this.#queue.retryAfterS(waiting));
  }

  /** Durable before the wallet is reported as queued. */
  async #enqueue(row: WalletRow): Promise<WalletAnswer> {
    if (this.#shared !== null) return this.#enter(row, this.#shared);
    if (!this.#stopped) await this.#deps.store.putWalletRow(row);
    if (this.#stopped) throw new Problem('shutting_down', 'The service is stopping. Try again in a moment.');
    return queued(this.#begin(row));
  }

  async #enter(row: WalletRow, shared: SharedQueue): Promise<WalletAnswer> {
    const position = await shared.enter(row, WALLETS_IN_WORK_MAX);
    if (position === null) throw this.#tooMany(WALLETS_IN_WORK_MAX);
    return this.#queuedAt(position);
  }

  #queuedAt(position: QueuePosition): WalletAnswer {
    return { kind: 'queued', ...outlookOf(position, this.#queue, this.#deps.clock.nowMs()) };
  }

  #begin(row: WalletRow): WalletRun {
    const run = new WalletRun(row, this.#runDeps, {
      ended: (isRated) => this.#ended(row.wallet, isRated),
      broke: (error) => this.#broke(row.wallet, error),
    });
    this.#runs.set(row.wallet, run);
    run.start();
    return run;
  }

  #ended(wallet: WalletAddress, isRated: boolean): void {
    this.#drop(wallet);
    if (!isRated) return;
    this.#counts.rated++;
    this.#lastError = null;
  }

  #failed(error: string): void {
    this.#counts.failures++;
    this.#lastError = error;
  }

  /**
   * Its row is left as it is: the wallet is queued anew by the next call that asks for it, and by
   * the next start.
   */
  #broke(wallet: WalletAddress, err: unknown): void {
    this.#deps.log.error(
      { wallet, err },
      'the machine of a wallet broke; the wallet is queued again when it is requested',
    );
    this.#drop(wallet);
    this.#counts.broken++;
  }

  #drop(wallet: WalletAddress): void {
    this.#runs.get(wallet)?.stop();
    this.#runs.delete(wallet);
    this.#shared?.forget(wallet);
  }

  #answer(existing: Rated | { readonly kind: 'no_coverage'; readonly stored: null }): WalletAnswer {
    const asOfS = existing.stored?.rating.asOfS ?? null;
    const nowS = Math.floor(this.#deps.clock.nowMs() / 1e3);
    const nextLookMs = this.#deps.nextLookAtMs?.() ?? null;
    const next = nextRefreshS(nowS, asOfS, nextLookMs === null ? null : Math.ceil(nextLookMs / 1e3));
    const late = asOfS !== null && isLate(nowS, asOfS) ? { isLate: true } : {};
    return { ...existing, nextRefreshS: next, ...late } as WalletAnswer;
  }
}

function queued(run: WalletRun): WalletAnswer {
  return { kind: 'queued', ...run.outlook() };
}

function tooMuch(what: string, retryAfterS: number): Problem {
  return new Problem('rate_limited', `${what}. Try again in ${retryAfterS} s.`, { retryAfterS });
}
