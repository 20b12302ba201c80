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

function secondsSql(name: string): string {
  return `try_cast(nullif(${name}, '') AS BIGINT)`;
}

/** Columns of an exported tape. */
export const FILLS_CSV: CsvKind = {
  columns: [
    present('wallet'),
    present('token'),
    present('condition'),
    anything('event'),
    matching('outcome_index', '^[01]$', 'must be 0 or 1'),
    matching('side', '^(BUY|SELL)$', 'must be BUY or SELL'),
    decimal('size', '1', String(MICROS_MAX), 'must be a plain decimal number of shares above 0'),
    decimal('price', '0', '1000000', 'must be a plain decimal number from 0 to 1'),
    matching('timestamp', SECONDS_DIGITS, 'must be whole seconds since the epoch'),
    anything('tx'),
  ],
  select: `lower(wallet) AS wallet, token, condition, coalesce(event, '') AS event, outcome_index::INTEGER AS outcome_index,
    side = 'BUY' AS is_buy, ${microsSql('size')}::BIGINT AS size_micros, ${microsSql('price')}::INTEGER AS price_micros,
    timestamp::BIGINT AS time_s, coalesce(tx, '') AS tx, NULL::INTEGER AS log_index`,
};

/** Columns of the markets beside it. A market is settled where both payouts are there. */
export const MARKETS_CSV: CsvKind = {
  columns: [
    present('condition'),
    present('category'),
    decimal('fee_rate', '0', '1000000', 'must be a plain decimal number from 0 to 1'),
    optional(matching('scheduled_end', SECONDS_DIGITS, 'must be whole seconds since the epoch')),
    optional(matching('resolved_at', SECONDS_DIGITS, 'must be whole seconds since the epoch')),
    optional(decimal('payout_0', '0', '1000000', 'must be a plain decimal number from 0 to 1')),
    {
      name: 'payout_1',
      test: `CASE WHEN coalesce(payout_0, '') = '' THEN coalesce(payout_1, '') = ''
        ELSE ${decimal('payout_1', '0', '1000000', '').test} END`,
      must: 'must be a plain decimal number from 0 to 1, or empty if payout_0 is empty',
    },
  ],
  select: `condition, '' AS event, '' AS slug, category, ${microsSql('fee_rate')}::BIGINT AS fee_rate_micros, false AS is_up_down,
    ${secondsSql('scheduled_end')} AS scheduled_end_s, ${secondsSql('resolved_at')} AS resolved_at_s,
    CASE WHEN payout_0 <> '' THEN [${microsSql('payout_0')}::BIGINT, ${microsSql('payout_1')}::BIGINT] END AS payout_micros,
    NULL::VARCHAR AS payout_source, NULL::BIGINT AS created_at_s`,
};
