import { existsSync, statSync } from 'node:fs';
import { OutsideError } from '#domain/errors';

/** Whether a file has anything in it. */
export function hasBytes(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

/**
 * Looks for what is made beside a store and is still there when the store is not; who makes both
 * makes the store first, so this is to be called before the store is looked at. Returns what is
 * called before a store is begun: it throws an OutsideError (final) where there was one, for an
 * empty ledger in its place would refuse every token without a word.
 */
export function beginOnlyOnce(path: string, madeBeside: readonly string[]): () => void {
  const trace = madeBeside.find((one) => existsSync(one));
  return () => {
    if (trace === undefined) return;
    const what = existsSync(path) ? 'is empty' : 'is not there';
    const remedy = 'restore the backup; to start over without its contents: preflightctl store init';
    throw new OutsideError('store', `${path} ${what}, but ${trace} of a store is: ${remedy}`, { failure: 'final' });
  };
}
