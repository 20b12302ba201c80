import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import { addTapeCommands } from '#cli/tape/tape';
import { openTapeModule } from '#compose/tape';
import { writeQuery } from '#test/server/adapters/support/parquet-files';
import { type DataApiServer, startDataApi } from '#test/support/data-api-server';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { tempFolder } from '#test/support/temp-folder';
import { allFills, distinct } from '#test/support/temp-tape';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { hex40, hex64, tradeNumber } from '#test/support/trade-rows';
import { runCommandHere } from './support/run-here.js';
import { PREFLIGHT, runPreflight } from './support/run-preflight.js';

const NEWEST_S = Date.parse('2026-05-28T12:00:00Z') / 1_000;
/** A trade every half hour: three days. */
const FILLS = Array.from({ length: 144 }, (_, n) => tradeNumber(n, NEWEST_S - n * 1_800));
const WALLETS = [0, 1, 2, 3, 4, 5, 6].map(hex40);

const runHere = (command: string) => runCommandHere(addTapeCommands, `tape ${command}`);

describe('preflightctl tape', function () {
  this.timeout(PROCESS_TEST_MS);
  let dataDir: string;
  let data: DataApiServer;
  let gamma: LoopbackServer;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    dataDir = tempFolder('tape');
    data = await startDataApi({ fills: FILLS, rowsPerPage: 50, version: 2 });
    gamma = await startLoopbackServer();
    gamma.answer((request, response) => {
      const ids = new URL(request.url, gamma.baseUrl).searchParams.getAll('condition_ids');
      const fees = {
        endDate: '2027-01-01',
        feesEnabled: true,
        feeType: 'tech_fees',
        feeSchedule: { rate: 0.04, exponent: 1 },
      };
      sendJson(
        response,
        request.url.includes('closed=true')
          ? []
          : ids.map((conditionId) => ({
              conditionId,
              slug: 'a-market',
              outcomes: '["Yes", "No"]',
              closed: false,
              ...fees,
            })),
      );
    });
    env = {
      DATA_DIR: dataDir,
      VENUE_DATA_URL: data.baseUrl,
      VENUE_GAMMA_URL: gamma.baseUrl,
      VENUE_CLOB_URL: gamma.baseUrl,
    };
    Object.assign(process.env, env);
  });
  afterEach(async () => {
    for (const name of Object.keys(env)) delete process.env[name];
    await Promise.all([data.close(), gamma.close()]);
  });

  const preflight = (command: string, more: NodeJS.ProcessEnv = {}) =>
    runPreflight(['tape', ...command.split(' ')], { env: { ...env, ...more } });

  async function json(command: string): Promise<Record<string, unknown>> {
    const { exitCode, stdout, stderr } = await runHere(`${command} --data-dir ${dataDir} --json`);
    expect(exitCode, stderr).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.have.length(1);
    return JSON.parse(stdout);
  }

  async function held(): Promise<readonly string[]> {
    const { tape } = await openTapeModule(dataDir);
    const fills = await allFills(tape, WALLETS);
    await tape.close();
    return fills;
  }

  it('backfills a span of days with its markets, and the next run asks for nothing it holds', async () => {
    const first = await preflight('backfill --from 2026-05-27 --to 2026-05-28T06:00:00Z --json');
    expect(first.exitCode, first.stderr).to.equal(0);
    const fills = FILLS.filter(
      ({ timeS }) => timeS >= Date.parse('2026-05-27') / 1e3 && timeS <= Date.parse('2026-05-28T06:00Z') / 1e3,
    );
    expect(JSON.parse(first.stdout)).to.deep.equal({
      ok: true,
      source: 'data-api',
      fills: fills.length,
      // The last one once more: a short answer is no proof of the end.
      pages: 3,
      skipped: 0,
      complete: true,
      feed_ends_at: null,
      markets_described: 5,
      markets_resolved: 0,
    });
    expect(await held()).to.deep.equal(distinct(fills));
    expect(await json('backfill --from 2026-05-27 --to 2026-05-28T06:00:00Z')).to.include({ fills: 0, pages: 0 });
    expect(await json('status')).to.include({ fills: fills.length, markets: 5, markets_resolved: 0 });
    expect(await json('verify')).to.deep.equal({ ok: true, faults: [] });
  });

  it('says in plain words where the feed ends and what is in the tape', async () => {
    const backfill = await runHere(`backfill --from 2026-01-01 --data-dir ${dataDir}/new`);
    expect(backfill.stdout).to.include('144 fills in 3 pages');
    expect(backfill.stdout).to.include(
      'feed goes back to 2026-05-25T13:00:00Z; for older trades use --wallets, --markets or --source chain',
    );
    expect(backfill.stderr).to.include('note: creating a new tape at');
    expect((await runHere(`status --data-dir ${dataDir}/new`)).stdout).to.include(
      '144 fills from 2026-05-25T12:30:00Z to 2026-05-28T12:00:00Z',
    );
    expect((await runHere(`verify --data-dir ${dataDir}/new`)).stdout).to.equal('the tape is whole\n');
  });

  it('backfills single markets and wallets', async () => {
    expect(await json(`backfill --from 2026-01-01 --markets ${hex64(2)} --wallets ${hex40(3)}`)).to.include({
      complete: true,
    });
    const isWanted = ({ condition, wallet }: (typeof FILLS)[number]) => condition === hex64(2) || wallet === hex40(3);
    expect(await held()).to.deep.equal(distinct(FILLS.filter(isWanted)));
  });

  it('keeps what it has when the venue fails, says how to go on, and goes on', async () => {
    data.disturb((path, response) => {
      if (!path.includes('cursor'))
        sendJson(response, { data: [], pagination: { has_more: true, next_cursor: 'at-0' } });
      else response.writeHead(403).end('{}');
      return true;
    });
    const failed = await runHere(`backfill --from 2026-01-01 --data-dir ${dataDir} --json`);
    expect([failed.exitCode, failed.stdout]).to.deep.equal([1, '']);
    expect(failed.stderr).to.include(
      'error: data-api: refused to show trades (403); what was fetched is kept: run the same command again',
    );
    data.disturb(() => false);
    expect(await json('backfill --from 2026-01-01')).to.include({ complete: true, fills: 144 });
    expect(await held()).to.deep.equal(distinct(FILLS));
  });

  it('stops after the page under way when it is interrupted, and goes on the next time', async () => {
    data.set({ rowsPerPage: 2 });
    const child = spawn(process.execPath, [PREFLIGHT, 'tape', 'backfill', '--from', '2026-01-01', '--json'], { env });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    while (data.seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGINT');
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stdout)).to.include({ ok: false, complete: false });
    data.set({ rowsPerPage: 50 });
    expect(await json('backfill --from 2026-01-01')).to.include({ complete: true });
    expect(await held()).to.deep.equal(distinct(FILLS));
  });

  it('imports an exported tape, and the same files again change nothing', async () => {
    const [fills, markets] = [join(dataDir, 'fills.csv'), join(dataDir, 'markets.csv')];
    const columns = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx';
    await writeFile(
      fills,
      `${columns}\nw1,t1,c1,e1,0,BUY,11.04,0.93,1772361794,x1\nw2,t2,c1,e1,1,SELL,5,0.1,1772361795,x2\n`,
    );
    await writeFile(
      markets,
      'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1\nc1,sports,0.03,1780906134,1780914775,1,0\n',
    );
    const imported = await json(`import --fills ${fills} --markets ${markets}`);
    expect(imported).to.deep.include({ ok: true, fills: 2, markets: 1, markets_resolved: 1 });
    expect(await json(`import --fills ${fills} --markets ${markets}`)).to.deep.include({ fills: 2, markets: 1 });
    const corrected = join(dataDir, 'corrected.csv');
    await writeFile(corrected, `${columns}\nw1,t1,c1,e1,0,BUY,11.04,0.94,1772361794,x1\n`);
    const replace = `import --fills ${corrected} --markets ${markets} --replace fills.csv`;
    const { stdout } = await runHere(`${replace} --dry-run --data-dir ${dataDir}`);
    expect(stdout).to.include('1 fills would be imported, 2 fills and 1 markets would be replaced');
    const counts = { fills_replaced: 2, markets_replaced: 1 };
    expect((await json(replace)).imported).to.include({ fills: 1, ...counts });
    expect(await json('status')).to.include({ fills: 1, markets: 1 });
  });

  it('imports a data set of the past, says what it left out, and nothing twice', async () => {
    const at = (name: string) => join(dataDir, name);
    const trade = (tx: string, token: string) =>
      `SELECT '${tx}' AS trade_id, TIMESTAMP '2026-01-01' AS timestamp, '${token}' AS prediction_id, 0.5 AS price,
        10 AS quantity, '${hex40(1)}' AS maker_address, '${hex40(2)}' AS taker_address, true AS taker_bought`;
    await writeQuery(at('day-1.parquet'), `${trade('a', '71')} UNION ALL ${trade('b', '99')}`);
    const predictions =
      "SELECT '71' AS prediction_id, 5 AS market_id, 'Yes' AS outcome, 0 AS outcome_idx, 2 AS n_outcomes";
    await writeQuery(at('predictions.parquet'), `${predictions}, true AS winner`);
    await writeQuery(
      at('markets.parquet'),
      "SELECT 5 AS market_id, 'Sports' AS category, DATE '2026-02-01' AS end_date, DATE '2026-02-01' AS closed_time",
    );
    const tables = `--predictions ${at('predictions.parquet')} --markets ${at('markets.parquet')}`;
    const command = `import --format polymarket-users ${tables} ${at('day-*.parquet')}`;
    const counts = { files: 1, rows_of_unknown_tokens: 1, rows_without_trade: 0, markets: 1, markets_without_time: 0 };
    const read = { ...counts, files_known: 0, rows: 2, fills: 2 };
    expect(await json(`${command} --dry-run`)).to.deep.include({ dry_run: true, imported: read, fills: 0 });
    expect(await json(command)).to.deep.include({ ok: true, complete: true, dry_run: false, imported: read, fills: 2 });
    const again = { ...counts, files_known: 1, rows: 0, fills: 0, rows_of_unknown_tokens: 0 };
    expect(await json(command)).to.deep.include({ imported: again, fills: 2 });
    const { stdout } = await runHere(`${command} --data-dir ${dataDir}/other`);
    expect(stdout).to.include('2 fills imported from 2 rows of 1 files');
    expect(stdout).to.include('1 rows are of tokens without a known market of two outcomes');
  });

  it('asks the venue which market the tokens of logs are of, once each, and for the markets', async () => {
    const [known, unknown] = [String(10n ** 76n), String(10n ** 76n + 1n)];
    const log = (
      index: number,
      token: string,
    ) => `SELECT 1767268800 AS timestamp, '0xt' AS transaction_hash, ${index} AS log_index,
      '${hex40(1)}' AS maker, '0' AS maker_asset_id, '${token}' AS taker_asset_id, 5000000 AS maker_amount_filled,
      10000000 AS taker_amount_filled`;
    const logs = [log(0, known), log(1, known), log(2, unknown)];
    const file = join(dataDir, 'logs.parquet');
    await writeQuery(file, logs.join(' UNION ALL '));
    const fees = { feesEnabled: true, feeType: 'tech_fees', feeSchedule: { rate: 0.04, exponent: 1 } };
    const row = {
      conditionId: hex64(1),
      slug: 's',
      endDate: '2027-01-01',
      closed: false,
      ...fees,
      outcomes: '["Yes", "No"]',
      clobTokenIds: `["5", "${known}"]`,
    };
    gamma.answer((request, response) => sendJson(response, request.url.includes('closed=true') ? [] : [row]));
    const imported = await json(`import --format orderfilled ${file}`);
    expect(imported).to.deep.include({ ok: true, fills: 2, markets: 1, markets_described: 1 });
    expect(imported.imported).to.include({ fills: 2, rows_of_unknown_tokens: 1 });
    const requested = gamma.seen.filter(({ url }) => url.includes('clob_token_ids') && !url.includes('closed=true'));
    expect(requested).to.have.length(1);
    const { tape } = await openTapeModule(dataDir);
    const fills = await tape.fillsOf(hex40(1));
    await tape.close();
    expect(fills.map(({ condition, outcomeIndex }) => [condition, outcomeIndex])).to.deep.equal([
      [hex64(1), 1],
      [hex64(1), 1],
    ]);
  });

  it('names what is wrong with an import', async () => {
    const file = join(dataDir, 'odd.csv');
    await writeFile(file, 'a,b\n1,2\n');
    const { exitCode, stderr } = await runHere(`import --fills ${file} --markets ${file} --data-dir ${dataDir}`);
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/error: tape: .*odd\.csv.*nothing of that file was added/s);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['backfill', "required option '--from <date>' not specified"],
    ['backfill --from yesterday', 'Give a date such as 2026-05-01'],
    ['backfill --from 2026-02-30', 'Give a date such as 2026-05-01'],
    ['backfill --from 2026-05-02 --to 2026-05-01', '--from must lie before --to'],
    ['backfill --from 2999-01-01', '--from must lie before --to, and in the past'],
    ['backfill --from 2026-05-01 --source disk', 'Allowed choices are data-api, chain'],
    ['backfill --from 2026-05-01 --source chain', '--rpc-url URL, or POLYGON_RPC_URL'],
    ['backfill --from 2026-05-01 --source chain --rpc-url ftp://x', 'must be an http or https URL'],
    [`backfill --from 2026-05-01 --source chain --rpc-url http://x --wallets ${hex40(1)}`, 'are for --source data-api'],
    ['backfill --from 2026-05-01 --markets 0x12', 'Give conditions (0x and 62 or 64 digits), separated by commas'],
    ['backfill --from 2026-05-01 --wallets satoshi', 'Give wallets (0x and 40 digits), separated by commas'],
    ['status', 'there is no tape at'],
    ['verify', 'preflightctl tape backfill or import makes one'],
    ['import --fills /no/file --markets /no/file', 'there is no file /no/file'],
    ['import --markets /no/file', '--format csv needs --fills FILE and --markets FILE'],
    ['import a.parquet --fills x --markets y', 'FILES are for --format polymarket-users and orderfilled'],
    ['import --format parquet a.parquet', 'Allowed choices are csv, polymarket-users, orderfilled'],
    ['import --format orderfilled', 'give the files: preflightctl tape import --format orderfilled'],
    ['import --format orderfilled a --replace b', '--fills and --replace are for --format csv'],
    ['import --format polymarket-users a.parquet', 'needs --predictions FILE and --markets FILE'],
    ['import --format orderfilled a --markets b', 'needs --predictions FILE and --markets FILE'],
    ['lost', "unknown command 'lost'"],
  ];
  for (const [command, says] of wrong) {
    it(`refuses "${command.slice(0, 70)}" with exit code 2, and says what to do on stderr only`, async () => {
      const { exitCode, stdout, stderr } = await runHere(`${command} --data-dir ${dataDir}/none --json`);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include('error: ').and.include(says);
    });
  }

  it('names a setting of the environment that is wrong', async () => {
    const { exitCode, stderr } = await preflight('backfill --from 2026-05-01', { VENUE_DATA_URL: 'data-api' });
    expect([exitCode, stderr]).to.deep.include(1);
    expect(stderr).to.include('VENUE_DATA_URL must be a http or https URL');
  });
});
