/** Returns a text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns texts as an SQL list, for `IN`. */
export function sqlTexts(texts: readonly string[]): string {
  return `(${texts.map(sqlText).join(', ')})`;
}

/** Column names and types of a relation, in their order. */
export type SqlColumns = Readonly<Record<string, string>>;

/**
 * Returns a relation over Parquet files, with no rows where there are no files. Columns are named one by one: a file of another
 * shape is an error and not a column of nothing.
 */
export function sqlFiles(
  files: readonly string[],
  columns: SqlColumns,
  options: { readonly fileName?: true } = {},
): string {
  const name = options.fileName === true ? ['filename'] : [];
  if (files.length === 0) {
    const none = Object.entries(columns).map(([column, type]) => `NULL::${type} AS ${column}`);
    return `(SELECT ${[...none, ...name.map((column) => `NULL::VARCHAR AS ${column}`)].join(', ')} WHERE false)`;
  }
  const read = `read_parquet([${files.map(sqlText).join(', ')}], hive_partitioning = false${name.length > 0 ? ', filename = true' : ''})`;
  return `(SELECT ${[...Object.keys(columns), ...name].join(', ')} FROM ${read})`;
}

/** Returns the statement that writes a query into a Parquet file. */
export function sqlWrite(query: string, path: string, rowGroupRows = 122_880): string {
  return `COPY (${query}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroupRows})`;
}
