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
 * Returns a relation over Parquet files, with no rows where there are no files. Columns are named
 * one by one: a file of another shape is an error and not a column of nothing, but for those in
 * `added`, which older files do not have.
 */
export function sqlFiles(
  files: readonly string[],
  columns: SqlColumns,
  options: { readonly fileName?: true; readonly added?: readonly string[] } = {},
): string {
  const name = options.fileName === true ? ['filename'] : [];
  if (files.length === 0) {
    const none = Object.entries(columns).map(([column, type]) => `NULL::${type} AS ${column}`);
    return `(SELECT ${[...none, ...name.map((column) => `NULL::VARCHAR AS ${column}`)].join(', ')} WHERE false)`;
  }
  const { added = [] } = options;
  const how = `hive_partitioning = false${name.length > 0 ? ', filename = true' : ''}${added.length > 0 ? ', union_by_name = true' : ''}`;
  const read = `read_parquet([${files.map(sqlText).join(', ')}], ${how})`;
  const nothing = added.map((column) => `NULL::${columns[column]} AS ${column}`).join(', ');
  const whole = added.length > 0 ? `(SELECT * FROM ${read} UNION ALL BY NAME SELECT ${nothing} WHERE false)` : read;
  return `(SELECT ${[...Object.keys(columns), ...name].join(', ')} FROM ${whole})`;
}

/**
 * Returns the sum of a column of sizes, held to what JavaScript counts exactly: of absurd ones it is
 * no less absurd, and where it does not fit a column the rows of one wallet would end it for all.
 */
export function sqlSizeSum(column: string): string {
  return `least(sum(${column}), ${Number.MAX_SAFE_INTEGER})::BIGINT`;
}

/** Returns the statement that writes a query into a Parquet file. */
export function sqlWrite(query: string, path: string, rowGroupRows = 122_880): string {
  return `COPY (${query}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroupRows})`;
}
