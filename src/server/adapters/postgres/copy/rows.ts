import type { Account } from '#domain/credits/credits';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { CopiedKind, CopiedRows, ExposureRow } from '#ports/copy-target';
import type { Board, VerdictRecord, WalletRow } from '#ports/ratings-store';
import { encodeFollowedBoard } from '../../rows/follow-rows.js';
import { encodeBasis, encodeBoard, encodeStoredRating, encodeVerdict } from '../../rows/rating-rows.js';
import { encodeScoreDay } from '../../rows/score-rows.js';
import { docOf } from '../doc.js';
import { entryColumns, PUT_LEDGER } from '../money/batch.js';
import { ACCOUNT, ANSWER, PAYMENT, PROMO, REDEMPTION, type Table, TOKENS } from '../money/tables.js';
import type { Statement } from '../query.js';
import { columnsOf as walletRowColumns } from '../ratings/wallet-rows.js';

/**
 * Returns the statements that insert rows of each kind; a row that is there already ends the
 * transaction.
 */
export const INSERTS: { readonly [Kind in CopiedKind]: (rows: readonly CopiedRows[Kind][]) => readonly Statement[] } = {
  promos: (rows) => intoTable(PROMO, rows),
  redemptions: (rows) => intoTable(REDEMPTION, rows),
  accounts: (rows: readonly Account[]) => intoTable(ACCOUNT, rows),
  entries: (rows) => [{ text: PUT_LEDGER, values: entryColumns(rows) }],
  tokens: (rows) => intoTable(TOKENS, rows),
  answers: (rows) => intoTable(ANSWER, rows),
  payments: (rows) => intoTable(PAYMENT, rows),
  transfers: (rows) => [
    insert('transfer', ['transaction text', 'log_index bigint', 'payment text'], rows, (one) => [
      ...[one.transaction, one.logIndex, one.payment],
    ]),
  ],
  exposures: (rows) => [insert('exposure', EXPOSURE, rows, exposureValues)],
  board: (rows) => rows.flatMap(intoBoard),
  boardRatings: (rows) => [
    insert('rating', ['run bigint', 'wallet text', 'doc text'], rows, ({ run, ...stored }) => [
      ...[run, stored.rating.wallet, docOf(encodeStoredRating(stored))],
    ]),
  ],
  verdicts: (rows) => [
    published(rows.map(({ run }) => run)),
    insert('verdict_history', ['wallet text', 'run bigint', 'as_of_s bigint', 'doc text'], rows, (one) => [
      ...[one.wallet, one.run, one.asOfS, docOf(verdictDoc(one))],
    ]),
  ],
  demandRatings: (rows) => [
    insert('demand_rating', ['wallet text', 'as_of_s bigint', 'doc text'], rows, (stored) => [
      ...[stored.rating.wallet, stored.rating.asOfS, docOf(encodeStoredRating(stored))],
    ]),
  ],
  walletRows: (rows) => [
    insert(
      'wallet_row',
      ['wallet text', 'queued_at_ms bigint', 'not_before_ms bigint', 'doc text'],
      rows,
      (row: WalletRow) => walletRowColumns(row),
    ),
  ],
  scoreDays: (rows) => [
    insert('score_day', ['day text', 'doc text'], rows, (day) => [day.day, docOf(encodeScoreDay(day))]),
  ],
  bases: (rows) => [
    insert('rating_basis', ['as_of_s bigint', 'wallet text', 'doc text'], rows, ({ asOfS, wallet, text }) => [
      ...[asOfS, wallet, docOf(encodeBasis(text))],
    ]),
  ],
  followedBoards: (rows) => [
    insert('followed_board', ['as_of_s bigint', 'doc text'], rows, (board) => [
      ...[board.asOfS, docOf(encodeFollowedBoard(board))],
    ]),
  ],
};

const EXPOSURE = ['who text', 'unproven_micros bigint', 'refuted_micros bigint', 'last_refuted_at_ms bigint'];

function exposureValues({ facilitator, wallet, exposure }: ExposureRow): readonly unknown[] {
  const who = facilitator === null ? `wallet/${wallet}` : `facilitator/${facilitator}`;
  return [who, String(exposure.unprovenMicros), String(exposure.refutedMicros), exposure.lastRefutedAtMs];
}

type WrittenTable<Row> = Pick<Table<unknown, Row>, 'name' | 'columns' | 'valuesOf'>;

function intoTable<Row>(table: WrittenTable<Row>, rows: readonly Row[]): readonly Statement[] {
  const { name, columns } = table;
  const typed = [...columns.map((column) => column.join(' ')), 'rev int'];
  return [insert(name, typed, rows, (row) => [...table.valuesOf(row), 1])];
}

/** `columns`: names with their types. One parameter for each: the list of its values. */
function insert<Row>(
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly unknown[],
): Statement {
  const [names, types] = [columns.map((one) => one.split(' ')[0]!), columns.map((one) => one.split(' ')[1]!)];
  const lists = types.map((type, n) => `$${n + 1}::${type}[]`).join(', ');
  const values = rows.map(valuesOf);
  return {
    text: `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${lists})`,
    values: columns.map((_, n) => values.map((one) => one[n])),
  };
}

function intoBoard(board: Board): readonly Statement[] {
  return [
    { text: 'INSERT INTO draft_run (run) VALUES ($1)', values: [board.run] },
    published([board.run]),
    { text: 'INSERT INTO board (run, doc) VALUES ($1, $2)', values: [board.run, docOf(encodeBoard(board))] },
  ];
}

function published(runs: readonly number[]): Statement {
  const text = 'INSERT INTO published_run SELECT DISTINCT run FROM unnest($1::bigint[]) AS run ON CONFLICT DO NOTHING';
  return { text, values: [runs] };
}

/** As the rating would have been kept: a verdict of a day is a few of its fields. */
function verdictDoc({ asOfS, verdict, reason, config }: VerdictRecord): unknown {
  return encodeVerdict({ rating: { asOfS, verdict, reason }, config } as StoredRating);
}
