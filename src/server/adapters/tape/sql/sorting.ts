/**
 * One temporary table: its name, and the query that fills it from those before it; a view where it
 * is read once or cheap.
 */
export interface SqlStep {
  readonly table: string;
  readonly query: string;
  readonly isView?: true;
}

/**
 * What names a fill that has no position in the chain's logs, beside its number among equal ones.
 */
const CONTENT = 'place_no, is_buy, tx, price_micros, size_micros, time_s';
const FILL = `${CONTENT}, log_index, event`;

/**
 * Returns the steps from fills (a relation of `FILL_COLUMNS`) to places (table `<name>_position`,
 * numbered from `firstNo` on) and to their fills without repeats and with their codes (table
 * `<name>_sorted`, in no order). Most fills have nothing to do with any other: those are
 * distinguished by hashes, and only the rest is compared text by text. `walletNos` (wallet,
 * wallet_no) are the numbers that wallets have already.
 */
export function sqlSortSteps(name: string, fills: string, firstNo: number, walletNos?: string): readonly SqlStep[] {
  const own = (table: string) => `${name}_${table}`;
  return [
    { table: own('position'), query: positionsSql(fills, firstNo, walletNos) },
    { table: own('told'), query: reportedSql(fills, own('position')) },
    { table: own('fill'), query: withoutRepeatsSql(own('told')) },
    { table: own('tangled'), query: tangledSql(own('fill')) },
    { table: own('sorted'), query: codedSql(own('fill'), own('tangled')) },
  ];
}

/**
 * Several rows may give the condition and the outcome of a token; they agree, and if they did not
 * the least would count.
 */
function positionsSql(fills: string, firstNo: number, walletNos?: string): string {
  const fresh = `dense_rank() OVER (ORDER BY wallet) + ${firstNo - 1}`;
  return `
    SELECT (row_number() OVER by_pair + ${firstNo - 1})::INTEGER AS place_no,
      (${walletNos === undefined ? fresh : `coalesce(wallet_no, ${fresh})`})::INTEGER AS wallet_no,
      wallet, token, condition, outcome_index
    FROM (
      SELECT wallet, token, min(condition) AS condition, min(outcome_index)::INTEGER AS outcome_index
      FROM ${fills} GROUP BY wallet, token
    ) ${walletNos === undefined ? '' : `LEFT JOIN ${walletNos} USING (wallet)`}
    WINDOW by_pair AS (ORDER BY wallet, token)`;
}

/**
 * A position needs a transaction that it is a position of; a number below zero is none. `content` is a hash: equal contents have
 * equal ones.
 */
function reportedSql(fills: string, positions: string): string {
  return `
    SELECT place_no, is_buy, tx, price_micros, size_micros, time_s, CASE WHEN tx <> '' OR log_index < 0 THEN log_index END AS log_index, event,
      hash(${CONTENT}) AS content
    FROM ${fills} JOIN (SELECT place_no, wallet, token FROM ${positions}) USING (wallet, token)`;
}

/**
 * Each row once (docs/ratings.md, "Repeats"), named by its content and its position in the logs or
 * its number among equal ones; of the numbered ones the first are the same fills as those with
 * positions, as many as there are. Of events that several rows give the greatest counts.
 */
function withoutRepeatsSql(reported: string): string {
  const repeated = `(SELECT content FROM ${reported} GROUP BY content HAVING count(*) > 1)`;
  return `
    SELECT ${FILL} FROM ${reported} WHERE content NOT IN ${repeated}
    UNION ALL
    SELECT ${FILL} FROM (
      SELECT ${CONTENT}, log_index, max(event) OVER same AS event,
        count(log_index) FILTER (WHERE log_index >= 0) OVER same AS positions
      FROM (SELECT ${CONTENT}, log_index, max(event) AS event FROM ${reported}
        WHERE content IN ${repeated} GROUP BY ${CONTENT}, log_index)
      WINDOW same AS (PARTITION BY ${CONTENT})
    ) WHERE log_index >= 0 OR coalesce(-log_index, 0) >= positions`;
}

/**
 * Places with two fills in one transaction or in one second: there the transactions have to be
 * distinguished and ordered.
 */
function tangledSql(fills: string): string {
  return `
    SELECT place_no FROM ${fills} GROUP BY place_no, hash(tx) HAVING count(*) > 1
    UNION
    SELECT place_no FROM ${fills} GROUP BY place_no, time_s HAVING count(*) > 1`;
}

function codedSql(fills: string, tangled: string): string {
  return `
    SELECT ${FILL}, CASE WHEN tx = '' THEN 0 ELSE 1 END::INTEGER AS tx_no, true AS is_alone
    FROM ${fills} WHERE place_no NOT IN (SELECT place_no FROM ${tangled})
    UNION ALL
    SELECT ${FILL}, CASE WHEN tx = '' THEN 0 ELSE dense_rank() OVER (PARTITION BY place_no ORDER BY tx) END::INTEGER,
      count(*) OVER (PARTITION BY place_no, is_buy, tx, CASE WHEN tx = '' THEN time_s END) = 1
    FROM (${oneAtPositionSql(`(SELECT * FROM ${fills} WHERE place_no IN (SELECT place_no FROM ${tangled}))`)})`;
}

/**
 * A position names one fill: of rows that tell of it differently the one counts that does in
 * `dropRepeats` of the domain. Such rows are of one transaction, so their places are tangled. They
 * are few: found by hashes, and only they are ordered.
 */
function oneAtPositionSql(fills: string): string {
  const position = 'hash(place_no, tx, log_index)';
  const repeated = `(SELECT ${position} FROM ${fills} WHERE log_index >= 0 GROUP BY 1 HAVING count(*) > 1)`;
  return `
    SELECT ${FILL} FROM ${fills} WHERE coalesce(log_index, -1) < 0 OR ${position} NOT IN ${repeated}
    UNION ALL
    SELECT ${FILL} FROM ${fills} WHERE log_index >= 0 AND ${position} IN ${repeated}
    QUALIFY row_number() OVER (PARTITION BY place_no, tx, log_index
      ORDER BY time_s, price_micros DESC, size_micros, is_buy DESC) = 1`;
}

/** Returns the statement that runs a step. */
export function sqlStep({ table, query, isView }: SqlStep): string {
  return `CREATE OR REPLACE TEMP ${isView === true ? 'VIEW' : 'TABLE'} ${table} AS ${query}`;
}
