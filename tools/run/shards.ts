/** In how many parts the slow tests are played: each takes `npm test` under three minutes. */
export const SHARD_COUNT = 8;

/**
 * Returns the shard of that number, from 1, of files of which those that take longest come first.
 * They are dealt back and forth (1 2 … 7 8 8 7 … 2 1 1 …), so that all shards take about as long.
 */
export function shardOf<File>(files: readonly File[], shard: number): readonly File[] {
  return files.filter((_, place) => {
    const at = place % (2 * SHARD_COUNT);
    return shard === 1 + Math.min(at, 2 * SHARD_COUNT - 1 - at);
  });
}
