import { expect } from 'chai';
import { OutsideError } from '#domain/errors';

export interface Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

/** A promise, and what fulfils it. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Returns what a promise rejects with. */
export function rejectionOf<E extends Error = Error>(promise: Promise<unknown>): Promise<E> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: E) => error,
  );
}

/** The same, where only something outside can have failed. */
export async function outsideErrorOf(promise: Promise<unknown>): Promise<OutsideError> {
  const error = await rejectionOf<OutsideError>(promise);
  expect(error).to.be.instanceOf(OutsideError);
  return error;
}
