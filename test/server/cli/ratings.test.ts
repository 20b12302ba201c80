import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { openTape } from '#adapters/tape/tape';
import { groupBy } from '#domain/rating/group-by';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import { RATING_CSV_HEAD, toRatingCsv } from '#services/ratings/csv';
import { readSynthetic, SYNTHETIC_AS_OF_S } from '#test/shared/domain/support/tape-fixtures';
import { capture, readCapture } from '#test/support/captures';
import { sampleRating } from '#test/support/sample-ratings';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runPreflight } from './support/run-preflight.js';

const EXPECTED = 'tape/synthetic/expected_ratings_score.csv.gz';
const AS_OF = '2026-06-29';

type Row = Readonly<Record<string, string>>;
const rowsOf = (text: string): readonly Row[] => parse(text, { columns: true });

/** Told with 6 decimals, and computed by another engine. */
const FLOATS = /^(p90_(roi|z|ci_low|ci_high|leave_one_event_out)|is_roi|oos_roi|oos_z)$/;
/** Both are rounded to six decimals, and a half may go either way. */
const FLOAT_TOLERANCE = 1.5e-6;

/** The expected table has whole numbers with and without a decimal point. */
const isSameCell = (cell = '', expected = '') =>
  cell === expected || (/^-?[\d.]+$/.test(expected) && cell !== '' && Number(cell) === Number(expected));

describe('preflightctl ratings', function () {
  this.timeout(PROCESS_TEST_MS);
  const dataDir = tempFolder('ratings-cli');
  const preflight = (...args: readonly string[]) => runPreflight(['ratings', ...args], { env: { DATA_DIR: dataDir } });

  const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout, stderr } = await preflight(...args, '--json');
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout);
  };

  it('says what to do where there is no tape, no rating, or no sense in it', async () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['run'], 'there is no tape at'],
      [['show', '0xabc'], 'preflightctl ratings run makes them'],
      [['run', '--as-of', '2026-02-30'], 'Give a day such as'],
    ];
    for (const [args, says] of wrong) {
      const { exitCode, stdout, stderr } = await preflight(...args);
      expect([exitCode, stdout], args.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.include(says);
    }
  });

  /** The table of the tape was made before ratings asked for a shrunken edge: its verdicts are others. */
  function verdictsByRule() {
    const { fills, markets } = readSynthetic();
    return new Map(
      [...groupBy(fills, ({ wallet }) => wallet)].map(([wallet, own]) => {
        const sums = sumWallet(wallet, own, markets, SYNTHETIC_AS_OF_S, RATING_CONFIG);
        const { verdict, reason } = rateSums(sums, SYNTHETIC_AS_OF_S, RATING_CONFIG);
        return [wallet, { verdict, reason }];
      }),
    );
  }

  it('writes exactly the expected ratings of the synthetic tape', async function () {
    const tape = await openTape({ dir: join(dataDir, 'tape') });
    const folder = capture(this, 'tape', 'synthetic');
    await tape.importCsv({
      fills: join(folder, 'fills.csv.gz'),
      markets: join(folder, 'markets.csv.gz'),
      nowS: Math.floor(Date.now() / 1e3),
    });
    await tape.close();
    const ruled = verdictsByRule();
    const expected = rowsOf(readCapture(EXPECTED)).map((row): Row => ({ ...row, ...ruled.get(row.wallet!) }));
    const run = await json('run', '--as-of', AS_OF);
    const count = (verdict: string) => expected.filter((row) => row.verdict === verdict).length;
    const names = ['COPY', 'WATCH', 'VETO', 'NO_COVERAGE'];
    expect(run).to.deep.include({ ok: true, as_of: AS_OF, wallets: expected.length });
    expect(run.wallets_by_verdict).to.deep.equal(Object.fromEntries(names.map((name) => [name, count(name)])));

    const file = join(dataDir, 'board.csv');
    expect(await json('export', '--out', file)).to.deep.include({ wallets: expected.length, as_of: AS_OF, file });
    const text = readFileSync(file, 'utf8');
    expect(text.slice(0, text.indexOf('\n'))).to.equal(readCapture(EXPECTED).split('\n')[0]);
    const exported = new Map(rowsOf(text).map((row) => [row.wallet, row]));
    for (const row of expected) {
      for (const column of Object.keys(row)) {
        const [cell, wanted] = [exported.get(row.wallet)?.[column], row[column]];
        const where = `${row.wallet} ${column}`;
        if (FLOATS.test(column) && wanted !== '')
          expect(Number(cell), where).to.be.closeTo(Number(wanted), FLOAT_TOLERANCE);
        else expect(isSameCell(cell, wanted), `${where}: ${cell}, not ${wanted}`).to.equal(true);
      }
    }
    const { stdout } = await preflight('export');
    expect(stdout).to.equal(text);
  });

  it('shows a wallet of the board, with its history', async function () {
    capture(this);
    const shown = await json('show', 'w98875');
    expect(shown).to.deep.include({ ok: true, source: 'board' });
    expect((shown.history as readonly object[])[0]).to.include({ verdict: 'COPY', reason: 'validated' });
    const unknown = await preflight('show', 'nobody');
    expect([unknown.exitCode, unknown.stderr]).to.deep.equal([
      1,
      'error: nothing is known about nobody; request it from the service, or rate a tape that has it\n',
    ]);
  });

  it('refuses a day to come, and an earlier board in the place of a later one unless told to', async function () {
    capture(this);
    const future = await preflight('run', '--as-of', '2999-01-01');
    expect([future.exitCode, future.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes('has not begun'),
    );
    const earlier = await preflight('run', '--as-of', '2026-06-28');
    expect(earlier.exitCode).to.equal(2);
    expect(earlier.stderr).to.include('--replace');
  });

  it('quotes what would break a line, and leaves null empty', () => {
    const line = toRatingCsv(sampleRating({ wallet: 'a,"b"', roiFeePct: null }));
    const [row] = rowsOf(`${RATING_CSV_HEAD}\n${line}\n`);
    expect([row?.wallet, row?.roi_fee_inclusive_pct, row?.p90_z]).to.deep.equal(['a,"b"', '', '1.45206']);
    expect(Object.keys(row ?? {})).to.have.length(36);
  });
});
