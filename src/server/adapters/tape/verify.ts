import { basename, join } from 'node:path';
import type { TapeFault, TapeProgress } from '#ports/tape';
import type { TapeSession } from './engine/database.js';
import { textOf } from './engine/fault.js';
import { digestOf, readParquetName } from './files/files.js';
import { isMissing, namesIn } from './files/listing.js';
import { PROGRESS_FOLDER, readProgress } from './files/progress.js';
import { readSnapshot } from './files/snapshot.js';
import { sqlText } from './sql/sql.js';

/**
 * Reads every file that counts and returns those that are missing, changed, or no Parquet files of
 * the tape.
 */
export async function verifyTape(
  session: TapeSession,
  dir: string,
  progress?: TapeProgress,
): Promise<readonly TapeFault[]> {
  const faults: TapeFault[] = [];
  const files = await listFiles(dir, faults);
  for (const [i, file] of files.entries()) {
    progress?.('verify', i, files.length);
    const fault = await fileFault(session, join(dir, file));
    if (fault !== null) faults.push({ file, fault });
  }
  progress?.('verify', files.length, files.length);
  return [...faults, ...(await progressFaults(dir))];
}

async function listFiles(dir: string, faults: TapeFault[]): Promise<readonly string[]> {
  try {
    return (await readSnapshot(dir)).files;
  } catch (error) {
    faults.push({ file: 'manifest.json', fault: textOf(error) });
    return [];
  }
}

/**
 * The digest shows every changed bit; reading the rows as well shows a file that was written
 * wrongly.
 */
async function fileFault(session: TapeSession, path: string): Promise<string | null> {
  try {
    if ((await digestOf(path)) !== readParquetName(basename(path))?.digest)
      return 'its content is not what was written';
    await session.run(
      `SELECT count(*), bit_xor(hash(t)) FROM read_parquet(${sqlText(path)}, hive_partitioning = false) AS t`,
    );
    return null;
  } catch (error) {
    return isMissing(error) ? 'it is missing' : textOf(error);
  }
}

async function progressFaults(dir: string): Promise<readonly TapeFault[]> {
  const faults: TapeFault[] = [];
  for (const name of await namesIn(join(dir, PROGRESS_FOLDER))) {
    if (!name.endsWith('.json')) continue;
    try {
      await readProgress(dir, name.slice(0, -'.json'.length));
    } catch (error) {
      faults.push({ file: join(PROGRESS_FOLDER, name), fault: textOf(error) });
    }
  }
  return faults;
}
