import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A row as the driver gives it, by the names of its columns. */
export type Columns = Readonly<Record<string, unknown>>;

/** A statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Runs a named statement, which is parsed once for each connection. */
export type Query = (
  name: string,
  text: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Columns[]; readonly rowCount: number | null }>;

/** Returns how to run named statements over a connection, or over any of a pool. */
export function queryOver(client: PoolClient | Pool): Query {
  return (name, text, values = []) => client.query({ name, text, values: values as unknown[] });
}

/** Reads rows by one statement. What changes any runs by `changeRows` (retry.ts). */
export async function queryRows<Row extends QueryResultRow>(
  pool: Pool,
  { text, values = [] }: Statement,
): Promise<Row[]> {
  return (await pool.query<Row>(text, [...values])).rows;
}
