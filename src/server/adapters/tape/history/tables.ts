import { categorizeMarket } from '#domain/rating/market-category';
import { isCryptoUpDown } from '#domain/rating/updown';
import type { TokenOutcomes } from '#ports/chain-trades';
import type { HistoryTables } from '#ports/tape';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import { digestOf } from '../files/files.js';
import type { TapeFolder } from '../files/folder.js';
import { numberOrNull } from '../reads.js';
import { sqlTexts } from '../sql/sql.js';
import { addRows, type ImportedMarket } from '../writes.js';
import {
  checkRows,
  columnIn,
  isMoment,
  type Needed,
  openParquet,
  type ParquetFile,
  present,
  secondsSql,
  sqlRows,
} from './parquet.js';

const PREDICTIONS: readonly Needed[] = [
  ['prediction_id'],
  ['market_id'],
  ['outcome'],
  ['outcome_idx'],
  ['n_outcomes'],
  ['winner'],
];
const CLOSED: Needed = ['closed_time', 'closed_at', 'resolved_at', 'closedTime'];
const ENDS: Needed = ['end_date', 'end_date_iso', 'endDate'];
const MARKETS: readonly Needed[] = [['market_id'], ['category'], ENDS, CLOSED];
/** What the file of markets may have besides. */
const CONDITION: Needed = ['condition_id', 'conditionId'];
const GAME: Needed = ['game_start_time', 'gameStartTime'];
const CREATED: Needed = ['created_at', 'createdAt'];
/** No market is meant to end later. */
const LAST_END_S = 4_102_444_800;

/** Where each token belongs, by the tables of a history: a table of the session. */
export const TOKEN_TABLE = 'history_token';

/**
 * Makes `TOKEN_TABLE` of the two tables, and returns the digest of both. Rejects if they lack
 * columns or have rows that cannot be read.
 */
export async function openTables(session: TapeSession, paths: HistoryTables): Promise<string> {
  const predictions = await openParquet(session, paths.predictions, PREDICTIONS);
  const markets = await openParquet(session, paths.markets, MARKETS);
  await checkRows(session, predictions, PREDICTION_TESTS);
  await checkRows(session, markets, marketTests(markets));
  await session.run(`CREATE OR REPLACE TEMP TABLE history_market AS ${marketSql(markets)}`);
  // Only markets of two outcomes are rated.
  await session.run(`CREATE OR REPLACE TEMP TABLE ${TOKEN_TABLE} AS
    SELECT prediction_id::VARCHAR AS token, any_value(condition) AS condition, any_value(event) AS event,
      any_value(outcome_idx)::INTEGER AS outcome_index, any_value(outcome) AS outcome, any_value(winner) AS winner
    FROM ${sqlRows(predictions)} AS prediction
      JOIN history_market ON history_market.market_id = prediction.market_id::VARCHAR
    WHERE n_outcomes = 2 AND outcome_idx IN (0, 1) GROUP BY 1`);
  return `${await digestOf(paths.predictions)}-${await digestOf(paths.markets)}`;
}

const PREDICTION_TESTS = ['prediction_id', 'market_id', 'outcome_idx', 'n_outcomes'].map(present);

function marketTests(markets: ParquetFile) {
  const times = [columnIn(markets, ENDS)!, columnIn(markets, CLOSED)!].map((name) => {
    const { test, must } = isMoment(markets, name, LAST_END_S, '2099');
    return { name, test: `"${name}" IS NULL OR "${name}"::VARCHAR = '' OR ${test}`, must: `${must}, or empty` };
  });
  return [present('market_id'), ...times];
}

/** Without a condition of its own a market goes by its number. */
function marketSql(markets: ParquetFile): string {
  const text = (column: string | null, absent: string) =>
    column === null ? absent : `coalesce("${column}"::VARCHAR, ${absent})`;
  const seconds = (column: string | null) => (column === null ? 'NULL::BIGINT' : secondsSql(markets, column));
  const game = columnIn(markets, GAME);
  return `
    SELECT market_id::VARCHAR AS market_id, lower(${text(columnIn(markets, CONDITION), 'market_id::VARCHAR')}) AS condition,
      ${text(columnIn(markets, ['event_id']), "''")} AS event, ${text(columnIn(markets, ['slug']), "''")} AS slug,
      coalesce(category, '') AS category, coalesce(${seconds(game)}, ${seconds(columnIn(markets, ENDS))}) AS scheduled_end_s,
      ${seconds(columnIn(markets, CLOSED))} AS closed_s, ${seconds(columnIn(markets, CREATED))} AS created_s,
      ${seconds(game)} AS game_s
    FROM ${sqlRows(markets)}`;
}

/** Tokens of one question to the table. */
const TOKENS_PER_QUESTION = 2_000;

/** Returns who says where tokens belong, by the tables that are open in a session. */
export function tableTokenOutcomes(session: TapeSession): TokenOutcomes {
  return {
    async findOutcomes(tokens) {
      const outcomes = new Map();
      for (let at = 0; at < tokens.length; at += TOKENS_PER_QUESTION) {
        const rows = await session.rows<{ token: string; condition: string; event: string; outcome_index: number }>(
          `SELECT token, condition, event, outcome_index FROM ${TOKEN_TABLE}
            WHERE token IN ${sqlTexts(tokens.slice(at, at + TOKENS_PER_QUESTION))}`,
        );
        for (const { token, condition, event, outcome_index: outcomeIndex } of rows) {
          outcomes.set(token, { condition, event, outcomeIndex });
        }
      }
      return outcomes;
    },
  };
}

/** Markets that are written in one piece. */
const MARKETS_PER_LAYER = 50_000;

/** How many markets the tables have, and how many of them have a winner and no time of it. */
export interface MarketCounts {
  readonly markets: number;
  readonly marketsUndated: number;
}

/** `known` are the market rows of the tape. */
export async function countMarkets(session: TapeSession, existing: string): Promise<MarketCounts> {
  const [counted] = await session.rows<{ markets: bigint; undated: bigint }>(
    `SELECT count(*) AS markets, count(*) FILTER (payout_0 IS NOT NULL AND closed_s IS NULL) AS undated FROM (${reportedSql(existing)})`,
  );
  return { markets: Number(counted!.markets), marketsUndated: Number(counted!.undated) };
}

/**
 * Writes the markets of the tables into the tape, over what was imported of them before, but not
 * over what the venue says.
 */
export async function addTableMarkets(
  database: TapeDatabase,
  folder: TapeFolder,
  session: TapeSession,
  existing: string,
): Promise<void> {
  let reported: ImportedMarket[] = [];
  for await (const rows of reportedMarkets(session, existing)) {
    reported.push(...rows.map(toMarket));
    if (reported.length < MARKETS_PER_LAYER) continue;
    await addRows(database, folder, 'markets', reported);
    reported = [];
  }
  await addRows(database, folder, 'markets', reported);
}

/**
 * One row for each market; only a clear winner is one. What the venue itself has said of a market
 * is better than a data set: it has its own fee, and not one by its category.
 */
const reportedSql = (existing: string) => `
  SELECT condition, any_value(history_market.event) AS event, any_value(slug) AS slug, any_value(category) AS category,
    min(scheduled_end_s) AS scheduled_end_s, min(closed_s) AS closed_s, min(created_s) AS created_s, min(game_s) AS game_s,
    list(outcome ORDER BY outcome_index) AS outcomes,
    CASE WHEN count(*) FILTER (winner) = 1 AND count(*) FILTER (NOT winner) = 1
      THEN max(CASE WHEN winner THEN 1 - outcome_index END) END AS payout_0
  FROM history_market JOIN ${TOKEN_TABLE} USING (condition)
  WHERE condition NOT IN (SELECT condition FROM ${existing} WHERE payout_source IS DISTINCT FROM 'import')
  GROUP BY condition`;

interface ReportedMarket {
  readonly condition: string;
  readonly event: string;
  readonly slug: string;
  readonly category: string;
  readonly scheduled_end_s: bigint | null;
  readonly closed_s: bigint | null;
  readonly created_s: bigint | null;
  readonly game_s: bigint | null;
  readonly outcomes: { readonly items: readonly (string | null)[] };
  readonly payout_0: number | null;
}

const REPORTED_NAMES = [
  ...(['condition', 'event', 'slug', 'category', 'scheduled_end_s', 'closed_s', 'created_s'] as const),
  ...(['game_s', 'outcomes', 'payout_0'] as const),
] as const satisfies readonly (keyof ReportedMarket)[];

async function* reportedMarkets(session: TapeSession, existing: string): AsyncGenerator<readonly ReportedMarket[]> {
  for await (const columns of session.columns(
    `SELECT ${REPORTED_NAMES.join(', ')} FROM (${reportedSql(existing)}) ORDER BY condition`,
  )) {
    const row = (i: number) => Object.fromEntries(REPORTED_NAMES.map((name, at) => [name, columns[at]![i]]));
    yield (columns[0] ?? []).map((_, i) => row(i) as unknown as ReportedMarket);
  }
}

/**
 * By the same rules as a market that the venue describes. A result without a time is none: nobody
 * knows since when.
 */
function toMarket(reported: ReportedMarket): ImportedMarket {
  const { condition, event, slug, category } = reported;
  const resolvedAtS = reported.payout_0 === null ? null : numberOrNull(reported.closed_s);
  const kind = categorizeMarket({
    tags: [category],
    closedAtS: numberOrNull(reported.closed_s),
    createdAtS: numberOrNull(reported.created_s),
    gameStartTime: reported.game_s === null ? null : String(reported.game_s),
  });
  const outcomes = reported.outcomes.items.map((outcome) => outcome ?? '');
  return {
    condition,
    event,
    slug,
    ...kind,
    upDown: isCryptoUpDown({ slug, seriesSlug: '', outcomes, isCrypto: kind.category === 'crypto' }),
    scheduledEndS: numberOrNull(reported.scheduled_end_s),
    resolvedAtS,
    payoutMicros: resolvedAtS === null ? null : reported.payout_0 === 1 ? [1_000_000, 0] : [0, 1_000_000],
    payoutSource: 'import',
    ...(reported.created_s === null ? {} : { createdAtS: Number(reported.created_s) }),
  };
}
