import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTapeDatabase, type TapeSession } from '#adapters/tape/engine/database';
import { openTapeFolder, type TapeFolder } from '#adapters/tape/files/folder';
import { keepLayer } from '#adapters/tape/files/layers';
import { keepSegment } from '#adapters/tape/files/segments';
import { FILL_COLUMNS } from '#adapters/tape/sql/fills';
import { sqlFiles, sqlWrite } from '#adapters/tape/sql/sql';
import {
  FILLS_PER_WALLET,
  fillsSql,
  LARGE_AS_OF_S,
  marketsSql,
  SEGMENT_FILLS,
  walletSql,
} from '../support/large-tape.js';

/** Fills that nobody had seen, of places of the last 60 days. */
const LATE_FILLS = 5_000;
const LATE_DAYS = 60;

/** What is told apart from the past of a tape, to be added later. */
export type Arrival = 'day' | 'late';

const DAY_BEGIN_S = LARGE_AS_OF_S - 86_400;
/**
 * Fills the folder of a tape with all but the last day of made-up fills, with markets and a name
 * for each wallet, and puts the fills of that day and some late ones beside it, in `parts`.
 */
export async function makeNightTape(
  dir: string,
  parts: string,
  fills: number,
  report: (text: string) => void,
): Promise<void> {
  await withFolder(dir, async (session, folder) => {
    await keepLayer(folder, 'markets', null, (path) => session.run(sqlWrite(marketsSql(fills), path)));
    await keepLayer(folder, 'names', null, (path) => session.run(sqlWrite(namesSql(fills), path)));
    const days: string[] = [];
    for (let from = 0; from < fills; from += SEGMENT_FILLS) {
      report(`${from} of ${fills} fills made`);
      const to = Math.min(fills, from + SEGMENT_FILLS);
      await session.run(`CREATE OR REPLACE TEMP TABLE made AS ${fillsSql(fills, from, to)}`);
      const past = `SELECT * FROM made WHERE time_s < ${DAY_BEGIN_S}`;
      await keepSegment(folder, `made-${from}`, '2026-01-01', (path) => session.run(sqlWrite(past, path)));
      days.push(join(parts, `day-${from}.parquet`));
      await session.run(sqlWrite(`SELECT * FROM made WHERE time_s >= ${DAY_BEGIN_S}`, days.at(-1)!));
    }
    const day = sqlFiles(days, { ...FILL_COLUMNS, ordinal: 'BIGINT' });
    await session.run(sqlWrite(`SELECT * FROM ${day} ORDER BY time_s`, join(parts, 'day.parquet')));
    const late = `SELECT * FROM (${fillsSql(fills, fills, fills + LATE_FILLS, LATE_DAYS)}) WHERE time_s < ${DAY_BEGIN_S}`;
    await session.run(sqlWrite(late, join(parts, 'late.parquet')));
  });
}

/** Adds what was put beside a tape, as a segment. */
export async function addArrival(dir: string, parts: string, arrival: Arrival): Promise<void> {
  await withFolder(dir, async (_, folder) => {
    const add = (path: string) => copyFile(join(parts, `${arrival}.parquet`), path);
    await keepSegment(folder, arrival, '2026-06-30', add);
  });
}

async function withFolder(
  dir: string,
  work: (session: TapeSession, folder: TapeFolder) => Promise<void>,
): Promise<void> {
  const folder = await openTapeFolder(dir);
  const database = await openTapeDatabase({ threads: 2, memoryLimit: '2GB', spillFolder: folder.scratch });
  try {
    await database.session((session) => work(session, folder));
  } finally {
    database.close();
    await folder.close();
  }
}

function namesSql(fills: number): string {
  const wallets = Math.ceil(fills / FILLS_PER_WALLET) + 1;
  return `SELECT ${walletSql('no')} AS wallet, 'wallet number ' || no AS name, no AS ordinal
    FROM range(0, ${wallets}) AS rows(no)`;
}
