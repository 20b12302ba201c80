import { openTapeDatabase } from '#adapters/tape/engine/database';
import { sqlText } from '#adapters/tape/sql/sql';

/** Writes what a query returns as a Parquet file. */
export async function writeQuery(path: string, query: string): Promise<void> {
  const database = await openTapeDatabase({ threads: 1, memoryLimit: '256MB', spillFolder: '.' });
  try {
    await database.session(async (session) => {
      await session.run("SET TimeZone = 'UTC'");
      await session.run(`COPY (${query}) TO ${sqlText(path)} (FORMAT parquet)`);
    });
  } finally {
    database.close();
  }
}
