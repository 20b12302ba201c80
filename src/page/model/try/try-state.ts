import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ClientSystem } from '#client/system';
import { parseTokenId } from '#domain/ids';
import { parseJson } from '#domain/json';
import { ageMsAt, FEED_START, type FeedState, type Moment, receive } from '../book/feed.js';
import { feedWords } from '../book/feed-words.js';
import { followBook, momentOf, type OpenStream } from '../book/follow-book.js';
import { type LiveBook, toLiveBook, toMarketFacts } from '../book/live-book.js';
import { readMarkets } from '../market/read-received.js';
import type { ReceivedExample, ReceivedMarket, ReceivedOutcome } from '../market/received.js';
import { type Judged, judge, type Scene } from '../order/judge.js';
import { type LadderView, ladderView } from '../order/ladder-rows.js';
import { FIELDS_START, type OrderFields, readOrder } from '../order/order-input.js';

/** A market with the outcome whose book is looked at. */
export interface Chosen {
  readonly market: ReceivedMarket;
  readonly outcome: ReceivedOutcome;
}

/** How the list of markets came. */
export type Listing =
  | { readonly kind: 'asking' }
  | { readonly kind: 'listed'; readonly markets: readonly ReceivedMarket[] }
  /** There is nothing live to try; `why` if that is a failure. */
  | { readonly kind: 'none'; readonly why: string | null };

/** What the state needs of the world. */
export interface TryWorld {
  readonly system: ClientSystem;
  readonly openStream: OpenStream;
  /** Status and text of `/demo/markets`. Rejects if there is no answer. */
  readonly fetchMarkets: () => Promise<{ readonly status: number; readonly text: string }>;
  /** Calls back before the next picture is painted. */
  readonly beforePaint: (due: () => void) => void;
  /** Whether nobody can see the page. */
  readonly isHidden: () => boolean;
  /** Calls back whenever that changes, until what it returns is called. */
  readonly onHiddenChange: (changed: () => void) => () => void;
}

/** How often the age is told anew. */
const TICK_MS = 250;

/** A book on the screen, with the moment that its age was told. */
interface OnScreen {
  readonly chosen: Chosen;
  readonly book: LiveBook;
  readonly status: ReceivedMarket['status'];
  readonly ageMs: number;
  readonly isLive: boolean;
}

/**
 * Everything that the try-out shows, from the fields and the newest book. Whatever happens between
 * two pictures is shown once, with the second.
 */
export class TryState {
  readonly fields = signal<OrderFields>(FIELDS_START);
  readonly listing = signal<Listing>({ kind: 'asking' });
  readonly chosen: ReadonlySignal<Chosen>;
  readonly isExample: ReadonlySignal<boolean>;
  readonly reading = computed(() => readOrder(this.fields.value));
  readonly feedWords = computed(() => feedWords(this.#feed.value));
  readonly ageMs: ReadonlySignal<number | null>;
  /** null: there is no book, or no order that could be judged. */
  readonly judged: ReadonlySignal<Judged | null>;
  /** null: there is no book. */
  readonly ladder: ReadonlySignal<LadderView | null>;
  /** What the book fills at most on the side of the order; null: there is no book. */
  readonly depthUsd: ReadonlySignal<number | null>;
  /** Whether what is shown may be taken for the market as it is. */
  readonly isLive: ReadonlySignal<boolean>;
  readonly #example: OnScreen;
  /** null: the example. */
  readonly #live = signal<Chosen | null>(null);
  readonly #feed = signal<FeedState>(FEED_START);
  readonly #now = signal<Moment>({ elapsedMs: 0, wallMs: 0 });
  readonly #onScreen: ReadonlySignal<OnScreen | null>;
  #world: TryWorld | null = null;
  #following = new AbortController();
  #newest: { readonly state: FeedState; readonly ended: AbortSignal } | null = null;
  /** The example stays until there is something to show in its place. */
  #keepsExample = true;

  constructor({ market, book }: ReceivedExample) {
    const chosen = { market, outcome: market.outcomes[0]! };
    const liveBook = toLiveBook(book);
    this.#example = { chosen, book: liveBook, status: market.status, ageMs: book.confirmed_age_ms, isLive: false };
    this.isExample = computed(() => this.#shownLive() === null);
    this.chosen = computed(() => this.#shownLive() ?? chosen);
    this.#onScreen = computed(() => this.#look());
    this.ageMs = computed(() => this.#onScreen.value?.ageMs ?? null);
    this.isLive = computed(() => this.#onScreen.value?.isLive ?? false);
    this.judged = computed(() => this.#judge());
    this.depthUsd = computed(() => {
      const sides = this.#onScreen.value?.book.sides;
      return sides === undefined ? null : (this.fields.value.side === 'BUY' ? sides.asks : sides.bids).depthCents / 100;
    });
    this.ladder = computed(() => {
      const shown = this.#onScreen.value;
      return shown === null ? null : ladderView(shown.book.sides, this.fields.value.side, this.judged.value);
    });
  }

  /**
   * Comes to life: asks for the markets and follows the first. Ends what it began when the returned
   * function is called.
   */
  start(world: TryWorld): () => void {
    this.#world = world;
    this.#now.value = momentOf(world.system);
    const stopped = new AbortController();
    void this.#list(world, stopped.signal);
    void this.#tick(world, stopped.signal);
    const stopLooking = world.onHiddenChange(() => this.#lookAgain(world));
    return () => {
      stopped.abort();
      stopLooking();
      this.#following.abort();
    };
  }

  /**
   * Looks at the book of another market or outcome; at the same one again, if it is chosen again.
   */
  choose(chosen: Chosen): void {
    this.#keepsExample = false;
    this.#follow(chosen);
  }

  change(change: Partial<OrderFields>): void {
    this.fields.value = { ...this.fields.value, ...change };
  }

  /** The facts that a verdict at any size is made from; null: there is no book. */
  scene(): Scene | null {
    const shown = this.#onScreen.value;
    return shown === null ? null : sceneOf(shown);
  }

  #shownLive(): Chosen | null {
    const { received, trouble } = this.#feed.value;
    const isStored = this.#keepsExample && received === null && trouble === null;
    return isStored ? null : this.#live.value;
  }

  #look(): OnScreen | null {
    const live = this.#shownLive();
    if (live === null) return this.#example;
    const { phase, received, status, isBookMissing } = this.#feed.value;
    if (received === null) return null;
    return {
      chosen: live,
      book: received.book,
      status: status ?? live.market.status,
      ageMs: ageMsAt(received, this.#now.value),
      isLive: phase === 'live' && !isBookMissing,
    };
  }

  #judge(): Judged | null {
    const [shown, reading] = [this.#onScreen.value, this.reading.value];
    if (shown === null || reading.kind === 'invalid') return null;
    return judge(reading.order, sceneOf(shown), this.#world?.system.clock.nowMs() ?? 0);
  }

  async #list({ fetchMarkets }: TryWorld, stopped: AbortSignal): Promise<void> {
    const listing = await listingOf(fetchMarkets);
    if (stopped.aborted) return;
    this.listing.value = listing;
    const [market] = listing.kind === 'listed' ? listing.markets : [];
    if (market !== undefined) this.#follow({ market, outcome: market.outcomes[0]! });
  }

  async #tick({ system }: TryWorld, stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      await system.timers.sleep(TICK_MS, stopped);
      if (!stopped.aborted) this.#now.value = momentOf(system);
    }
  }

  #follow(chosen: Chosen): void {
    const world = this.#world;
    if (world === null) return;
    this.#following.abort();
    this.#feed.value = FEED_START;
    this.#live.value = chosen;
    if (!world.isHidden()) this.#open(chosen, world);
  }

  /**
   * A page that nobody sees holds no stream. When it is seen again it goes on from the book that it
   * has, as old as that is.
   */
  #lookAgain(world: TryWorld): void {
    const live = this.#live.value;
    if (live === null) return;
    this.#following.abort();
    this.#now.value = momentOf(world.system);
    this.#feed.value = receive(this.#feed.value, { kind: 'paused' }, live.outcome.token_id);
    if (!world.isHidden()) this.#open(live, world);
  }

  #open({ outcome: { events: path, token_id: tokenId } }: Chosen, world: TryWorld): void {
    this.#following = new AbortController();
    const { signal: ended } = this.#following;
    const onState = (state: FeedState) => this.#showSoon(state, ended, world);
    const { openStream: open, system } = world;
    void followBook({ path, tokenId, open, system, from: this.#feed.value, onState, signal: ended });
  }

  /** A state that is overtaken before it could be painted is never shown. */
  #showSoon(state: FeedState, ended: AbortSignal, { beforePaint, system }: TryWorld): void {
    const isAwaited = this.#newest !== null;
    this.#newest = { state, ended };
    if (isAwaited) return;
    beforePaint(() => {
      const newest = this.#newest;
      this.#newest = null;
      if (newest === null || newest.ended.aborted) return;
      this.#now.value = momentOf(system);
      this.#feed.value = newest.state;
    });
  }
}

function sceneOf({ chosen: { market, outcome }, book, status, ageMs }: OnScreen): Scene {
  return {
    shown: {
      slug: market.slug,
      question: market.question,
      minOrderShares: market.min_order_shares,
      matchingDelayS: market.matching_delay_s,
    },
    outcome: { label: outcome.label, tokenId: parseTokenId(outcome.token_id)! },
    market: toMarketFacts(market, status),
    sides: book.sides,
    bookAgeMs: ageMs,
  };
}

async function listingOf(fetchMarkets: TryWorld['fetchMarkets']): Promise<Listing> {
  const failed = (why: string): Listing => ({ kind: 'none', why: `The live markets cannot be listed: ${why}` });
  try {
    const { status, text } = await fetchMarkets();
    if (status !== 200) return failed(`the service answered ${status}.`);
    const markets = readMarkets(parseJson(text));
    if (markets === null) return failed('something on the way answered with a page instead of the list.');
    return markets.length === 0 ? { kind: 'none', why: null } : { kind: 'listed', markets };
  } catch {
    return failed('the service cannot be reached.');
  }
}
