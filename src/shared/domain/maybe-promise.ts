/**
 * What is returned at once if it is at hand, and as a promise if it has to be waited for. Callers
 * that `await` it need not care; on the way of a verdict each promise that is not made saves its
 * turn in the queue of microtasks. May throw as well as reject.
 */
export type MaybePromise<T> = T | Promise<T>;
