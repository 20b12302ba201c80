import { OutsideError } from '#domain/errors';

/**
 * Resolves as the work does, or rejects with an OutsideError (retryable) when it takes longer. Its
 * parts have limits of their own, but waiting for a connection, making one and asking over it may
 * each take as long as theirs.
 */
export function inTime<T>(work: Promise<T>, msMax: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => {
      const text = `the database failed: it did not answer within ${msMax} ms`;
      reject(new OutsideError('store', text, { failure: 'retryable' }));
    };
    const timer = setTimeout(late, msMax);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
