import type { Pool, PoolClient } from 'pg';

/** A row as the driver gives it, by the names of its columns. */
export type Columns = Readonly<Record<string, unknown>>;

/** Asks a question. Named statements are parsed once for each connection. */
export type Ask = (
  name: string,
  text: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Columns[]; readonly rowCount: number | null }>;

/** Returns how to ask over a connection, or over any of a pool. */
export function asking(client: PoolClient | Pool): Ask {
  return (name, text, values = []) => client.query({ name, text, values: values as unknown[] });
}
