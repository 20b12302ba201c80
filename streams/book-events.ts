import {
  concatMap,
  filter,
  interval,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  pipe,
  type SchedulerLike,
  scan,
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
 * Returns what a reader of a book is told. It conflates: a look at which the reader is not ready, or has seen that revision, tells
 * nothing, and the next one tells the newest book; nothing is kept for anybody. Ends with `closed`, or when its time is over.
 */
export function bookEvents$<State extends BookState>(
  looks$: Observable<State>,
  { isReady, pingMs, lastsMs, scheduler }: BookEventOptions,
): Observable<BookEvent<State>> {
  const pings$ = interval(pingMs, scheduler).pipe(
    filter(isReady),
    map(() => ({ kind: 'ping' }) as const),
  );
  return merge(looks$.pipe(filter(isReady), changes()), pings$).pipe(
    takeWhile(({ kind }) => kind !== 'closed', true),
    takeUntil(timer(lastsMs, scheduler)),
  );
}

/** What the reader has been told, and what it is told now. */
interface Told<State> {
  readonly revision: number | null;
  readonly isStale: boolean;
  readonly events: readonly BookEvent<State>[];
}

function changes<State extends BookState>(): OperatorFunction<State, BookEvent<State>> {
  return pipe(
    scan<State, Told<State>>((told, state) => tell(told, state), { revision: null, isStale: false, events: [] }),
    concatMap(({ events }) => events),
  );
}

/** A book is shown before it is said to be stale, and before its market is said to be closed. */
function tell<State extends BookState>(told: Told<State>, state: State): Told<State> {
  const { revision, isStale, isClosed } = state;
  const events: BookEvent<State>[] = [];
  const isNew = revision !== null && revision !== told.revision;
  if (isNew) events.push({ kind: 'book', state });
  if (isStale && (isNew || !told.isStale)) events.push({ kind: 'stale', state });
  if (isClosed) events.push({ kind: 'closed', state });
  return { revision: revision ?? told.revision, isStale, events };
}
