import { migrate } from '#adapters/postgres/migrate';
import { openPgRatings } from '#adapters/postgres/ratings/ratings-store';
import { systemStopwatch } from '#adapters/process/system-clock';
import type { SharedRatings } from '#ports/wallet-claims';
import type { Stopwatch } from '#system/stopwatch';
import { rowsOf, type TestPostgres } from '#test/support/postgres';
import type { RatingsFixture } from '../ratings-store.contract.js';
import { closing } from './closing.js';

const TABLES =
  'draft_run, board, published_run, rating, verdict_history, demand_rating, wallet_row, run_report, profile_mean, job_lease, limit_used, score_day, rating_basis, followed_board';

export interface PostgresRatingsFixture extends RatingsFixture {
  readonly url: string;
  open(stopwatch?: Stopwatch): Promise<SharedRatings>;
  /** Runs a statement of our own. */
  sql(text: string): Promise<readonly Record<string, unknown>[]>;
}

/** Homes of one suite: each has the one schema for itself, emptied before the next one gets it. */
export function postgresRatingsFixtures(server: TestPostgres): () => Promise<PostgresRatingsFixture> {
  let made: Promise<string> | null = null;
  const makeTables = async () => {
    const { url } = await server.makeSchema();
    await migrate(url);
    return url;
  };
  return async () => {
    made ??= makeTables();
    const url = await made;
    const sql = (text: string) => rowsOf(url, text);
    return closing({
      url,
      sql,
      open: async (stopwatch = systemStopwatch) => openPgRatings({ url, stopwatch }),
      remove: async () => {
        await sql(`TRUNCATE ${TABLES}`);
      },
    });
  };
}
