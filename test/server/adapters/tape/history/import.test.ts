import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { EXCHANGES } from '#adapters/chain/exchanges';
import { openTape } from '#adapters/tape/tape';
import type { HistoryImport, Tape } from '#ports/tape';
import { outsideErrorOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';
import { hex40 } from '#test/support/trade-rows';
import { writeQuery } from '../../support/parquet-files.js';
import { marketOf } from '../../support/tape-checks.js';

const NOW_S = Date.parse('2026-03-01T00:00:00Z') / 1e3;
const [MAKER, TAKER, OTHER] = [hex40(1), hex40(2), hex40(3)];

/** Rows of trades; what is not said is of an ordinary one. */
const trades = (...rows: readonly string[]) =>
  rows
    .map(
      (changes, i) => `SELECT * REPLACE (${changes || 'price AS price'}) FROM (SELECT '0xT${i}' AS trade_id,
        TIMESTAMP_NS '2026-01-01 12:00:00' AS timestamp, '71' AS prediction_id, 0.42::DOUBLE AS price, 10::DOUBLE AS quantity,
        '${MAKER}' AS maker_address, '${TAKER}' AS taker_address, true AS taker_bought)`,
    )
    .join(' UNION ALL ');

const log = (
  changes = 'log_index AS log_index',
) => `SELECT * REPLACE (${changes}) FROM (SELECT 1767268800::BIGINT AS timestamp,
  '0xT0' AS transaction_hash, 0::BIGINT AS log_index, '${MAKER}' AS maker, '0' AS maker_asset_id, '71' AS taker_asset_id,
  4200000::BIGINT AS maker_amount_filled, 10000000::BIGINT AS taker_amount_filled)`;

const PREDICTIONS = `SELECT * FROM (VALUES ('71', 5, 'Yes', 0, 2, true), ('72', 5, 'No', 1, 2, false), ('73', 6, 'Up', 0, 2, NULL),
  ('74', 6, 'Down', 1, 2, NULL), ('75', 7, 'A', 0, 3, true), ('76', 8, 'Yes', 0, 2, false), ('77', 8, 'No', 1, 2, true))
  AS t(prediction_id, market_id, outcome, outcome_idx, n_outcomes, winner)`;
const MARKETS = `SELECT market_id, 'e' || market_id AS event_id, category, '0xAB' || market_id AS condition_id, '' AS slug,
  TIMESTAMP '2026-02-01' AS end_date, closed::TIMESTAMP AS closed_time FROM (VALUES (5, 'Politics', '2026-02-02 00:00:01'),
  (6, 'Crypto', NULL), (7, 'Sports', '2026-02-02'), (8, 'Sports', NULL)) AS t(market_id, category, closed)`;

describe('import of a history', function () {
  this.timeout(30_000);
  let dir: string;
  let tape: Tape;
  let tables: { predictions: string; markets: string };
  const at = (name: string) => join(dir, name);
  const users = (files: readonly string[], more: Partial<HistoryImport> = {}): HistoryImport => ({
    ...{ format: 'polymarket-users', files: files.map(at), tokens: { tables }, nowS: NOW_S },
    ...more,
  });
  const logs = (files: readonly string[]) => users(files, { format: 'orderfilled' });

  beforeEach(async () => {
    dir = tempFolder('history');
    tables = { predictions: at('predictions.parquet'), markets: at('markets.parquet') };
    await writeQuery(tables.predictions, PREDICTIONS);
    await writeQuery(tables.markets, MARKETS);
    tape = await openTape({ dir: at('tape'), threads: 1 });
  });
  afterEach(() => tape.close());

  it('tells each match to both of its wallets, the taker at the average of what it was filled with', async () => {
    const second = `'0xT0' AS trade_id, '${OTHER}' AS maker_address, 0.45 AS price, 30 AS quantity`;
    await writeQuery(at('a.parquet'), trades('', second, 'false AS taker_bought'));
    // However small the pieces are, none ends within an order.
    const report = await tape.importHistory(users(['a.parquet'], { rowsPerPart: 1 }));
    expect(report).to.deep.include({ files: 1, filesKnown: 0, rows: 3, fills: 5, isComplete: true });
    const columns = {
      token: '71',
      condition: '0xab5',
      event: 'e5',
      outcomeIndex: 0,
      timeS: 1_767_268_800,
      logIndex: null,
    };
    const order = (wallet: string, side: string, tx: string, shares: number, priceMicros: number) => ({
      ...{ ...columns, wallet, side, tx, sizeMicros: shares * 1_000_000, priceMicros },
    });
    expect(await tape.fillsOf(TAKER)).to.deep.equal([
      order(TAKER, 'BUY', '0xt0', 40, 442_500),
      order(TAKER, 'SELL', '0xt2', 10, 420_000),
    ]);
    expect(await tape.fillsOf(MAKER)).to.deep.equal([
      order(MAKER, 'SELL', '0xt0', 10, 420_000),
      order(MAKER, 'BUY', '0xt2', 10, 420_000),
    ]);
    expect(await tape.fillsOf(OTHER)).to.deep.equal([order(OTHER, 'SELL', '0xt0', 30, 450_000)]);
  });

  it('makes of logs what the backfill from the chain makes of them', async () => {
    const sold = `1 AS log_index, '${TAKER.toUpperCase().replace('X', 'x')}' AS maker, '0x47' AS maker_asset_id,
      '0' AS taker_asset_id, 10000000 AS maker_amount_filled, 4200000 AS taker_amount_filled`;
    await writeQuery(
      at('a.parquet'),
      `${log()} UNION ALL ${log(sold)} UNION ALL ${log(`2 AS log_index, '${EXCHANGES[1]}' AS maker`)}`,
    );
    expect(await tape.importHistory(logs(['a.parquet']))).to.deep.include({ rows: 3, fills: 2, notTrades: 1 });
    const fill = {
      ...{ token: '71', condition: '0xab5', event: 'e5', outcomeIndex: 0, timeS: 1_767_268_800, tx: '0xt0' },
      ...{ sizeMicros: 10_000_000, priceMicros: 420_000 },
    };
    expect(await tape.fillsOf(MAKER)).to.deep.equal([{ ...fill, wallet: MAKER, side: 'BUY', logIndex: 0 }]);
    expect(await tape.fillsOf(TAKER)).to.deep.equal([{ ...fill, wallet: TAKER, side: 'SELL', logIndex: 1 }]);
  });

  it('describes markets by the same rules as the venue’s, and takes no result without its time', async () => {
    await writeQuery(at('a.parquet'), trades(''));
    const report = await tape.importHistory(users(['a.parquet']));
    expect(report).to.deep.include({ markets: 3, marketsUndated: 1 });
    const markets = await tape.marketsOf(['0xab5', '0xab6', '0xab7', '0xab8']);
    const end = { scheduledEndS: 1_769_904_000 };
    expect(markets.get('0xab5')).to.deep.include({
      ...end,
      category: 'politics',
      feeRateMicros: 40_000,
      upDown: false,
    });
    expect(markets.get('0xab5')).to.deep.include({ resolvedAtS: 1_769_990_401, payoutMicros: [1_000_000, 0] });
    expect(markets.get('0xab6')).to.deep.include({ ...end, upDown: true, resolvedAtS: null, payoutMicros: null });
    expect(markets.has('0xab7')).to.equal(false);
    expect(markets.get('0xab8')).to.deep.include({ resolvedAtS: null, payoutMicros: null });
  });

  it('says nothing of a market that the venue has described', async () => {
    const venue = marketOf({ condition: '0xab5', category: 'sports', feeRateMicros: 30_000, payoutMicros: null });
    await tape.addRows('markets', [{ ...venue, resolvedAtS: null }]);
    await writeQuery(at('a.parquet'), trades(''));
    expect(await tape.importHistory(users(['a.parquet']))).to.include({ markets: 2, fills: 2 });
    const markets = await tape.marketsOf(['0xab5', '0xab6']);
    expect(markets.get('0xab5')).to.deep.include({ category: 'sports', feeRateMicros: 30_000, payoutMicros: null });
    expect(markets.get('0xab6')).to.include({ category: 'crypto' });
  });

  it('counts what it leaves out: unknown tokens, dust, and orders of the exchanges', async () => {
    const rows = ["'99' AS prediction_id", "'75' AS prediction_id", '0.0000001 AS quantity', '0 AS price', ''];
    await writeQuery(at('a.parquet'), trades(...rows, `'${EXCHANGES[0]}' AS maker_address`));
    const report = await tape.importHistory(users(['a.parquet']));
    expect(report).to.deep.include({ rows: 6, unknownTokens: 2, notTrades: 2, fills: 3 });
  });

  it('adds nothing by the same files again, under any name, and reads them anew with other tables', async () => {
    await mkdir(at('day=1'));
    await writeQuery(at('a.parquet'), trades('', "'81' AS prediction_id"));
    await writeQuery(at('day=1/a.parquet'), trades('', "'81' AS prediction_id"));
    expect(await tape.importHistory(users(['?.parquet']))).to.include({ files: 1, fills: 2 });
    const again = await tape.importHistory(users(['a.parquet', '**/a.parquet']));
    expect(again).to.deep.include({ files: 2, filesKnown: 2, rows: 0, fills: 0 });
    expect((await tape.status()).fills).to.equal(2);
    await writeQuery(tables.predictions, `${PREDICTIONS} UNION ALL SELECT '81', 6, 'Up', 0, 2, NULL`);
    expect(await tape.importHistory(users(['a.parquet']))).to.include({ filesKnown: 0, fills: 4, unknownTokens: 0 });
    expect((await tape.status()).fills).to.equal(4);
  });

  it('says on a dry run what it would do, and does nothing', async () => {
    await writeQuery(at('a.parquet'), trades('', ''));
    const dry = await tape.importHistory(users(['a.parquet'], { isDry: true }));
    expect(dry).to.deep.include({ files: 1, rows: 2, fills: 4, markets: 3, isComplete: true });
    expect(await tape.status()).to.include({ fills: 0, markets: 0 });
    expect(await tape.importHistory(users(['a.parquet']))).to.deep.include({ filesKnown: 0, fills: 4 });
  });

  it('knows of which days it has everybody’s trades: a day without its file is none', async () => {
    const day = (n: number) => `TIMESTAMP_NS '2026-01-0${n} 23:00:00' AS timestamp`;
    for (const n of [1, 2, 5])
      await writeQuery(at(`${n}.parquet`), trades(day(n), `TIMESTAMP_NS '2026-01-0${n} 01:00:00' AS timestamp`));
    const { whole } = await tape.importHistory(users(['1.parquet', '2.parquet', '5.parquet']));
    const hour = (text: string) => Date.parse(`2026-01-${text}:00:00Z`) / 1e3;
    expect(whole).to.deep.equal([
      { fromS: hour('01T01'), toS: hour('02T23') },
      { fromS: hour('05T01'), toS: hour('05T23') },
    ]);
  });

  it('calls no second whole of a row whose token the venue does not know, and reads it again when it does', async () => {
    const rows = [0, 10, 20].map((s, i) =>
      log(`${1_767_268_800 + s} AS timestamp, ${i} AS log_index, '${s === 10 ? 99 : 71}' AS taker_asset_id`),
    );
    await writeQuery(at('logs.parquet'), rows.join(' UNION ALL '));
    const known = new Map([['71', { condition: '0xab5', event: '', outcomeIndex: 0 }]]);
    const outcomes = { findOutcomes: async () => known };
    const ask = () => tape.importHistory(users(['logs.parquet'], { format: 'orderfilled', tokens: { outcomes } }));
    const { whole, unknownTokens } = await ask();
    expect(unknownTokens).to.equal(1);
    const { fromS } = whole[0]!;
    expect(whole).to.deep.equal([
      { fromS, toS: fromS + 9 },
      { fromS: fromS + 11, toS: fromS + 20 },
    ]);
    known.set('99', { condition: '0xab9', event: '', outcomeIndex: 0 });
    expect(await ask()).to.deep.include({ filesKnown: 0, unknownTokens: 0, whole: [{ fromS, toS: fromS + 20 }] });
    expect(await ask()).to.deep.include({ filesKnown: 1, rows: 0 });
  });

  const BAD: readonly (readonly [what: string, query: string, format: HistoryImport['format'], says: string])[] = [
    [
      'columns that are not there',
      "SELECT '0x' AS trade_id, 1 AS price",
      'polymarket-users',
      'lacks the columns "timestamp", "prediction_id", "quantity", "maker_address", "taker_address", "taker_bought"; it needs trade_id, timestamp,',
    ],
    [
      'one that is not there',
      `SELECT * EXCLUDE (log_index) FROM (${log()})`,
      'orderfilled',
      'lacks the column "log_index"; it needs timestamp,',
    ],
    [
      'times in milliseconds',
      trades('', '1767268800000::BIGINT AS timestamp').replaceAll(/TIMESTAMP_NS '[^']*'/g, '1767268800::BIGINT'),
      'polymarket-users',
      'row 2, column "timestamp": must be a moment from 2020 to tomorrow (a timestamp, or whole seconds), and is "1767268800000"',
    ],
    [
      'a time to come',
      trades("TIMESTAMP_NS '2026-03-03' AS timestamp"),
      'polymarket-users',
      'row 1, column "timestamp"',
    ],
    [
      'an empty price',
      trades('', '', 'NULL::DOUBLE AS price'),
      'polymarket-users',
      'row 3, column "price": must not be empty, and is empty',
    ],
    [
      'an asset that was rounded',
      log("'7.1e76' AS taker_asset_id"),
      'orderfilled',
      'row 1, column "taker_asset_id": must be the number of an asset, in full, and is "7.1e76"',
    ],
    [
      'an amount below zero',
      log('-1 AS maker_amount_filled'),
      'orderfilled',
      'row 1, column "maker_amount_filled": must be a whole number, and is "-1"',
    ],
  ];
  for (const [what, query, format, says] of BAD) {
    it(`refuses ${what}, in one sentence, and adds nothing of that file`, async () => {
      await writeQuery(at('a.parquet'), query);
      const { message } = await outsideErrorOf(tape.importHistory(users(['a.parquet'], { format })));
      expect(message)
        .to.include(`${at('a.parquet')}`)
        .and.include(says);
      expect((await tape.status()).fills).to.equal(0);
    });
  }

  it('refuses tables without what it needs, what is no Parquet, and files that are not there', async () => {
    await writeQuery(at('a.parquet'), trades(''));
    await writeQuery(tables.markets, 'SELECT 5 AS market_id');
    expect((await outsideErrorOf(tape.importHistory(users(['a.parquet'])))).message).to.include(
      'markets.parquet lacks the columns "category", "end_date" (or "end_date_iso", "endDate"), "closed_time"',
    );
    expect((await outsideErrorOf(tape.importHistory(users(['b-*.parquet'])))).message).to.include('there is no file');
    const text = new URL(import.meta.url).pathname;
    const { message } = await outsideErrorOf(tape.importHistory({ ...users([]), files: [text] }));
    expect(message).to.include('cannot be read as Parquet');
  });
});
