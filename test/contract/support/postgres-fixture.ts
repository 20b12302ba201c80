import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import type { TestPostgres } from '#test/support/postgres';
import { query } from '#test/support/postgres';
import type { StoreFixture } from '../store.contract.js';
import { closing } from './closing.js';

/** Tables that tests write; the others hold what a migration wrote. */
const EMPTY = `DO $$ DECLARE t text; BEGIN
  FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
    AND tablename NOT IN ('migration', 'schema_version') LOOP EXECUTE format('DELETE FROM %I', t); END LOOP; END $$`;

/** Homes of one suite: each has the one schema for itself, emptied before the next one gets it. */
export function postgresFixtures(server: TestPostgres): () => Promise<StoreFixture & { readonly url: string }> {
  let url: string | null = null;
  return async () => {
    if (url === null) {
      url = (await server.makeSchema()).url;
      await migrate(url);
    }
    const own = url;
    return closing({
      url: own,
      open: () => openPostgresStore({ url: own, clock: systemClock }),
      remove: () => query(own, EMPTY),
    });
  };
}
