import { NotAsked } from '../asker.js';
import type { Interview } from '../interview/interview.js';
import { summaryOf } from './assumption.js';

/**
 * Returns how far the venue's clock is ahead of ours, to a second, of which it tells no part. Rejects
 * where it tells no time.
 */
export async function skewOf({ books }: Pick<Interview, 'books'>): Promise<number> {
  const { answer, atMs } = await books.time();
  if (!Number.isInteger(answer.body)) throw new NotAsked(`/time answers ${summaryOf(answer)}`);
  return Number(answer.body) * 1_000 - Math.floor(atMs / 1_000) * 1_000;
}
