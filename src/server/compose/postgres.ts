import { namingDatabase } from '#adapters/postgres/faults';
import type { Migrated } from '#adapters/postgres/migrate';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';

// What stands on the driver is loaded when it is needed: most commands work on no database.

/** The tables of a database beside those that this program works with. */
export interface TablesLook {
  readonly kind: 'current' | 'absent' | 'older' | 'newer';
  /** null: there are none. */
  readonly version: number | null;
  readonly supported: number;
}

/** Looks at the version of the tables. Rejects with one sentence that names the database. */
export function lookAtTables(url: string): Promise<TablesLook> {
  return namingDatabase(url, async () => {
    const { schemaVersion } = await import('#adapters/postgres/migrate');
    const version = await schemaVersion(url);
    const supported = SCHEMA_VERSION;
    if (version === null) return { kind: 'absent', version, supported };
    return { kind: version === supported ? 'current' : version < supported ? 'older' : 'newer', version, supported };
  });
}

/**
 * Brings the tables to the version of this program: all of it, or nothing. Rejects in the same way.
 */
export function migrateTables(url: string): Promise<Migrated> {
  return namingDatabase(url, async () => {
    const { migrate } = await import('#adapters/postgres/migrate');
    return migrate(url);
  });
}
