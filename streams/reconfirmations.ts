import {
  asyncScheduler,
  endWith,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  interval,
  map,
  type Observable,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs';
import type { TokenId } from '#domain/ids';

/**
 * Looks every so often for books that need a second witness and has them re-confirmed, one round at
 * a time: a slow venue slows the rounds down and never piles them up. Emits what a round was about
 * when the round has ended.
 */
export function reconfirmations$(
  wanted: () => readonly TokenId[],
  reconfirm: (tokenIds: readonly TokenId[]) => ObservableInput<unknown>,
  intervalMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<readonly TokenId[]> {
  return interval(intervalMs, scheduler).pipe(
    map(wanted),
    filter((tokenIds) => tokenIds.length > 0),
    exhaustMap((tokenIds) => round$(tokenIds, reconfirm)),
  );
}

function round$(
  tokenIds: readonly TokenId[],
  reconfirm: (tokenIds: readonly TokenId[]) => ObservableInput<unknown>,
): Observable<readonly TokenId[]> {
  return from(reconfirm(tokenIds)).pipe(ignoreElements(), endWith(tokenIds));
}
