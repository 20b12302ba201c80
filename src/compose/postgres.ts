import { describeFault } from '#adapters/postgres/faults';
import { maskedUrl } from '#adapters/postgres/masked-url';
import type { Migrated } from '#adapters/postgres/migrate';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';

// What stands on the driver is loaded when it is needed: most commands work on no database.

/** The tables of a database beside those that this program works with. */
export interface TablesLook {
  readonly kind: 'current' | 'absent' | 'older' | 'newer';
  /** null: there are none. */
  readonly version: number | null;
  readonly known: number;
}

/** Returns the URL without its secrets, as it may be printed. */
export function printableUrl(url: string): string {
  return maskedUrl(url);
}

/** Whether a text is the URL of a PostgreSQL database, as far as its form goes. */
export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && host !== '' && pathname.length > 1;
}

/** Looks at the version of the tables. Rejects with one sentence that names the database. */
export function lookAtTables(url: string): Promise<TablesLook> {
  return naming(url, async () => {
    const { schemaVersion } = await import('#adapters/postgres/migrate');
    const version = await schemaVersion(url);
    const known = SCHEMA_VERSION;
    if (version === null) return { kind: 'absent', version, known };
    return { kind: version === known ? 'current' : version < known ? 'older' : 'newer', version, known };
  });
}

/** Brings the tables to the version of this program: all of it, or nothing. Rejects in the same way. */
export function migrateTables(url: string): Promise<Migrated> {
  return naming(url, async () => {
    const { migrate } = await import('#adapters/postgres/migrate');
    return migrate(url);
  });
}

/** A fault of a database is only of use beside which database it is. */
async function naming<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`${maskedUrl(url)}: ${describeFault(cause)}`, { cause });
  }
}
