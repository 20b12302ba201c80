import {
  defer,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  type SchedulerLike,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';

/** How a book stands at one look at it. */
export interface BookState {
  /** Another number whenever there is something new to show; null: there is no book. */
  readonly revision: number | null;
  readonly isStale: boolean;
  readonly isClosed: boolean;
}

/** What one reader is told. `ping`: nothing but that the stream is alive. */
export type BookEvent<State> =
  | { readonly kind: 'book' | 'stale' | 'closed'; readonly state: State }
  | { readonly kind: 'ping' };

export interface BookEventOptions {
  /** Whether the reader has taken what it was sent. */
  readonly isReady: () => boolean;
  readonly pingMs: number;
  /** How long a stream lasts. */
  readonly lastsMs: number;
  readonly scheduler: SchedulerLike;
}

/**
 * Returns what a reader of a book is told. It conflates: a look at which the reader is not ready,
 * or has seen that revision, tells nothing, and the next one tells the newest book; nothing is kept
 * for anybody. Ends with `closed`, or when its time is over.
 */
export function bookEvents$<State extends BookState>(
  looks$: Observable<State>,
  { isReady, pingMs, lastsMs, scheduler }: BookEventOptions,
): Observable<BookEvent<State>> {
  const pings$ = interval(pingMs, scheduler).pipe(
    filter(isReady),
    map(() => ({ kind: 'ping' }) as const),
  );
  return merge(news$(looks$, isReady), pings$).pipe(
    takeWhile(({ kind }) => kind !== 'closed', true),
    takeUntil(timer(lastsMs, scheduler)),
  );
}

/** What a reader has been told. */
type Reported = Pick<BookState, 'revision' | 'isStale'>;

/**
 * Hundreds of readers look ten times a second, and most looks show nothing new: those cost one
 * comparison.
 */
function news$<State extends BookState>(looks$: Observable<State>, isReady: () => boolean) {
  return defer(() => {
    let received: Reported = { revision: null, isStale: false };
    return looks$.pipe(
      filter((state) => isNews(received, state) && isReady()),
      mergeMap((state) => {
        const events = eventsOf(received, state);
        received = { revision: state.revision ?? received.revision, isStale: state.isStale };
        return events;
      }),
    );
  });
}

function isNews(received: Reported, { revision, isStale, isClosed }: BookState): boolean {
  return isNewRevision(received, revision) || isStale !== received.isStale || isClosed;
}

function isNewRevision(received: Reported, revision: number | null): boolean {
  return revision !== null && revision !== received.revision;
}

/** A book is shown before it is said to be stale, and before its market is said to be closed. */
function eventsOf<State extends BookState>(received: Reported, state: State): readonly BookEvent<State>[] {
  const isNew = isNewRevision(received, state.revision);
  const events: BookEvent<State>[] = [];
  if (isNew) events.push({ kind: 'book', state });
  if (state.isStale && (isNew || !received.isStale)) events.push({ kind: 'stale', state });
  if (state.isClosed) events.push({ kind: 'closed', state });
  return events;
}
