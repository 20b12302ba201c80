import { UP_DOWN_SLUGS } from '#domain/rating/updown';
import { DAY_S } from '#domain/time';

/**
 * The fewest digits that a number of micros may not have: above this, JavaScript cannot count them.
 */
const MICROS_MAX = 9_000_000_000_000_000;

/**
 * How the texts of one column become values: the test that a text must pass, the value, and what is
 * reported if it does not.
 */
interface CsvColumn {
  readonly name: string;
  readonly test: string;
  readonly must: string;
}

/**
 * A kind of CSV file: its columns, each named exactly so in the first row, and the rows that come
 * of them.
 */
export interface CsvKind {
  readonly columns: readonly CsvColumn[];
  /** Columns that a file may lack; what they would hold is NULL then. */
  readonly more: readonly CsvColumn[];
  /** The select list over the texts. */
  readonly select: string;
}

const DECIMAL = '^[0-9]+([.][0-9]+)?$';
const SECONDS_DIGITS = '^[0-9]{1,11}$';

function present(name: string): CsvColumn {
  return { name, test: `${name} IS NOT NULL AND ${name} <> ''`, must: 'must not be empty' };
}

function anything(name: string): CsvColumn {
  return { name, test: 'true', must: '' };
}

function matching(name: string, pattern: string, must: string): CsvColumn {
  return { name, test: `coalesce(regexp_matches(${name}, '${pattern}'), false)`, must };
}

function optional({ name, test, must }: CsvColumn): CsvColumn {
  return { name, test: `coalesce(${name}, '') = '' OR (${test})`, must: `${must}, or empty` };
}

function decimal(name: string, from: string, to: string, must: string): CsvColumn {
  const micros = `try_cast(${microsSql(name)} AS BIGINT)`;
  return {
    name,
    test: `coalesce(regexp_matches(${name}, '${DECIMAL}') AND ${micros} BETWEEN ${from} AND ${to}, false)`,
    must,
  };
}

/**
 * A plain decimal in micros, digits beyond the sixth rounded half up: exact, and never by way of a
 * float.
 */
function microsSql(name: string): string {
  return `(try_cast(${name} AS DECIMAL(18, 6))::DECIMAL(25, 6) * 1000000)`;
}

/**
 * An id in hexadecimal as the venue writes it, whose rows have to be found beside it; other ids are
 * of the exporter's own, and as they stand.
 */
function idSql(name: string): string {
  return `CASE WHEN regexp_matches(${name}, '^0[xX][0-9a-fA-F]+$') THEN lower(${name}) ELSE ${name} END`;
}

function secondsSql(name: string): string {
  return `try_cast(nullif(${name}, '') AS BIGINT)`;
}

/** The venue is younger; a time before is a mistake, and would make every tape look old. */
const FIRST_S = 1_577_836_800;
/** No market is meant to end later. */
const LAST_END_S = 4_102_444_800;

function time(name: string, lastS: number, last: string): CsvColumn {
  const digits = `coalesce(regexp_matches(${name}, '${SECONDS_DIGITS}'), false)`;
  const test = `${digits} AND try_cast(${name} AS BIGINT) BETWEEN ${FIRST_S} AND ${lastS}`;
  return { name, test, must: `must be whole seconds since the epoch, from 2020 to ${last}` };
}

/** Returns the columns of an exported tape, as they may be at this moment. */
export function fillsCsv(nowS: number): CsvKind {
  return {
    columns: [
      present('wallet'),
      present('token'),
      present('condition'),
      anything('event'),
      matching('outcome_index', '^[01]$', 'must be 0 or 1'),
      matching('side', '^(BUY|SELL)$', 'must be BUY or SELL'),
      decimal('size', '1', String(MICROS_MAX), 'must be a plain decimal number of shares above 0'),
      decimal('price', '0', '1000000', 'must be a plain decimal number from 0 to 1'),
      time('timestamp', nowS + DAY_S, 'tomorrow'),
      anything('tx'),
    ],
    more: [optional(matching('log_index', '^[0-9]{1,9}$', 'must be a whole number')), anything('name')],
    select: `lower(wallet) AS wallet, token, ${idSql('condition')} AS condition, coalesce(event, '') AS event, outcome_index::INTEGER AS outcome_index,
      side = 'BUY' AS is_buy, ${microsSql('size')}::BIGINT AS size_micros, ${microsSql('price')}::INTEGER AS price_micros,
      timestamp::BIGINT AS time_s, coalesce(${idSql('tx')}, '') AS tx, try_cast(nullif(log_index, '') AS INTEGER) AS log_index`,
  };
}

/** The names that fills give their wallets. */
export const FILL_NAMES_SELECT = 'lower(wallet) AS wallet, name';

/**
 * Returns the columns of the markets beside it. A market is settled
 * if both payouts are there; whether it is a crypto up/down market is said, or told by its slug.
 */
export function marketsCsv(): CsvKind {
  const upDown = UP_DOWN_SLUGS.map((pattern) => `regexp_matches(slug, '${pattern}')`).join(' OR ');
  return {
    columns: [
      present('condition'),
      present('category'),
      decimal('fee_rate', '0', '1000000', 'must be a plain decimal number from 0 to 1'),
      optional(time('scheduled_end', LAST_END_S, '2099')),
      // A made-up tape may know what is still to come: a result counts from its moment on.
      optional(time('resolved_at', LAST_END_S, '2099')),
      optional(decimal('payout_0', '0', '1000000', 'must be a plain decimal number from 0 to 1')),
      {
        name: 'payout_1',
        test: `CASE WHEN coalesce(payout_0, '') = '' THEN coalesce(payout_1, '') = ''
          ELSE ${decimal('payout_1', '0', '1000000', '').test}
            AND ${microsSql('payout_0')} + ${microsSql('payout_1')} = 1000000 END`,
        must: 'must be what payout_0 leaves of 1, or empty if payout_0 is empty',
      },
    ],
    more: [anything('slug'), optional(matching('is_updown', '^(true|false|0|1)$', 'must be true or false'))],
    select: `${idSql('condition')} AS condition, '' AS event, coalesce(slug, '') AS slug, category, ${microsSql('fee_rate')}::BIGINT AS fee_rate_micros,
      coalesce(try_cast(nullif(is_updown, '') AS BOOLEAN), ${upDown}, false) AS is_up_down,
      ${secondsSql('scheduled_end')} AS scheduled_end_s, ${secondsSql('resolved_at')} AS resolved_at_s,
      CASE WHEN payout_0 <> '' THEN [${microsSql('payout_0')}::BIGINT, ${microsSql('payout_1')}::BIGINT] END AS payout_micros,
      'import' AS payout_source, NULL::BIGINT AS created_at_s`,
  };
}
