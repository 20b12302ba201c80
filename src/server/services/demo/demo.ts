import { asyncScheduler, defer, interval, map, type Observable, type SchedulerLike, share } from 'rxjs';
import type { DemoMarkets } from '#api/demo/demo-markets';
import type { Market } from '#domain/market';
import type { Log } from '#ports/log';
import { type BookEvent, bookEvents$ } from '#streams/book-events';
import type { Clock } from '#system/clock';
import type { Books } from '../books/books.js';
import { BookSnapshots, type DemoSnapshot } from './book-snapshots.js';
import { toDemoMarkets } from './demo-body.js';
import { type DemoSet, tokenOf } from './demo-set.js';

/**
 * A book is looked at so often, whoever watches: no reader is told more than ten times a second.
 */
const LOOK_MS = 100;
const PING_MS = 15_000;
/** A stream ends after so long; a browser then opens the next one by itself. */
const STREAM_MS = 5 * 60_000;
/**
 * Milliseconds that a browser waits before it opens the next stream: after an end of any kind, and
 * of a market.
 */
const RETRY = Buffer.from('retry: 2000\n\n');
const CLOSED_RETRY = Buffer.from('retry: 60000\n\n');
const PING = Buffer.from(': ping\n\n');

/** Whom a stream is told to. */
export interface StreamReader {
  /** Whether it has taken what it was sent. */
  isReady(): boolean;
  /** The same bytes are sent to many: nobody may change them. */
  send(bytes: Buffer): void;
  /** Nothing more will be sent. */
  end(): void;
}

export interface DemoDeps {
  readonly set: Pick<DemoSet, 'list' | 'marketOf'>;
  readonly books: Pick<Books, 'watch'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** RxJS's own unless a test has another. */
  readonly scheduler?: SchedulerLike;
}

/** A stream of a book of the set, not yet begun. Returns what ends it without a word. */
export type OpenStream = (reader: StreamReader) => () => void;

/**
 * The demo lane: markets to try the service on, and their books as they move. Nothing of it is an
 * answer of a tool.
 */
export class Demo {
  readonly #deps: Required<DemoDeps>;
  /**
   * When books are looked at, all of them at once: a process that wakes up ten times a second for
   * each does little else.
   */
  readonly #ticks$: Observable<unknown>;
  /** One for each token that somebody watches, with its one look for all of them. */
  readonly #looks = new Map<string, Observable<DemoSnapshot>>();
  #sequence: number;
  #body: { readonly markets: readonly Market[]; readonly text: string } | null = null;

  constructor({ scheduler = asyncScheduler, ...deps }: DemoDeps) {
    this.#deps = { ...deps, scheduler };
    this.#ticks$ = interval(LOOK_MS, scheduler).pipe(share());
    // So that it goes on growing over a restart.
    this.#sequence = Math.round(deps.clock.nowMs());
  }

  /**
   * Returns the answer of GET /demo/markets as text, the same object until a market is looked up
   * anew. Never rejects.
   */
  async marketsText(): Promise<string> {
    const markets = await this.#deps.set.list();
    if (this.#body?.markets !== markets) {
      this.#body = { markets, text: JSON.stringify(toDemoMarkets(markets) satisfies DemoMarkets) };
    }
    return this.#body.text;
  }

  /** Returns the stream of a token; null outside the set. */
  async find(tokenId: string): Promise<OpenStream | null> {
    const { set } = this.#deps;
    await set.list();
    const market = set.marketOf(tokenId);
    return market === null ? null : (reader) => this.#open(tokenId, market, reader);
  }

  #open(tokenId: string, market: Market, reader: StreamReader): () => void {
    const { scheduler } = this.#deps;
    const times = { pingMs: PING_MS, lastsMs: STREAM_MS, scheduler };
    reader.send(RETRY);
    const subscription = bookEvents$(this.#looksOf(tokenId, market), {
      isReady: () => reader.isReady(),
      ...times,
    }).subscribe({
      next: (event) => send(reader, event),
      error: (err) => this.#fail(err, reader),
      complete: () => reader.end(),
    });
    return () => subscription.unsubscribe();
  }

  #fail(err: unknown, reader: StreamReader): void {
    this.#deps.log.error({ err }, 'a stream of the demo lane failed');
    reader.end();
  }

  #looksOf(tokenId: string, market: Market): Observable<DemoSnapshot> {
    const existing = this.#looks.get(tokenId);
    if (existing !== undefined) return existing;
    const { set, books, clock } = this.#deps;
    const deps = { tokenId: tokenOf(market, tokenId)!, market: () => set.marketOf(tokenId) ?? market, books, clock };
    // Shared by all readers, and begun anew when there is one again: nobody looks in between.
    const looks$ = defer(() => {
      const looks = new BookSnapshots({ ...deps, nextSequence: () => ++this.#sequence });
      return this.#ticks$.pipe(map(() => looks.look()));
    }).pipe(share());
    this.#looks.set(tokenId, looks$);
    return looks$;
  }
}

function send(reader: StreamReader, event: BookEvent<DemoSnapshot>): void {
  if (event.kind === 'ping') reader.send(PING);
  else reader.send(event.state.bytes(event.kind));
  if (event.kind === 'closed') reader.send(CLOSED_RETRY);
}
