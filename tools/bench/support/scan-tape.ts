import { join } from 'node:path';
import { openTapeDatabase } from '#adapters/tape/engine/database';
import { readManifest, recentOf } from '#adapters/tape/files/manifest';
import { sqlText } from '#adapters/tape/sql/sql';

/**
 * Reads the columns that a rating groups and joins by, and does nothing with them. Returns how many
 * fills there are.
 */
export async function scanTape(dir: string): Promise<number> {
  const { sorted } = await readManifest(dir);
  const ranges = [sorted!, ...recentOf(sorted)].flatMap((generation) => [...generation.ranges]);
  const files = (pick: 'fills' | 'places') => ranges.map((range) => sqlText(join(dir, range[pick]))).join(', ');
  const database = await openTapeDatabase({ threads: 2, memoryLimit: '1GB', spillFolder: join(dir, 'tmp') });
  await database.session(async (session) => {
    await session.rows(`
      SELECT max(place_no), max(event), max(is_buy), max(size_micros), max(price_micros), max(time_s), max(tx_no), max(is_alone)
      FROM read_parquet([${files('fills')}])`);
    await session.rows(`SELECT max(place_no), max(wallet), max(condition) FROM read_parquet([${files('places')}])`);
  });
  database.close();
  return ranges.reduce((sum, { rows }) => sum + rows, 0);
}
