import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_MS = 20;

/**
 * Does `work` while garbage is collected all the time: what waits must not be held by weak
 * references alone. A signal of fetch was, and a call with a time limit then had none.
 */
export async function whileCollecting<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const timer = setInterval(collect, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
