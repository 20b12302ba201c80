import { asyncScheduler, interval, type Observable, type SchedulerLike, Subject, type Subscription } from 'rxjs';
import type { TokenId } from '#domain/ids';

/** Tokens that joined or left the hot set; never both empty. */
export interface SubscriptionChange {
  readonly added: readonly TokenId[];
  readonly removed: readonly TokenId[];
}

export interface HotSetOptions {
  /** How many tokens may be subscribed at once; the least recently used idle one makes room. */
  readonly tokensMax: number;
  /** How long a token stays subscribed after its last holder let go. */
  readonly lingerMs: number;
  /** How often lingering tokens are looked through: one timer for all of them. */
  readonly sweepMs: number;
  readonly scheduler?: SchedulerLike;
}

interface Holding {
  holders: number;
  idleSinceMs: number;
}

/**
 * Which tokens are subscribed, and why: counted holders, a linger after the last one, and a bound. `changes$` tells what to
 * subscribe and unsubscribe. A holder is a request that looks at the book, or anything that wants it kept fresh.
 */
export class HotSet {
  /** In order of last use: a JavaScript Map keeps insertion order, so that the first idle entry is the oldest. */
  readonly #held = new Map<TokenId, Holding>();
  readonly #changes = new Subject<SubscriptionChange>();
  readonly #scheduler: SchedulerLike;
  readonly #sweep: Subscription;

  constructor(private readonly options: HotSetOptions) {
    this.#scheduler = options.scheduler ?? asyncScheduler;
    this.#sweep = interval(options.sweepMs, this.#scheduler).subscribe(() => this.#removeLingered());
  }

  get changes$(): Observable<SubscriptionChange> {
    return this.#changes;
  }

  get size(): number {
    return this.#held.size;
  }

  has(tokenId: TokenId): boolean {
    return this.#held.has(tokenId);
  }

  tokens(): IterableIterator<TokenId> {
    return this.#held.keys();
  }

  /** Holds a token. Returns how to let go (once), or null where every place is taken by somebody who still holds on. */
  acquire(tokenId: TokenId): (() => void) | null {
    const known = this.#held.get(tokenId);
    if (known === undefined && this.#held.size >= this.options.tokensMax && !this.#evictOldest()) return null;
    const holding = known ?? { holders: 0, idleSinceMs: 0 };
    holding.holders++;
    this.#held.delete(tokenId);
    this.#held.set(tokenId, holding);
    if (known === undefined) this.#changes.next({ added: [tokenId], removed: [] });
    let held = true;
    return () => {
      if (held) this.#release(holding);
      held = false;
    };
  }

  /** Lets a token go at once, whoever holds it: the venue has no book for it. */
  drop(tokenId: TokenId): void {
    if (this.#held.delete(tokenId)) this.#changes.next({ added: [], removed: [tokenId] });
  }

  stop(): void {
    this.#sweep.unsubscribe();
    this.#changes.complete();
  }

  #release(holding: Holding): void {
    holding.holders--;
    holding.idleSinceMs = this.#scheduler.now();
  }

  #evictOldest(): boolean {
    for (const [tokenId, { holders }] of this.#held) {
      if (holders > 0) continue;
      this.drop(tokenId);
      return true;
    }
    return false;
  }

  #removeLingered(): void {
    const limit = this.#scheduler.now() - this.options.lingerMs;
    const removed = [...this.#held]
      .filter(([, h]) => h.holders === 0 && h.idleSinceMs <= limit)
      .map(([tokenId]) => tokenId);
    for (const tokenId of removed) this.#held.delete(tokenId);
    if (removed.length > 0) this.#changes.next({ added: [], removed });
  }
}
