import {
  asyncScheduler,
  filter,
  interval,
  map,
  merge,
  type Observable,
  type SchedulerLike,
  Subject,
  share,
  takeUntil,
} from 'rxjs';
import type { TokenId } from '#domain/ids';
import { completionOf } from './operators.js';

/** Tokens that joined or left the hot set; never both empty. */
export interface SubscriptionChange {
  readonly added: readonly TokenId[];
  readonly removed: readonly TokenId[];
}

export interface HotSetOptions {
  /** How many tokens may be subscribed at once; the least recently used idle one makes room. */
  readonly tokensMax: number;
  /** How long a token stays subscribed after its last holder released it. */
  readonly lingerMs: number;
  /** How often tokens whose time is over are removed: one timer for all of them. */
  readonly sweepMs: number;
  readonly scheduler?: SchedulerLike;
}

interface Holding<Attached> {
  /** What is kept with the token for as long as it is subscribed; undefined: nothing yet. */
  attached: Attached | undefined;
  holders: number;
  /**
   * A whole number: it is written for each request, and of a fraction a new one would be made for
   * each.
   */
  idleSinceMs: number;
  /** A number that grows: who has the smallest was asked for longest ago. */
  usedAt: number;
}

/**
 * Which tokens are subscribed, and why: counted holders, a linger after the last one, and a bound.
 * A holder is a request that looks at the book, or anything that needs it kept fresh. What is kept
 * with a token goes with it, so that it is found and marked as used in one look.
 */
export class HotSet<Attached> {
  readonly #held = new Map<TokenId, Holding<Attached>>();
  #turn = 0;
  readonly #requested = new Subject<SubscriptionChange>();
  readonly #options: HotSetOptions;
  readonly #scheduler: SchedulerLike;
  /**
   * What to subscribe and unsubscribe. Tokens whose time is over are removed for as long as this is
   * subscribed to.
   */
  readonly changes$: Observable<SubscriptionChange>;

  constructor(options: HotSetOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? asyncScheduler;
    this.changes$ = merge(this.#requested, this.#sweeps$()).pipe(share());
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Holds a token. Returns what releases it (once), or null if every place is taken by a token that
   * is still held.
   */
  acquire(tokenId: TokenId): (() => void) | null {
    const existing = this.#held.get(tokenId);
    if (existing === undefined && this.#held.size >= this.#options.tokensMax && !this.#evictOldest()) return null;
    const holding = existing ?? { attached: undefined, holders: 0, idleSinceMs: 0, usedAt: 0 };
    holding.holders++;
    holding.usedAt = ++this.#turn;
    if (existing === undefined) {
      this.#held.set(tokenId, holding);
      this.#requested.next({ added: [tokenId], removed: [] });
    }
    let held = true;
    return () => {
      if (held) this.#release(holding);
      held = false;
    };
  }

  /**
   * Keeps something with a token, if it is subscribed and nothing is kept with it yet. Returns what
   * is kept.
   */
  keep(tokenId: TokenId, make: () => Attached): Attached | undefined {
    const existing = this.#held.get(tokenId);
    if (existing === undefined) return undefined;
    existing.attached ??= make();
    return existing.attached;
  }

  /** Returns what is kept with a token; undefined: nothing is, or it is not subscribed. */
  peek(tokenId: TokenId): Attached | undefined {
    return this.#held.get(tokenId)?.attached;
  }

  /**
   * Returns the same, of a token that stays subscribed for a while from now on as if it were held
   * and released.
   */
  use(tokenId: TokenId): Attached | undefined {
    const holding = this.#held.get(tokenId);
    if (holding === undefined) return undefined;
    holding.usedAt = ++this.#turn;
    holding.idleSinceMs = Math.floor(this.#scheduler.now());
    return holding.attached;
  }

  /** Everything that is kept. */
  *attached(): IterableIterator<Attached> {
    for (const { attached } of this.#held.values()) if (attached !== undefined) yield attached;
  }

  /** Removes a token at once, held or not: the venue has no book for it. */
  drop(tokenId: TokenId): void {
    if (this.#held.delete(tokenId)) this.#requested.next({ added: [], removed: [tokenId] });
  }

  stop(): void {
    this.#requested.complete();
  }

  #release(holding: Holding<Attached>): void {
    holding.holders--;
    holding.idleSinceMs = Math.floor(this.#scheduler.now());
  }

  #evictOldest(): boolean {
    let oldest: TokenId | null = null;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (const [tokenId, { holders, usedAt }] of this.#held) {
      if (holders > 0 || usedAt > oldestUse) continue;
      oldest = tokenId;
      oldestUse = usedAt;
    }
    if (oldest !== null) this.drop(oldest);
    return oldest !== null;
  }

  #sweeps$(): Observable<SubscriptionChange> {
    return interval(this.#options.sweepMs, this.#scheduler).pipe(
      takeUntil(completionOf(this.#requested)),
      map(() => this.#removeLingered()),
      filter((removed) => removed.length > 0),
      map((removed) => ({ added: [], removed })),
    );
  }

  #removeLingered(): readonly TokenId[] {
    const limit = this.#scheduler.now() - this.#options.lingerMs;
    const removed = [...this.#held]
      .filter(([, { holders, idleSinceMs }]) => holders === 0 && idleSinceMs <= limit)
      .map(([tokenId]) => tokenId);
    for (const tokenId of removed) this.#held.delete(tokenId);
    return removed;
  }
}
