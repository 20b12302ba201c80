import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { addRatingsCommands } from '#cli/ratings/ratings';
import { timeLeft } from '#cli/time-left';
import { openTapeModule } from '#compose/tape';
import { ManualClock } from '#test/support/manual-clock';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { AS_OF_S } from '#test/support/sample-ratings';
import { tempFolder } from '#test/support/temp-folder';
import { hex40 } from '#test/support/trade-rows';
import { runCommandHere } from './support/run-here.js';

const DAY_S = 86_400;
const dayOf = (timeS: number) => new Date(timeS * 1e3).toISOString().slice(0, 10);

describe('preflightctl ratings backtest', () => {
  let dataDir: string;
  const run = (command: string) =>
    runCommandHere(addRatingsCommands, `ratings backtest ${command} --data-dir ${dataDir}`);

  before(async () => {
    dataDir = tempFolder('backtest-cli');
    const { tape } = await openTapeModule(dataDir);
    const fills = [...fillsOf(hex40(1), 300), ...fillsOf(hex40(2), 120)];
    await tape.addFills('all', [...fills, { ...fills[0]!, side: 'SELL', timeS: AS_OF_S - 200 * DAY_S }]);
    await tape.addRows(
      'markets',
      fills.map((fill, n) => marketOf(fill, n % 10 < (fill.wallet === hex40(1) ? 7 : 2))),
    );
    await tape.close();
  });
  it('prints a table, writes every date as CSV, and prints one object for scripts', async () => {
    const out = join(dataDir, 'backtest.csv');
    const command = `--from ${dayOf(AS_OF_S - 21 * DAY_S)} --to ${dayOf(AS_OF_S)} --every 14d`;
    const shown = await run(`${command} --out ${out}`);
    expect(shown.exitCode, shown.stderr).to.equal(0);
    expect(shown.stdout).to.match(
      /^2 dates from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, each followed until the next one;\nresults as known on/,
    );
    expect(shown.stdout).to.match(
      /^group +wallets +entries +events +ROI +95 % interval +pending +ROI of all +still COPY$/m,
    );
    expect(shown.stdout).to.match(/^VETO +1\.0 +\d+ +\d+ +-\d+\.\d %/m);
    const rows: readonly Record<string, string>[] = parse(readFileSync(out, 'utf8'), { columns: true });
    expect(rows.map(({ date, group }) => `${date} ${group}`)).to.include(
      `${dayOf(AS_OF_S - 7 * DAY_S)} IS > 0 (10), OOS > 0 (5)`,
    );
    const received = JSON.parse((await run(`${command} --json`)).stdout);
    expect(received).to.include({ ok: true, complete: true });
    expect(received.dates).to.have.length(2);
    expect(received.total.VETO.entries).to.equal(Number(rows.findLast(({ group }) => group === 'VETO')!.entries));
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['--from 2026-01-01', "required option '--to <day>' not specified"],
    ['--from 2026-02-30 --to 2026-03-01', 'Give a day such as'],
    ['--from 2026-03-02 --to 2026-03-01', '--from must not lie after --to'],
    ['--from 2026-03-01 --to 2026-03-02 --every 7', 'Give a number of days such as 7d'],
    ['--from 2099-03-01 --to 2099-03-02', 'There is nothing to try: the tape ends on'],
  ];
  for (const [command, says] of wrong) {
    it(`refuses "${command}" with exit code 2`, async () => {
      const { exitCode, stdout, stderr } = await run(command);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include(says);
    });
  }

  it('says how long it takes yet, from what it did itself', () => {
    const clock = new ManualClock(0);
    const left = timeLeft(clock);
    expect(left(0.5)).to.equal('');
    clock.advance(60_000);
    expect(left(0.6)).to.equal('about 4 min left');
    expect(left(0.75)).to.equal('about 60 s left');
    expect(left(1)).to.equal('');
    clock.advance(3_600_000 * 10);
    expect(left(0.75)).to.equal('about 10.0 h left');
  });
});
