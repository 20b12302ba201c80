import type { RatingConfig } from '#domain/rating/rating-config';
import type { SqlStep } from './sorting.js';
import { sqlSizeSum } from './sql.js';

/** `price_micros` is an INTEGER, so this is above every price. */
const ABOVE_PRICES = 2_147_483_647;
const TX_NOS = 4_294_967_296;

/**
 * What the entry of a place depends on: where these differ from those of the last compaction, its
 * results are not used.
 */
const ENTRY_CUT_OFFS = [
  'fillSharesMicrosMin',
  'clipWindowS',
  'roundTripWindowS',
  'roundTripPriceMicros',
  'roundTripSoldPctMin',
] as const satisfies readonly (keyof RatingConfig)[];

/** Returns the cut-offs that entries depend on, as a text to compare. */
export function entryCutOffs(config: RatingConfig): string {
  return ENTRY_CUT_OFFS.map((name) => `${name}=${config[name]}`).join(' ');
}

/**
 * Returns the steps from fills (a relation of `SORTED_COLUMNS`) to what their wallets did with each
 * token: table `<name>_held` with its first BUY and SELL ever, and `<name>_entry` with its first
 * clip. The same rules as `findFirstEntries` in the domain.
 */
export function sqlEntrySteps(name: string, fills: string, asOfS: number, config: RatingConfig): readonly SqlStep[] {
  const tables: EntryTables = {
    fills: `(SELECT * FROM ${fills} WHERE size_micros >= ${config.fillSharesMicrosMin} AND time_s < ${asOfS})`,
    held: `${name}_held`,
    clip: `${name}_clip`,
  };
  return [
    { table: tables.held, query: heldSql(tables) },
    { table: tables.clip, query: firstClipSql(tables, config) },
    { table: `${name}_round_trip`, query: roundTripSql(tables, config) },
    {
      table: `${name}_entry`,
      query: `
        SELECT clip.*, round_trip.place_no IS NOT NULL AS is_round_trip
        FROM ${tables.clip} AS clip LEFT JOIN ${name}_round_trip AS round_trip USING (place_no)`,
    },
  ];
}

interface EntryTables {
  /** Those in scope. */
  readonly fills: string;
  readonly held: string;
  readonly clip: string;
}

function heldSql({ fills }: EntryTables): string {
  return `
    SELECT place_no, min(CASE WHEN is_buy THEN time_s END) AS first_buy_s, min(CASE WHEN NOT is_buy THEN time_s END) AS first_sell_s,
      min(time_s) AS first_fill_s, max(time_s) AS last_fill_s
    FROM ${fills} GROUP BY place_no`;
}

/**
 * The first clip of each entry and the number of its clips (2.3 to 2.5). Of clips that begin in one
 * second the one of the highest price counts, then the one of the lowest hash: both packed into one
 * number, whose least is searched for.
 */
function firstClipSql(tables: EntryTables, config: RatingConfig): string {
  const rank = `(${ABOVE_PRICES} - price_micros)::BIGINT * ${TX_NOS} + tx_no`;
  return `
    SELECT place_no, count(*)::INTEGER AS clips, (${ABOVE_PRICES} - min(rank) // ${TX_NOS})::INTEGER AS entry_price_micros,
      arg_min(size_micros, rank) AS entry_size_micros, arg_min(event, rank) AS entry_event
    FROM (
      SELECT place_no, size_micros, event, CASE WHEN time_s = first_buy_s THEN ${rank} END AS rank
      FROM (${clipsSql(tables)}) JOIN (SELECT place_no, first_buy_s FROM ${tables.held}) USING (place_no)
      WHERE time_s <= first_buy_s + ${config.clipWindowS}
    ) GROUP BY place_no`;
}

/** BUY clips. Most are one fill and need no grouping. */
function clipsSql({ fills }: EntryTables): string {
  return `
    SELECT place_no, tx_no, time_s, size_micros, price_micros, event FROM ${fills} WHERE is_buy AND is_alone
    UNION ALL
    SELECT place_no, tx_no, min(time_s), ${sqlSizeSum('size_micros')},
      ((2 * sum(price_micros::HUGEINT * size_micros) + sum(size_micros)) // (2 * sum(size_micros)))::INTEGER, max(event)
    FROM ${fills} WHERE is_buy AND NOT is_alone GROUP BY place_no, tx_no, CASE WHEN tx_no = 0 THEN time_s END`;
}

/** Entries of which most was sold again soon and near the same price (2.15). */
function roundTripSql({ fills, held, clip }: EntryTables, config: RatingConfig): string {
  const soon = `time_s BETWEEN first_buy_s AND first_buy_s + ${config.roundTripWindowS}`;
  return `
    WITH sold AS (
      SELECT place_no, first_buy_s, sum(size_micros) AS sold_micros
      FROM ${fills} JOIN (SELECT place_no, first_buy_s FROM ${held}) USING (place_no)
        JOIN (SELECT place_no, entry_price_micros FROM ${clip}) USING (place_no)
      WHERE NOT is_buy AND ${soon} AND abs(price_micros - entry_price_micros) <= ${config.roundTripPriceMicros}
      GROUP BY place_no, first_buy_s
    )
    SELECT place_no FROM (
      SELECT place_no, any_value(sold_micros) AS sold_micros, sum(size_micros) AS bought_micros
      FROM ${fills} JOIN sold USING (place_no) WHERE is_buy AND ${soon} GROUP BY place_no
    ) WHERE sold_micros * 100 >= bought_micros * ${config.roundTripSoldPctMin}`;
}
