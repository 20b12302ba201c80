import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { backtestDeps } from '#compose/ratings';
import { DAY_S, isoDay } from '#domain/time';
import { runBacktest } from '#services/ratings/backtest/backtest';
import { backtestCsv, toFigures } from '#services/ratings/backtest/csv';
import type { BacktestReport, BacktestRow } from '#services/ratings/backtest/report';
import { table } from '../admin/table.js';
import { UsageError } from '../exit.js';
import { untilStopped } from '../tape/progress.js';
import { runTape, type TapeOptions, type TapeReport, withTapeOptions } from '../tape/run.js';
import { timeLeft } from '../time-left.js';
import { day } from './options.js';

type BacktestOptions = TapeOptions & {
  readonly from: number;
  readonly to: number;
  readonly every: number;
  readonly out?: string;
};

/** Unless said otherwise, as people write it. */
const EVERY = '7d';

/** Adds `ratings backtest`. */
export function addBacktestCommand(ratings: Command): void {
  withTapeOptions(ratings.command('backtest'), 'tape and ratings')
    .description('try the rating on the past of the tape; run it again to go on where it stopped')
    .requiredOption('--from <day>', 'first day to rate at', day)
    .requiredOption('--to <day>', 'last day to rate at', day)
    .addOption(
      new Option('--every <days>', 'days between, and so long every rating is followed')
        .argParser(days)
        .default(days(EVERY), EVERY),
    )
    .option('--out <file>', 'write the figures of every date as CSV')
    .action((options: BacktestOptions) => backtest(options));
}

const ADVICE = 'the dates that were done are kept: run the same command again to go on';

async function backtest(options: BacktestOptions): Promise<void> {
  const { from: fromS, to: toS, every: everyS, out } = options;
  if (fromS > toS) throw new UsageError('--from must not lie after --to');
  await runTape(options, { makes: false, advice: ADVICE }, ({ tape, clock }) =>
    untilStopped(clock, async (shown, signal) => {
      const left = timeLeft(clock);
      const progress = (part: number, asOfS: number, step: string) =>
        shown.update('backtest', Math.round(part * 1_000), 1_000, `${isoDay(asOfS)} ${step} ${left(part)}`);
      const report = await runBacktest(backtestDeps(tape), { fromS, toS, everyS }, { signal, progress });
      if (out !== undefined) await writeFile(out, [...backtestCsv(report)].join(''));
      return toReport(report, out);
    }),
  );
}

/** Reads a number of days such as 7d. In seconds. */
function days(text: string): number {
  const count = Number(/^([1-9]\d{0,3})d$/.exec(text)?.[1]);
  if (Number.isInteger(count)) return count * DAY_S;
  throw new InvalidArgumentError('Give a number of days such as 7d.');
}

function toReport(report: BacktestReport, out: string | undefined): TapeReport {
  const { knownS, config, dates, total, isComplete } = report;
  return {
    ok: isComplete,
    json: {
      known_to: isoDay(knownS),
      rating_config: config,
      complete: isComplete,
      dates: dates.map((date) => ({
        as_of: isoDay(date.asOfS),
        to: isoDay(date.toS),
        tape_start: isoDay(date.tapeStartS),
        wallets_by_verdict: date.verdicts,
        placebo_copy_count: date.placeboCopies,
        groups: Object.fromEntries(date.rows.map((row) => [row.group, toFigures(row)])),
      })),
      total: Object.fromEntries(total.map((row) => [row.group, toFigures(row)])),
      ...(out === undefined ? {} : { file: out }),
    },
    text: toText(report, out),
  };
}

function toText({ knownS, config, dates, total, isComplete }: BacktestReport, out: string | undefined): string {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return 'stopped before the first date was done; run it again';
  const copies = dates.reduce((sum, { verdicts }) => sum + verdicts.COPY, 0);
  const placebo = dates.reduce((sum, { placeboCopies }) => sum + placeboCopies, 0);
  const lines = [
    `${dates.length} dates from ${isoDay(first.asOfS)} to ${isoDay(last.asOfS)}, each followed until the next one;`,
    `results as known on ${isoDay(knownS)} (cut-offs ${config})`,
    `${copies} COPY on all dates together; by chance alone ${placebo}`,
    '',
    table(HEAD, total.map(toCells)),
  ];
  if (out !== undefined) lines.push('', `every date is in ${out}`);
  if (!isComplete) lines.push('', 'stopped; run the same command again to go on');
  return lines.join('\n');
}

const HEAD = ['group', 'wallets', 'entries', 'events', 'ROI', '95 % interval', 'pending', 'ROI of all', 'still COPY'];

function toCells(row: BacktestRow): readonly string[] {
  const { result, copiesAMonthAgo, stillCopy } = row;
  const interval = result.low === null ? '-' : `${signed(result.low)}..${signed(result.high)}`;
  return [
    ...[row.group, row.wallets.toFixed(1), String(result.entries), String(result.events)],
    ...[signed(result.roi), interval, String(row.pending), signed(row.allRoi)],
    stillCopy === null ? '' : `${(stillCopy * 100).toFixed(0)} % of ${copiesAMonthAgo}`,
  ];
}

function signed(fraction: number | null): string {
  if (fraction === null) return '-';
  return `${fraction >= 0 ? '+' : ''}${(fraction * 100).toFixed(1)} %`;
}
